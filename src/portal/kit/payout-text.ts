import { maskAccount } from '../../common/mask.js';
import type { AccountFault } from '../../database/payouts/bank-account.statements.js';
import type { PayoutLineKind } from '../../database/payouts/payout-line.entity.js';
import type { Payout } from '../../database/payouts/payout.entity.js';
import { pathOf, type MerchantContext } from '../../people/portal-context.js';

export const KIND_LABELS: Readonly<Record<PayoutLineKind, string>> = {
  order: 'Order',
  fee: 'Fee',
  correction: 'Correction',
};

/** Why an approved payout goes into no bank file. */
export const HELD: Readonly<Record<AccountFault, string>> = {
  removed: 'It stays out of bank files: its bank account was removed.',
  unconfirmed: 'It stays out of bank files: its bank account is not confirmed.',
  unnoticed: 'It stays out of bank files until the mail about its bank account was accepted.',
  waiting: 'It stays out of bank files until the day to object to its bank account is over.',
};

/** Ids of one day begin alike, so the end tells them apart. */
export const shortId = (id: string): string => `…${id.slice(-8)}`;

export const maskedIban = (iban: string): string => maskAccount(iban, 'iban');

/** Who asked for a payout, as far as it is known. */
export const askerOf = (
  { requestedBy }: Pick<Payout, 'requestedBy'>,
  name: string | null,
): string => (requestedBy === null ? 'Schedule' : (name ?? 'Somebody who has left'));

export const payoutsPath = ({ access }: MerchantContext): string => `${pathOf(access)}/payouts`;

export const payoutPath = (context: MerchantContext, { id }: Pick<Payout, 'id'>): string =>
  `${payoutsPath(context)}/${id}`;

export const accountsPath = ({ access }: MerchantContext): string =>
  `${pathOf(access)}/bank-accounts`;
