import { printedIban } from '../../../common/iban.js';
import { selfContained } from '../../../common/markup.js';
import type { BankLine } from '../../../database/bank/bank-line.entity.js';
import { isUnknownMoneyOut } from '../../../bank/waiting-line.js';
import type { AccountType } from '../../../database/payments/payment.entity.js';
import { Choice } from '../../kit/fields.js';
import { doneBy } from '../../kit/form-components.js';
import { badgeOf, Tag } from '../../kit/status.js';
import { AmountValue, TextValue } from '../../kit/values.js';
import { bankDayText, LINE_BADGES } from './line-text.js';

export const LineTag = (line: Pick<BankLine, 'state' | 'reason'>) => (
  <Tag {...badgeOf(LINE_BADGES, isUnknownMoneyOut(line) ? 'unknown_money_out' : line.state)} />
);

type Money = Pick<BankLine, 'amount' | 'amountText' | 'currency' | 'direction'>;

/** As the bank wrote it where we do not know its currency's decimals; a minus before money out. */
export const LineAmount = ({ amount, amountText, currency, direction }: Money) => (
  <>
    {direction === 'out' && '−'}
    {amount !== null && currency !== null ? (
      <AmountValue minor={amount} currency={currency} />
    ) : (
      <bdi>{selfContained([amountText, currency].filter(Boolean).join(' '))}</bdi>
    )}
  </>
);

interface AccountProps {
  readonly account: string | null;
  readonly type?: AccountType | null;
}

const looksLikeIban = (account: string): boolean => /^[A-Z]{2}\d\d[A-Z\d]{11,30}$/.test(account);

/** An IBAN in the groups in which it is printed. */
export const AccountValue = ({ account, type }: AccountProps) =>
  account !== null && (type === 'iban' || looksLikeIban(account)) ? (
    <bdi class="iban">{printedIban(account)}</bdi>
  ) : (
    <TextValue text={account} />
  );

export const DayValue = ({ day }: { readonly day: string | null }) =>
  day === null ? (
    <span class="text-secondary">—</span>
  ) : (
    <time dateTime={day}>{bankDayText(day)}</time>
  );

interface AccountFilterProps {
  readonly accounts: readonly string[];
  /** Empty for all; also one that has no lines, so that the list says by what it is narrowed. */
  readonly chosen: string;
}

export const AccountFilter = ({ accounts, chosen }: AccountFilterProps) => (
  <Choice
    name="account"
    label="Account"
    value={chosen}
    options={[
      ['', 'All accounts'],
      ...[...new Set([...accounts, chosen].filter(Boolean))].map(
        (each) => [each, looksLikeIban(each) ? printedIban(each) : each] as const,
      ),
    ]}
  />
);

interface FilterProps {
  readonly name: string;
  readonly label: string;
  readonly type: 'date' | 'text' | 'search';
  readonly value: string;
}

/** One thing by which a list is narrowed; empty, it does not matter. */
export function BankFilterField({ name, label, type, value }: FilterProps) {
  // To the compiler, each type is an element of its own.
  const kind: object = { type };
  return (
    <div class="mb-3">
      <label class="form-label" for={name}>
        {label}
      </label>
      <input
        class="form-control"
        id={name}
        name={name}
        {...kind}
        value={value}
        maxLength={140}
        autocomplete="off"
      />
    </div>
  );
}

/** What the forms of these pages did. */
export const BankDone = doneBy({
  matched: 'Matched. The order has the money.',
  returned: 'Booked. The order’s merchant lacks the money again.',
  'return-undone': 'Undone. The payment counts again, and the line waits.',
  ignored: 'Marked. It does not wait any more.',
  reopened: 'It waits again.',
  same: 'Said to be the same booking. It does not count any more.',
  another: 'Said to be another booking. The rules have looked at it.',
  payer: 'The payer is written down.',
  undone: 'Undone. The line waits again.',
  noted: 'Noted.',
  imported: 'Imported.',
  discarded: 'The upload was thrown away. Nothing was stored.',
  added: 'Added.',
  removed: 'Removed.',
  disabled: 'Disabled. Nobody is sent there any more; what still comes is matched as before.',
});
