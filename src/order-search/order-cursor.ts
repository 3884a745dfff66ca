import { uuidOf } from '../common/ids.js';
import type { OrderCursor } from '../database/read-models/order-list/order-list.statements.js';

const CURSOR = /^([\da-z]{1,9})\.([\da-f-]{36})$/;

/** Cursor of the list as text. */
export const cursorText = ({ time, txid }: OrderCursor): string =>
  `${time.getTime().toString(36)}.${txid}`;

/** Null for an invalid cursor: the list then starts at the beginning. */
export function parseCursor(text: string): OrderCursor | null {
  const [, time = '', id = ''] = CURSOR.exec(text) ?? [];
  const txid = uuidOf(id);
  if (txid === null) return null;
  return { time: new Date(Number.parseInt(time, 36)), txid };
}
