import { printedIban } from '../../common/iban.js';
import type { BankAccount } from '../../database/entities/bank-account.entity.js';
import { Notice } from '../layout/parts.js';
import { FactRow, Tag, Typed, When } from '../settings/parts.js';
import { countryOf } from './account-words.js';

/** What the form before this page did, by the word in the address. */
const DONE: Readonly<Record<string, string>> = {
  added: 'Added. Every owner is written to about it.',
  confirmed: 'Confirmed.',
  removed: 'Removed. Nothing is paid out to it any more.',
  saved: 'Saved.',
  off: 'Switched off.',
};

export function Done({ word }: { readonly word: unknown }) {
  const text = typeof word === 'string' && Object.hasOwn(DONE, word) ? DONE[word] : undefined;
  return text ? <Notice kind="good">{text}</Notice> : null;
}

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
        <Tag tone="warn" icon="person">
          Waits for an owner to confirm it
        </Tag>
        <div>It can be used a day later</div>
      </>
    );
  }
  if (account.noticedAt === null) {
    return (
      <>
        <Tag tone="warn" icon="clock">
          Waits for its notice
        </Tag>
        <div>
          It can be used a day after a mail about it reached an owner of seven days who neither
          added nor confirmed it; where there is none, another owner
        </div>
      </>
    );
  }
  if (account.usableFrom <= now) {
    return (
      <Tag tone="good" icon="check">
        In use
      </Tag>
    );
  }
  return (
    <Tag tone="busy" icon="clock">
      <span>
        Can be used from <When at={account.usableFrom} zone={zone} />
      </span>
    </Tag>
  );
}

interface FactsProps {
  readonly account: BankAccount;
  readonly zone: string;
  /** Who added it. */
  readonly addedBy?: string | undefined;
}

/** What a person has to compare before he says yes. */
export const AccountFacts = ({ account, zone, addedBy }: FactsProps) => (
  <dl class="fact-list account-facts">
    <FactRow label="Account holder">
      <Typed text={account.holder} />
    </FactRow>
    <FactRow label="IBAN">
      <Iban iban={account.iban} />
    </FactRow>
    <FactRow label="Country">{countryOf(account.iban)}</FactRow>
    <FactRow label="Added">
      <When at={account.createdAt} zone={zone} />
    </FactRow>
    {addedBy !== undefined && (
      <FactRow label="Added by">
        <Typed text={addedBy} />
      </FactRow>
    )}
    {account.confirmedAt !== null && account.noticedAt !== null && (
      <FactRow label="Can be used from">
        <When at={account.usableFrom} zone={zone} />
      </FactRow>
    )}
  </dl>
);
