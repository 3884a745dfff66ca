import { argon2, type Argon2Parameters, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { composedText } from '../../common/normalized-text.js';
import { isSameSecret } from '../../common/same-secret.js';

/** OWASP's second recommendation: 19 MiB, two passes. About 40 ms. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
const SALT_BYTES = 16;

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

const derive = promisify(argon2) as (
  algorithm: 'argon2id',
  parameters: Argon2Parameters,
) => Promise<Buffer>;

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

/** @returns PHC string with algorithm, cost, salt and hash */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES);
  const tag = await derive('argon2id', { ...COST, message: composed(password), nonce });
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`;
}

/** Matches no password, so that unknown users take as long as known ones. */
const DUMMY_HASH = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Takes constant time, also for a user who does not exist (null). */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(hash ?? DUMMY_HASH) ?? [];
  if (!salt || !tag) throw new Error('a password hash cannot be read');
  const expected = Buffer.from(tag, 'base64');
  const actual = await derive('argon2id', {
    message: composed(password),
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  });
  return isSameSecret(actual, expected) && hash !== null;
}

/** Unicode normalisation, since keyboards encode the same letter differently (NIST SP 800-63B, 3.1.1.2). */
const composed = (password: string): Buffer => Buffer.from(composedText(password));
