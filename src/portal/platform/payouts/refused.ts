import { ERRORS } from '../../../common/errors.js';
import { Problem } from '../../../common/problem.js';

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
