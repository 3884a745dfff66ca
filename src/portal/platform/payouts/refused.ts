import { FRESH_FOR } from '../../../common/second-factor.js';
import { ERRORS } from '../../../http/errors.js';
import { Problem } from '../../../http/problem.js';
import { textOf } from '../../kit/form.js';

/**
 * Does the work, or tells why it cannot be done now, for the page on which it was asked for. Other
 * faults get a page of their own.
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

/** Why a form that asks for a fresh code is shown again. */
export const codeProblem = (form: URLSearchParams): string =>
  textOf(form, 'code') === ''
    ? `Your last code is more than ${FRESH_FOR} old. Type a new one.`
    : 'This code does not work, or no longer does. Wait for the next one.';

/** A problem of the whole form is one with the payout or the order as it is now. */
export const statusOf = (problems: object): 409 | 422 => ('form' in problems ? 409 : 422);
