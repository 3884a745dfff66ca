/** The database is unreachable or overloaded. A retry may succeed later; over HTTP it is a 503. */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = 'DatabaseUnavailableError';

  /** @param cause error of the driver or the network */
  constructor(cause?: unknown, message = 'The database cannot be reached or is busy.') {
    super(message, { cause });
  }
}

/** The queue for the database is full, or the work waited too long. */
export class OverloadedError extends DatabaseUnavailableError {
  override readonly name = 'OverloadedError';

  constructor(message = 'The database is busy with other requests.') {
    super(undefined, message);
  }
}
