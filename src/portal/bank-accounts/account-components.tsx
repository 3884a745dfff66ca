import { printedIban } from '../../common/iban.js';
import type { BankAccount } from '../../database/payouts/bank-account.entity.js';
import { DetailRow, Typed, When } from '../kit/components.js';
import { doneBy } from '../kit/form-components.js';
import { Tag } from '../kit/status.js';
import { countryOf } from './account-text.js';

/** What the form before this page did, by the word in the address. */
export const AccountDone = doneBy({
  added: 'Added. Every owner is written to about it.',
  confirmed: 'Confirmed.',
  removed: 'Removed. Nothing is paid out to it any more.',
  saved: 'Saved.',
  off: 'Switched off.',
});

/** In the groups in which it is printed. */
export const Iban = ({ iban }: { readonly iban: string }) => (
  <bdi class="iban">{printedIban(iban)}</bdi>
);

interface StateProps {
  readonly account: BankAccount;
  readonly now: Date;
  readonly zone: string;
}

/** Whether payouts can go there, and if not, what they wait for. */
export function AccountState({ account, now, zone }: StateProps) {
  if (account.confirmedAt === null) {
    return (
      <>
        <Tag label="Waits for an owner to confirm it" tone="warn" icon="person" />
        <div>It can be used a day later</div>
      </>
    );
  }
  if (account.noticedAt === null) {
    return (
      <>
        <Tag label="Waits for its notice" tone="warn" icon="clock" />
        <div>
          It can be used a day after a mail about it reached an owner of seven days who neither
          added nor confirmed it; where there is none, another owner
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

/** What a person has to compare before he says yes. */
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
