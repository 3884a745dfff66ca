/** The work cannot be done now. A retry may succeed later; over HTTP it is a 503. */
export abstract class UnavailableError extends Error {}

/** A queue is full, or the work waited too long. */
export class OverloadedError extends UnavailableError {
  override readonly name = 'OverloadedError';

  constructor(message = 'The database is busy with other requests.') {
    super(message);
  }
}
