import { formatMoment } from '../common/time-format.js';
import type { CollectionAccountChange } from '../database/bank/collection-account-change.entity.js';
import type { UserNotice } from '../database/people/user-notice.entity.js';

const SUBJECTS: Readonly<Record<CollectionAccountChange['kind'], string>> = {
  add: 'add a live account on which payers transfer money',
  prefer: 'show payers of live orders another account to transfer money to',
  disable: 'take a live account for transfers out of use',
};

/** Characters of an account that a mail may have: the portal has the rest. */
const SHOWN_END = 4;

/**
 * What the mail about a change says. It has no text that the proposer typed, such as a holder or a bank: a mail server
 * could refuse it for the words in it.
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
