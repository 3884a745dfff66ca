import type { Stats } from 'node:fs';

const WRITABLE_BY_OTHERS = 0o022;
const ROOT = 0;

/** Whether no other user than root could have written a file, or put another one into a folder. Where no users are, nobody can tell. */
export function isKeptFromOthers({ uid, mode }: Pick<Stats, 'uid' | 'mode'>): boolean {
  const user = process.getuid?.();
  return user === undefined || ([ROOT, user].includes(uid) && (mode & WRITABLE_BY_OTHERS) === 0);
}
