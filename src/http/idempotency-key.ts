export const IDEMPOTENCY_KEY_LENGTH_MAX = 255;

export class InvalidIdempotencyKeyError extends Error {
  override readonly name = 'InvalidIdempotencyKeyError';
}

// A string item of RFC 9651, section 3.3.3, without parameters.
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;
const PRINTABLE = /^[ -~]+$/;

/**
 * Key of an `Idempotency-Key` header, bare or as a structured-field string; both forms are the same key. Undefined
 * without the header.
 * @throws InvalidIdempotencyKeyError with a sentence for the client.
 */
export function parseIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string') throw new InvalidIdempotencyKeyError('Send the header once.');
  const key = header.startsWith('"') ? unquote(header) : bare(header);
  if (key === '') throw new InvalidIdempotencyKeyError('The key is empty.');
  if (!PRINTABLE.test(key)) throw new InvalidIdempotencyKeyError('Use printable ASCII only.');
  if (key.length > IDEMPOTENCY_KEY_LENGTH_MAX) {
    throw new InvalidIdempotencyKeyError(`Use at most ${IDEMPOTENCY_KEY_LENGTH_MAX} characters.`);
  }
  return key;
}

function unquote(header: string): string {
  const [, content] = QUOTED.exec(header) ?? [];
  if (content === undefined) {
    throw new InvalidIdempotencyKeyError(
      'A quoted key is one string of printable ASCII; write \\" for " and \\\\ for \\ in it.',
    );
  }
  return content.replace(/\\(.)/g, '$1');
}

function bare(header: string): string {
  // Node joins repeated headers like this, and it is unclear which key is meant.
  if (header.includes(', ')) {
    throw new InvalidIdempotencyKeyError('Send the header once; quote a key that contains ", ".');
  }
  return header;
}
