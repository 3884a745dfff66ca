import { LIMITS } from './limits.js';
import { quoted, refuse } from './refused.js';

/** @throws StatementRefusedError above the maximum length */
export function checkLength(
  what: 'account' | 'currency' | 'reference',
  text: string | null,
  where: string,
): void {
  if (text === null || text.length <= LIMITS[what]) return;
  refuse(`${where}: the ${what} ${quoted(text)} is longer than ${LIMITS[what]} characters.`);
}
