import { FRESH_FOR } from '../../../common/second-factor.js';
import { ERRORS } from '../../../http/problems/errors.js';
import { Problem } from '../../../http/problems/problem.js';
import { textOf } from '../../kit/form.js';

/**
 * Runs the action and returns the message of a 403 or 409 problem, to be shown on the same page. Rethrows other errors.
 */
export async function refused(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (!(error instanceof Problem) || (error.status !== 403 && error.status !== 409)) throw error;
    return `${ERRORS[error.code].title}. ${error.detail}`;
  }
}

/** Message for a missing or wrong code. */
export const codeProblem = (form: URLSearchParams): string =>
  textOf(form, 'code') === ''
    ? `Your last code is older than ${FRESH_FOR}. Enter a new one.`
    : 'This code is invalid or expired. Wait for the next one.';

/** A problem of the whole form is a conflict with the current state of the payout or order. */
export const statusOf = (problems: object): 409 | 422 => ('form' in problems ? 409 : 422);
