import type { Mode } from '../../../database/merchants/api-key.entity.js';
import type { Owner } from '../../../database/keys.js';
import { notFound } from '../../../people/refusal.js';
import { idOf } from '../../kit/path-id.js';

/** Key of one payout or order. */
export interface PlatformPayoutKey extends Owner {
  readonly id: string;
}

/** @throws Refusal 404 for an unknown mode */
export function modeOf(text: string): Mode {
  if (text !== 'test' && text !== 'live') throw notFound();
  return text;
}

/** @throws Refusal 404 for a malformed path */
export const keyOf = ({
  mode,
  merchantId,
  id,
}: Readonly<Record<string, string>>): PlatformPayoutKey => ({
  mode: modeOf(mode ?? ''),
  merchantId: idOf(merchantId ?? ''),
  id: idOf(id ?? ''),
});

export const platformPayoutsPath = (mode: Mode): string => `/portal/platform/payouts/${mode}`;

export const platformPayoutPath = ({ mode, merchantId, id }: PlatformPayoutKey): string =>
  `${platformPayoutsPath(mode)}/${merchantId}/${id}`;

export const unallocatedPath = (mode: Mode): string => `/portal/platform/unallocated/${mode}`;

/** Form that accepts a late payment. */
export const acceptancePath = ({ mode, merchantId, id }: PlatformPayoutKey): string =>
  `${unallocatedPath(mode)}/${merchantId}/${id}`;

/** Form that records a refund. */
export const refundPath = (key: PlatformPayoutKey): string => `${acceptancePath(key)}/refund`;

/** Marks a disputed provider callback as resolved. */
export const handledPath = (key: PlatformPayoutKey): string => `${acceptancePath(key)}/handled`;

export const filesPath = (mode: Mode): string => `${platformPayoutsPath(mode)}/files`;

export const filePath = ({ mode, id }: { readonly mode: Mode; readonly id: string }): string =>
  `${filesPath(mode)}/${id}`;
