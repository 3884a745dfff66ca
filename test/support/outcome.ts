import { violatedUnique } from '../../src/database/faults.js';
import { Problem } from '../../src/http/problems/problem.js';
import { UnavailableError } from '../../src/overload/errors.js';

/** `ok`, or the code of the problem. */
export type Outcome = string;

/** How it ended; whatever is no answer to the caller is thrown on. */
export async function outcomeOf(act: () => Promise<unknown>): Promise<Outcome> {
  try {
    await act();
    return 'ok';
  } catch (error) {
    if (violatedUnique(error) === 'transfers_reversed_once') return 'reversed before';
    if (error instanceof UnavailableError) return 'unavailable';
    if (!(error instanceof Problem)) throw error;
    return error.code;
  }
}
