import { uuidOf } from '../common/ids.js';
import type { OrderCursor } from '../database/order-list/order-list.statements.js';

const CURSOR = /^([\da-z]{1,9})\.([\da-f-]{36})$/;

/** A cursor of the list, for a link. */
export const cursorText = ({ time, txid }: OrderCursor): string =>
  `${time.getTime().toString(36)}.${txid}`;

/** Null for what is no cursor: the link then opens the list where it begins. */
export function parseCursor(text: string): OrderCursor | null {
  const [, time = '', id = ''] = CURSOR.exec(text) ?? [];
  const txid = uuidOf(id);
  if (txid === null) return null;
  return { time: new Date(Number.parseInt(time, 36)), txid };
}
