import { isUtf8 } from 'node:buffer';

/** Maximum nesting; a body of this service needs three. */
export const JSON_DEPTH_MAX = 32;
/** Maximum members and entries of a body; the largest of this service has about forty. */
export const JSON_VALUES_MAX = 200;

export type MalformedJsonReason =
  | 'empty'
  | 'not_utf8'
  | 'too_deep'
  | 'too_many_values'
  | 'syntax'
  | 'duplicate_key'
  | 'forbidden_key';

export class MalformedJsonError extends Error {
  override readonly name = 'MalformedJsonError';

  constructor(readonly reason: MalformedJsonReason) {
    super(`malformed JSON: ${reason}`);
  }
}

/**
 * Parses JSON strictly, so that two parsers cannot disagree: valid UTF-8 without a byte order mark, no duplicate keys,
 * no `__proto__` key, nesting of at most JSON_DEPTH_MAX, and at most JSON_VALUES_MAX values after a comma.
 * @throws MalformedJsonError
 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new MalformedJsonError('empty');
  if (!isUtf8(bytes)) throw new MalformedJsonError('not_utf8');
  const membersWritten = scan(bytes);
  const value = parse(bytes.toString());
  // JSON.parse keeps one of two duplicate keys, so fewer members result than were written.
  if (countMembers(value) !== membersWritten) throw new MalformedJsonError('duplicate_key');
  return value;
}

/** Rejects deep nesting and too many values before parsing. Returns the number of members of all objects. */
function scan(bytes: Buffer): number {
  let depth = 0;
  let [members, commas] = [0, 0];
  for (let i = 0; i < bytes.length; i++) {
    switch (bytes[i]!) {
      case 0x22: // "
        i = endOfString(bytes, i);
        break;
      case 0x3a: // :
        members++;
        break;
      case 0x2c: // ,
        if (++commas >= JSON_VALUES_MAX) throw new MalformedJsonError('too_many_values');
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > JSON_DEPTH_MAX) throw new MalformedJsonError('too_deep');
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
    }
  }
  return members;
}

function endOfString(bytes: Buffer, start: number): number {
  let i = start + 1;
  while (i < bytes.length && bytes[i] !== 0x22) i += bytes[i] === 0x5c ? 2 : 1; // " and \
  return i;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new MalformedJsonError('syntax');
  }
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countMembers(item), 0);
  let count = 0;
  for (const [key, member] of Object.entries(value)) {
    if (key === '__proto__') throw new MalformedJsonError('forbidden_key');
    count += 1 + countMembers(member);
  }
  return count;
}
