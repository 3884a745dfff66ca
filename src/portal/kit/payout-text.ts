import { maskAccount } from '../../common/mask.js';
import type { HoldReason } from '../../database/payouts/bank-accounts/bank-account.statements.js';
import type { PayoutLineKind } from '../../database/payouts/payout-line.entity.js';
import type { Payout } from '../../database/payouts/payout.entity.js';
import { pathOf, type MerchantContext } from '../../people/portal-context.js';

export const KIND_LABELS: Readonly<Record<PayoutLineKind, string>> = {
  order: 'Order',
  fee: 'Fee',
  correction: 'Correction',
};

/** Why an approved payout is excluded from bank files. */
export const HELD: Readonly<Record<HoldReason, string>> = {
  removed: 'Excluded from bank files: its bank account was removed.',
  unconfirmed: 'Excluded from bank files: its bank account is not confirmed.',
  unnoticed: 'Excluded from bank files until the email about its bank account is delivered.',
  waiting: 'Excluded from bank files until the one-day objection period of its bank account ends.',
  left_before: 'Excluded from bank files: according to a bank statement, it was already sent.',
  payer_unknown: 'Excluded from bank files: the account of the payer is no longer known.',
  return_waits:
    'Excluded from bank files: the bank of the payer may have taken the payment back. Explain the return under “Bank” first.',
};

/** Last characters of an ID: IDs of the same day share their beginning. */
export const shortId = (id: string): string => `…${id.slice(-8)}`;

export const maskedIban = (iban: string): string => maskAccount(iban, 'iban');

/** Name of the requester. */
export const askerOf = (
  { requestedBy }: Pick<Payout, 'requestedBy'>,
  name: string | null,
): string => (requestedBy === null ? 'Schedule' : (name ?? 'Former user'));

export const payoutsPath = ({ access }: MerchantContext): string => `${pathOf(access)}/payouts`;

export const payoutPath = (context: MerchantContext, { id }: Pick<Payout, 'id'>): string =>
  `${payoutsPath(context)}/${id}`;

export const accountsPath = ({ access }: MerchantContext): string =>
  `${pathOf(access)}/bank-accounts`;
