import type { TestApp } from './app.js';
import { camtFile, type WrittenEntry, type WrittenStatement } from './bank-file.js';
import { OWN_ACCOUNT } from './bank-lines.js';

/** Writes statements of `OWN_ACCOUNT` whose balances and amounts no other test of the file has. */
export function accountFiles(app: TestApp) {
  let files = 0;
  let amounts = 1_000;
  const dayOff = (days: number): string =>
    new Date(app.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
  const statement = (...entries: WrittenEntry[]): WrittenStatement => ({
    account: OWN_ACCOUNT,
    day: dayOff(0),
    id: `S${++files}`,
    opening: files * 10_000_000,
    entries,
  });
  const camt =
    (message: '052' | '053' | '054') =>
    (...entries: WrittenEntry[]): string =>
      camtFile(message, statement(...entries));
  return { dayOff, newAmount: (): number => (amounts += 100), statement, camt };
}
