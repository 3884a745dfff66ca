import { UnavailableError } from '../overload/errors.js';

/** The database is unreachable. */
export class DatabaseUnavailableError extends UnavailableError {
  override readonly name = 'DatabaseUnavailableError';

  /** @param cause error of the driver or the network */
  constructor(cause?: unknown, message = 'The database cannot be reached or is busy.') {
    super(message, { cause });
  }
}
