import { randomBytes, randomFillSync } from 'node:crypto';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const TOKEN_BYTES = 24;
/** 24 bytes in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{32}$/;

const POOL_BYTES = 4096;
const SEED_BYTES = 4;
const TAIL_BYTES = 6;
const TIME_BYTES = 6;
const TIME_MAX = 2 ** 48 - 1;

const pool = Buffer.alloc(POOL_BYTES);
let poolOffset = POOL_BYTES;

let lastMs = -1;
let lastTime = '';
let counter = 0;

/**
 * A UUID of version 7 (RFC 9562): 48 bits of Unix time in milliseconds, a 26-bit counter (section
 * 6.2, method 1) and 48 random bits. Ids made in one process for the same millisecond ascend.
 * @throws RangeError for a time that does not fit.
 */
export function uuidv7(nowMs: number): string {
  if (nowMs === lastMs) counter++;
  else startMillisecond(nowMs);
  const high = (0x7000 | (counter >>> 14)).toString(16);
  const low = (0x8000 | (counter & 0x3fff)).toString(16);
  const tail = takeRandom(TAIL_BYTES);
  return `${lastTime}-${high}-${low}-${pool.toString('hex', tail, tail + TAIL_BYTES)}`;
}

/**
 * Normalises a UUID of any version to lower case, as the database writes it, so that equal ids are equal texts. Trims
 * white space; null for any other text.
 */
export function uuidOf(text: string): string | null {
  const id = text.trim();
  return UUID.test(id) ? id.toLowerCase() : null;
}

/** Smaller than every version 7 UUID of this millisecond, and greater than those of all earlier ones. */
export function uuidBefore(timeMs: number): string {
  const hex = timeMs.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** An unguessable token in base64url; 24 bytes are 192 bits in 32 characters. */
export function randomToken(bytes = TOKEN_BYTES): string {
  return randomBytes(bytes).toString('base64url');
}

/**
 * A token of 144 random bits after a 48-bit time, so that consecutive tokens are adjacent in an index.
 * @throws RangeError for a time that does not fit.
 */
export function tokenAt(nowMs: number): string {
  assertTime(nowMs);
  const bytes = randomBytes(TOKEN_BYTES);
  bytes.writeUIntBE(nowMs, 0, TIME_BYTES);
  return bytes.toString('base64url');
}

/** Whether a text has the format of a token; avoids useless lookups. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

function assertTime(ms: number): void {
  if (!Number.isInteger(ms) || ms < 0 || ms > TIME_MAX) {
    throw new RangeError('time does not fit 48 bits');
  }
}

function startMillisecond(nowMs: number): void {
  assertTime(nowMs);
  lastMs = nowMs;
  const hex = nowMs.toString(16).padStart(12, '0');
  lastTime = `${hex.slice(0, 8)}-${hex.slice(8)}`;
  // The top bit starts as 0: room for 33 million ids in one millisecond.
  counter = pool.readUInt32BE(takeRandom(SEED_BYTES)) >>> 7;
}

/** Offset of fresh random bytes in the pool: one system call serves hundreds of ids. */
function takeRandom(bytes: number): number {
  if (poolOffset + bytes > POOL_BYTES) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  poolOffset += bytes;
  return poolOffset - bytes;
}

/** An id for fields that allow only letters and digits. */
export const withoutDashes = (id: string): string => id.replaceAll('-', '');

/** Path parameter for the newest resource, instead of an id. DELETE does not accept it. */
export const NEWEST = 'newest';
