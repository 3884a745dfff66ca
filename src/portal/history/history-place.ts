import type { Mode } from '../../database/entities/api-key.entity.js';
import type { HistoryScope } from '../../database/repositories/history.statements.js';
import { notFound } from '../refusal.js';
import { type PayerSight, payerSight, type Role } from '../roles.js';
import { pathOf, type PlacedVisit, type SignedVisit } from '../visit.js';

/** Whose orders somebody looks at, and in which role. */
export interface HistoryPlace {
  readonly scope: HistoryScope;
  /** The path under which its pages lie. */
  readonly base: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly role: Role;
  /** How much of payers and customers is shown. */
  readonly sight: PayerSight;
}

/** One merchant's orders. */
export function merchantPlace({ place }: PlacedVisit): HistoryPlace {
  const { merchantId, mode, timeZone, role } = place;
  const scope = { merchantId, mode };
  return { scope, base: pathOf(place), timeZone, role, sight: payerSight(role, mode) };
}

/**
 * Orders of all merchants; their clocks differ, so times are in UTC.
 * @throws Refusal for a mode that there is not
 */
export function everyMerchant({ session }: SignedVisit, mode: string): HistoryPlace {
  const role = session.platformRole;
  if (!role || !isMode(mode)) throw notFound();
  const scope = { merchantId: null, mode };
  const sight = payerSight(role, mode);
  return { scope, base: `/portal/all/${mode}`, timeZone: 'UTC', role, sight };
}

const isMode = (text: string): text is Mode => text === 'test' || text === 'live';
