import { isWaiting } from '../../../bank/recognition/waiting-line.js';
import type { BankLine } from '../../../database/bank/lines/bank-line.entity.js';
import { LINES_COUNTED } from '../../../database/bank/matching/bank-queue.repository.js';
import { mayHere, type SignedInContext } from '../../../people/portal-context.js';
import { Cell, Empty, Rows } from '../../kit/components.js';
import { Icon } from '../../kit/icons.js';
import { Pager } from '../../kit/list.view.js';
import { numberText, TextValue } from '../../kit/values.js';
import { renderPage } from '../../layout/shell.view.js';
import { balancePath, bankPath, CSV_PROFILES_PATH, linePath, uploadsPath } from './bank-path.js';
import type { BankQueue } from './bank-queue.service.js';
import {
  AccountFilter,
  AccountValue,
  DayValue,
  BankDone,
  BankFilterField,
  LineAmount,
  LineTag,
} from './line-components.js';
import { isNarrowed, isWaitingList, lineAddress, type Tab, TABS } from './line-filter.js';
import { ageText, excerptOf, reasonText, TAB_NAMES } from './line-text.js';

export const renderBankQueue = (
  context: SignedInContext,
  queue: BankQueue,
  done: unknown,
): string =>
  renderPage({
    context,
    title: 'Bank',
    subtitle: 'Bank statement lines of all collection accounts.',
    actions: (
      <>
        <a class="btn" href={balancePath(queue.mode)}>
          Balances
        </a>
        {mayHere(context, 'platform.payouts') && (
          <>
            <a class="btn" href={CSV_PROFILES_PATH}>
              CSV profiles
            </a>
            <a class="btn btn-primary" href={uploadsPath(queue.mode)}>
              Import a statement
            </a>
          </>
        )}
      </>
    ),
    children: (
      <>
        <BankDone word={done} />
        <Tabs {...queue} />
        <Filters {...queue} />
        <div class="card">
          {queue.lines.entries.length === 0 ? <Nothing {...queue} /> : <Lines {...queue} />}
          <Turns {...queue} />
        </div>
      </>
    ),
  });

const Tabs = ({ mode, query, counts }: BankQueue) => (
  <nav aria-label="Lists">
    <ul class="chips mb-3">
      {(Object.keys(TABS) as Tab[]).map((tab) => (
        <li>
          <a
            class="chip"
            href={`${bankPath(mode)}${lineAddress({ ...query, tab, after: null })}`}
            aria-current={tab === query.tab ? 'page' : undefined}
          >
            {TAB_NAMES[tab]} <span>{countOf(counts, tab)}</span>
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

function countOf(counts: BankQueue['counts'], tab: Tab): string {
  const lines = TABS[tab].reduce((sum, state) => sum + (counts.get(state) ?? 0), 0);
  return lines > LINES_COUNTED ? `${numberText(LINES_COUNTED)}+` : numberText(lines);
}

const Filters = ({ mode, query, accounts }: BankQueue) => (
  <form class="bank-filters" action={bankPath(mode)} role="search" aria-label="Lines">
    {query.tab !== 'waiting' && <input type="hidden" name="tab" value={query.tab} />}
    <AccountFilter accounts={accounts} chosen={query.account} />
    <BankFilterField name="day" label="Booking date" type="date" value={query.day} />
    <BankFilterField name="amount" label="Amount" type="text" value={query.amount} />
    <BankFilterField name="q" label="Text" type="search" value={query.text} />
    <div class="mb-3 d-flex gap-2">
      <button class="btn">Filter</button>
      {isNarrowed(query) && (
        <a class="btn btn-ghost" href={`${bankPath(mode)}${lineAddress({ tab: query.tab })}`}>
          <Icon name="cross" />
          Clear
        </a>
      )}
    </div>
  </form>
);

function Nothing({ query, mode }: BankQueue) {
  if (isNarrowed(query)) return <Empty title="No matching lines">Change the filters above.</Empty>;
  if (query.tab === 'unknown_money_out')
    return <Empty title="No unexplained debits">All outgoing payments are explained.</Empty>;
  if (query.tab !== 'waiting') return <Empty title="No lines">This list is empty.</Empty>;
  return (
    <Empty title="Nothing to review">
      {' '}
      All imported lines of the {mode} accounts are matched, or need no order.{' '}
    </Empty>
  );
}

const COLUMNS = ['Payer', 'Amount', 'Text', 'Booking date', 'State'];

const Lines = ({ mode, query, lines, now }: BankQueue) => (
  <Rows
    caption={isWaitingList(query) ? 'Lines, oldest first' : 'Lines, newest first'}
    columns={COLUMNS}
    numbers={['Amount']}
  >
    {lines.entries.map((line) => (
      <Row mode={mode} line={line} now={now} />
    ))}
  </Rows>
);

interface RowProps extends Pick<BankQueue, 'mode' | 'now'> {
  readonly line: BankLine;
}

const Row = ({ mode, line, now }: RowProps) => (
  <tr>
    <Cell label={line.direction === 'in' ? 'Payer' : 'Payee'} class="strong">
      <a href={linePath({ mode, id: line.id })}>
        {line.counterpartyName === null ? (
          'Unknown'
        ) : (
          <TextValue text={excerptOf(line.counterpartyName)} />
        )}
      </a>
      {line.counterpartyAccount !== null && (
        <div class="id">
          <AccountValue
            account={excerptOf(line.counterpartyAccount)}
            type={line.counterpartyAccountType}
          />
        </div>
      )}
    </Cell>
    <Cell label="Amount" class="num strong">
      <LineAmount {...line} />
    </Cell>
    <Cell label="Text" class="line-text">
      <TextValue text={excerptOf(line.text)} />
    </Cell>
    <Cell label="Booking date">
      <DayValue day={line.bookedOn ?? line.valuedOn} />
      {isWaiting(line) && <div class="text-secondary">Waiting {ageText(line, now)}</div>}
    </Cell>
    <Cell label="State">
      <LineTag {...line} />
      {line.reason !== null && (
        <div class="text-secondary">
          <TextValue text={reasonText(line.reason)} />
        </div>
      )}
    </Cell>
  </tr>
);

function Turns({ mode, query, lines }: BankQueue) {
  const address = (after: string | null) => `${bankPath(mode)}${lineAddress({ ...query, after })}`;
  const last = lines.entries.at(-1)?.id ?? null;
  return (
    <Pager
      first={
        query.after === null
          ? null
          : { label: isWaitingList(query) ? 'Oldest' : 'Newest', href: address(null) }
      }
      next={
        lines.hasMore
          ? { label: isWaitingList(query) ? 'Newer' : 'Older', href: address(last), rel: 'next' }
          : null
      }
    />
  );
}
