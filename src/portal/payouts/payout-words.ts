import type { PayoutLineKind } from '../../database/entities/payout-line.entity.js';
import type { Payout } from '../../database/entities/payout.entity.js';
import { maskAccount } from '../../notifications/mail/payer-account.js';
import { pathOf, type PlacedVisit } from '../visit.js';

export const KIND_WORDS: Readonly<Record<PayoutLineKind, string>> = {
  order: 'Order',
  fee: 'Fee',
  correction: 'Correction',
};

/** Ids of one day begin alike, so the end tells them apart. */
export const shortId = (id: string): string => `…${id.slice(-8)}`;

export const maskedIban = (iban: string): string => maskAccount(iban, 'iban');

/** Who asked for a payout, as far as it is known. */
export const askerOf = (
  { requestedBy }: Pick<Payout, 'requestedBy'>,
  name: string | null,
): string => (requestedBy === null ? 'Schedule' : (name ?? 'Somebody who has left'));

export const payoutsPath = ({ place }: PlacedVisit): string => `${pathOf(place)}/payouts`;

export const payoutPath = (visit: PlacedVisit, { id }: Pick<Payout, 'id'>): string =>
  `${payoutsPath(visit)}/${id}`;

export const accountsPath = ({ place }: PlacedVisit): string => `${pathOf(place)}/bank-accounts`;
