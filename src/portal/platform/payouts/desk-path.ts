import type { Mode } from '../../../database/entities/api-key.entity.js';
import type { Owner } from '../../../database/repositories/order.repository.js';
import { notFound } from '../../refusal.js';
import { idOf } from '../../settings/path-id.js';

/** Names one payout. */
export interface DeskKey extends Owner {
  readonly id: string;
}

/** @throws Refusal for a mode that there is not */
export function modeOf(text: string): Mode {
  if (text !== 'test' && text !== 'live') throw notFound();
  return text;
}

/** @throws Refusal for a path that names no payout */
export const keyOf = ({ mode, merchantId, id }: Readonly<Record<string, string>>): DeskKey => ({
  mode: modeOf(mode ?? ''),
  merchantId: idOf(merchantId ?? ''),
  id: idOf(id ?? ''),
});

export const deskPath = (mode: Mode): string => `/portal/platform/payouts/${mode}`;

export const payoutPath = ({ mode, merchantId, id }: DeskKey): string =>
  `${deskPath(mode)}/${merchantId}/${id}`;

export const filesPath = (mode: Mode): string => `${deskPath(mode)}/files`;

export const filePath = ({ mode, id }: { readonly mode: Mode; readonly id: string }): string =>
  `${filesPath(mode)}/${id}`;
