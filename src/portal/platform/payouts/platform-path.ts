import type { Mode } from '../../../database/merchants/api-key.entity.js';
import type { Owner } from '../../../database/keys.js';
import { notFound } from '../../../people/refusal.js';
import { idOf } from '../../kit/path-id.js';

/** Names one payout, or one order. */
export interface PlatformPayoutKey extends Owner {
  readonly id: string;
}

/** @throws Refusal for a mode that there is not */
export function modeOf(text: string): Mode {
  if (text !== 'test' && text !== 'live') throw notFound();
  return text;
}

/** @throws Refusal for a path that names nothing of the kind */
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

/** Where an operator accepts an order's late money. */
export const acceptancePath = ({ mode, merchantId, id }: PlatformPayoutKey): string =>
  `${unallocatedPath(mode)}/${merchantId}/${id}`;

/** Where an operator writes down that an order's money was sent back. */
export const refundPath = (key: PlatformPayoutKey): string => `${acceptancePath(key)}/refund`;

/** Where an operator says that a provider's message is dealt with. */
export const handledPath = (key: PlatformPayoutKey): string => `${acceptancePath(key)}/handled`;

export const filesPath = (mode: Mode): string => `${platformPayoutsPath(mode)}/files`;

export const filePath = ({ mode, id }: { readonly mode: Mode; readonly id: string }): string =>
  `${filesPath(mode)}/${id}`;
