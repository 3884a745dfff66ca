import { BankImportService } from '../../src/bank/import/import.service.js';
import type { TestApp } from './app.js';

export interface CodedEntry {
  readonly direction: 'in' | 'out';
  /** Minor units of euros. */
  readonly amount: number;
  /** Transaction type of :61:, for example `NTRF`, or `NRTI` of a return. */
  readonly type: string;
  /** German booking code, for example `166`, or `159` of a returned transfer. */
  readonly code: string;
  readonly purpose: string;
  readonly iban: string;
}

const SUBFIELD = /.{1,27}/g;
const decimal = (minor: number): string => (minor / 100).toFixed(2).replace('.', ',');

/** An account whose bank reports each booking in an MT940 statement of its own; the statements follow in balance. */
export function germanAccount(app: TestApp, account: string) {
  let [number, balance] = [0, 100_000];
  return async ({ direction, amount, type, code, purpose, iban }: CodedEntry): Promise<void> => {
    const day = app.clock.now().toISOString().slice(2, 10).replaceAll('-', '');
    const opening = balance;
    balance += direction === 'in' ? amount : -amount;
    const sign = direction === 'in' ? 'C' : 'D';
    const subfields = purpose.match(SUBFIELD)!.map((part, at) => `?${20 + at}${part}`);
    const text = [
      `:20:S${++number}`,
      `:25:${account}`,
      `:28C:${number}/1`,
      `:60F:C${day}EUR${decimal(opening)}`,
      `:61:${day}${day.slice(2)}${sign}${decimal(amount)}${type}NONREF//B${number}`,
      `:86:${code}?00TEXT${subfields.join('')}?30ABNANL2A?31${iban}?32PAULA PAYER`,
      `:62F:C${day}EUR${decimal(balance)}`,
      '-',
    ].join('\r\n');
    const options = { mode: 'test', name: 'a.sta', source: 'folder' } as const;
    await app.get(BankImportService).import({ bytes: Buffer.from(text) }, options);
  };
}
