import type { ComponentChildren } from 'preact';
import type { DailyBalance } from '../../../bank/import/daily-balances.js';
import type { Mode } from '../../../database/merchants/api-key.entity.js';
import type { SignedInContext } from '../../../people/portal-context.js';
import { ListCard } from '../../kit/card.js';
import { Cell, Empty, Rows } from '../../kit/components.js';
import { Notice } from '../../kit/form-components.js';
import { Tag } from '../../kit/status.js';
import { renderPage } from '../../layout/shell.view.js';
import { signedText } from '../payouts/platform-components.js';
import { balancePath, bankPath } from './bank-path.js';
import { AccountFilter, AccountValue, BankFilterField, DayValue } from './line-components.js';
import { type BalanceQuery, DAYS_MAX } from './balance-query.js';

interface Props {
  readonly context: SignedInContext;
  readonly mode: Mode;
  readonly query: BalanceQuery;
  readonly days: readonly DailyBalance[];
  /** Accounts that have lines. */
  readonly accounts: readonly string[];
}

export const renderBalance = ({ context, mode, query, days, accounts }: Props): string =>
  renderPage({
    context,
    title: 'Account balances',
    subtitle: (
      <>
        <a href={bankPath(mode)}>Bank</a> · Opening balance, bookings and closing balance per
        account and booking date.
      </>
    ),
    children: (
      <>
        <Verdict days={days} />
        <Filter mode={mode} query={query} accounts={accounts} />
        {days.length === 0 ? (
          <div class="card">
            {query.account === null || accounts.includes(query.account) ? (
              <Empty title="No bookings">Choose other days or import a statement.</Empty>
            ) : (
              <Empty title="Account not found">
                {' '}
                It has no imported lines. Choose an account from the list.{' '}
              </Empty>
            )}
          </div>
        ) : (
          [...Map.groupBy(days, ({ account, currency }) => `${account} ${currency}`)].map(
            ([, ofAccount], at) => <Account id={`account-${at}`} days={ofAccount} />,
          )
        )}
      </>
    ),
  });

function Verdict({ days }: Pick<Props, 'days'>) {
  const odd = days.filter(({ unexplained }) => unexplained !== 0);
  if (days.length === 0) return null;
  return odd.length === 0 ? (
    <Notice kind="good">All days are balanced.</Notice>
  ) : (
    <Notice kind="bad">
      {odd.length === 1 ? '1 day is' : `${odd.length} days are`} not balanced: a statement is
      missing or wrong, or its entries do not add up to its total.
    </Notice>
  );
}

const Filter = ({ mode, query, accounts }: Pick<Props, 'mode' | 'query' | 'accounts'>) => (
  <form class="bank-filters" action={balancePath(mode)} role="search" aria-label="Days">
    <AccountFilter accounts={accounts} chosen={query.account ?? ''} />
    <BankFilterField name="from" label="From" type="date" value={query.from} />
    <BankFilterField
      name="until"
      label={`Until (at most ${DAYS_MAX} days)`}
      type="date"
      value={query.until}
    />
    <div class="mb-3">
      <button class="btn">Show</button>
    </div>
  </form>
);

const MONEY = [
  ['Opening', 'opening'],
  ['Orders', 'matched'],
  ['Returns', 'returned'],
  ['Payouts', 'paidOut'],
  ['Unmatched', 'unmatched'],
  ['Other', 'other'],
  ['Closing', 'closing'],
] as const;
const NAMES = MONEY.map(([name]) => name);

interface AccountProps {
  readonly id: string;
  readonly days: readonly DailyBalance[];
}

const Account = ({ id, days }: AccountProps) => (
  <ListCard id={id} title={<AccountName {...days[0]!} />}>
    <Rows
      caption="Days, newest first"
      columns={['Day', ...NAMES, 'Difference']}
      numbers={[...NAMES, 'Difference']}
    >
      {days.toReversed().map((day) => (
        <tr>
          <Cell label="Day" class="strong">
            <DayValue day={day.day} />
          </Cell>
          {MONEY.map(([label, part]) => (
            <Money label={label}>{textOf(day[part], day, part)}</Money>
          ))}
          <Money label="Difference">
            {day.unexplained === 0 ? (
              signedText(0, day.currency)
            ) : (
              <Tag label={signedText(day.unexplained, day.currency)} tone="bad" icon="warning" />
            )}
          </Money>
        </tr>
      ))}
    </Rows>
  </ListCard>
);

const AccountName = ({ account, currency }: DailyBalance) => (
  <>
    <AccountValue account={account} /> {currency}
  </>
);

/** Zero is a dash, except for balances. */
const textOf = (minor: number, { currency }: DailyBalance, part: string): string =>
  minor === 0 && part !== 'opening' && part !== 'closing' ? '—' : signedText(minor, currency);

interface MoneyProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

const Money = ({ label, children }: MoneyProps) => (
  <Cell label={label} class="num">
    {children}
  </Cell>
);
