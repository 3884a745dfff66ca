import { textProblem } from '../../common/text.js';
import { sepaText } from './sepa-text.js';

/** Maximum length of a name in bank files. */
export const HOLDER_MAX = 70;

/** Why a name cannot be that of an account; null if it can. A name without SEPA characters would fail its whole file. */
export function holderFault(holder: string): 'too_short' | 'too_long' | 'unreadable' | null {
  const fault = textProblem(holder, { min: 1, max: HOLDER_MAX, name: true });
  if (fault === 'too_short' || fault === 'too_long') return fault;
  return fault || sepaText(holder, HOLDER_MAX) === null ? 'unreadable' : null;
}
