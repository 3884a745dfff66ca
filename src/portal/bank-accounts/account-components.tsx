import { printedIban } from '../../common/money/iban.js';
import type { BankAccount } from '../../database/payouts/bank-accounts/bank-account.entity.js';
import { DetailRow, Typed, When } from '../kit/components.js';
import { doneBy } from '../kit/form-components.js';
import { Tag } from '../kit/status.js';
import { countryOf } from './account-text.js';

/** Success messages, by the `done` parameter. */
export const AccountDone = doneBy({
  added: 'Added. All owners are notified by email.',
  confirmed: 'Confirmed.',
  removed: 'Removed. No more payouts go to this account.',
  saved: 'Saved.',
  off: 'Automatic payouts disabled.',
});

/** IBAN in groups of four. */
export const Iban = ({ iban }: { readonly iban: string }) => (
  <bdi class="iban">{printedIban(iban)}</bdi>
);

interface StateProps {
  readonly account: BankAccount;
  readonly now: Date;
  readonly zone: string;
}

/** Whether the account can receive payouts and, if not, what is missing. */
export function AccountState({ account, now, zone }: StateProps) {
  if (account.confirmedAt === null) {
    return (
      <>
        <Tag label="Awaiting owner confirmation" tone="warn" icon="person" />
        <div>Can be used one day after that</div>
      </>
    );
  }
  if (account.noticedAt === null) {
    return (
      <>
        <Tag label="In notification period" tone="warn" icon="clock" />
        <div>
          Can be used one day after an email about it reached an owner of at least seven days who
          neither added nor confirmed it, or, without such an owner, another owner
        </div>
      </>
    );
  }
  if (account.usableFrom <= now) return <Tag label="In use" tone="good" icon="check" />;
  const label = (
    <span>
      Can be used from <When at={account.usableFrom} zone={zone} />
    </span>
  );
  return <Tag label={label} tone="busy" icon="clock" />;
}

interface DetailsProps {
  readonly account: BankAccount;
  readonly zone: string;
  /** Who added it. */
  readonly addedBy?: string | undefined;
}

/** Account details to verify before confirming. */
export const AccountDetails = ({ account, zone, addedBy }: DetailsProps) => (
  <dl class="fact-list account-facts">
    <DetailRow label="Account holder">
      <Typed text={account.holder} />
    </DetailRow>
    <DetailRow label="IBAN">
      <Iban iban={account.iban} />
    </DetailRow>
    <DetailRow label="Country">{countryOf(account.iban)}</DetailRow>
    <DetailRow label="Added">
      <When at={account.createdAt} zone={zone} />
    </DetailRow>
    {addedBy !== undefined && (
      <DetailRow label="Added by">
        <Typed text={addedBy} />
      </DetailRow>
    )}
    {account.confirmedAt !== null && account.noticedAt !== null && (
      <DetailRow label="Can be used from">
        <When at={account.usableFrom} zone={zone} />
      </DetailRow>
    )}
  </dl>
);
