import { formatMoment } from '../common/time/time-format.js';
import type { CollectionAccountChange } from '../database/bank/collection-accounts/collection-account-change.entity.js';
import type { UserNotice } from '../database/people/user-notice.entity.js';

const SUBJECTS: Readonly<Record<CollectionAccountChange['kind'], string>> = {
  add: 'add a live account on which payers transfer money',
  prefer: 'show payers of live orders another account to transfer money to',
  disable: 'take a live account for transfers out of use',
};

/** Last characters of the account number shown in mails; only the portal shows the whole number. */
const SHOWN_END = 4;

/**
 * Content of the mail about a change. It has no text typed by the proposer, such as the holder or bank name, since a
 * mail server could reject the mail for such words.
 */
export function changeNotice(
  change: CollectionAccountChange,
  names: ReadonlyMap<string, string>,
): Pick<UserNotice, 'kind' | 'merchantId' | 'data'> {
  const { kind, account, currency, proposedBy, proposedFrom, confirmedBy, effectiveAt } = change;
  const proposer = proposedBy === null ? `The ${proposedFrom}` : (names.get(proposedBy) ?? '');
  const confirmer = confirmedBy === null ? '' : (names.get(confirmedBy) ?? '');
  return {
    kind: 'collection-account',
    merchantId: null,
    data: {
      what: SUBJECTS[kind],
      account: `…${account.slice(-SHOWN_END)}`,
      currency,
      proposer,
      confirmer,
      effective: effectiveAt === null ? '' : formatMoment(effectiveAt, 'UTC', 'en'),
    },
  };
}
