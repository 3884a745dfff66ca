import type { Stats } from 'node:fs';

const WRITABLE_BY_OTHERS = 0o022;
const ROOT = 0;

/** Whether only this user and root can write a file, or add files to a folder. False where the system has no users. */
export function isKeptFromOthers({ uid, mode }: Pick<Stats, 'uid' | 'mode'>): boolean {
  const user = process.getuid?.();
  return user === undefined || ([ROOT, user].includes(uid) && (mode & WRITABLE_BY_OTHERS) === 0);
}
