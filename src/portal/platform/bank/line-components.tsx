import { printedIban } from '../../../common/money/iban.js';
import { selfContained } from '../../../common/markup.js';
import type { BankLine } from '../../../database/bank/lines/bank-line.entity.js';
import { isUnknownMoneyOut } from '../../../bank/recognition/waiting-line.js';
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

/** Shows the bank's own text if the decimals of the currency are unknown; a minus marks outgoing money. */
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

/** Formats IBANs in groups of four. */
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
  /** Empty = all. May be an account without lines: the active filter stays visible. */
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

/** An optional filter of a list. */
export function BankFilterField({ name, label, type, value }: FilterProps) {
  // The JSX types have one element per input type.
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

/** Success messages, by the `done` parameter. */
export const BankDone = doneBy({
  matched: 'Matched. The payment is booked to the order.',
  returned: 'Return booked. The amount was deducted from the merchant’s balance.',
  'return-undone': 'Return undone. The payment is restored, and the line is back in review.',
  ignored: 'Marked. The line was removed from review.',
  reopened: 'Reopened. The line is back in review.',
  same: 'Marked as the same booking. This line is ignored.',
  another: 'Marked as a separate booking. Matching has run.',
  'another-next':
    'Marked as a separate booking. The line may also be the booking shown here: please compare them, too.',
  payer: 'Payer saved.',
  undone: 'Match undone. The line is back in review.',
  noted: 'Note saved.',
  imported: 'Imported.',
  discarded: 'Upload discarded. Nothing was imported.',
  added: 'Added.',
  removed: 'Removed.',
  disabled: 'Disabled. Payers no longer see this account; incoming payments are still matched.',
});
