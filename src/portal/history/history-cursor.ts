import { isUuid } from '../../common/ids.js';
import type { HistoryCursor } from '../../database/repositories/history.statements.js';

const CURSOR = /^([\da-z]{1,9})\.([\da-f-]{36})$/;

/** A place in the list, for a link. */
export const cursorText = ({ time, txid }: HistoryCursor): string =>
  `${time.getTime().toString(36)}.${txid}`;

/** Null for what is no place: the link then opens the list where it begins. */
export function parseCursor(text: string): HistoryCursor | null {
  const [, time = '', txid = ''] = CURSOR.exec(text) ?? [];
  if (!isUuid(txid)) return null;
  return { time: new Date(Number.parseInt(time, 36)), txid };
}
