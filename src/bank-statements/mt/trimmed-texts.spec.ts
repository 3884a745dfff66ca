import { describe, expect, it } from '@jest/globals';
import { collectBankFile, statementFile } from '../collect.js';

const ACCOUNT = 'DE89370400440532013000';
const WIDTH = 35;
const FORGED = '9999,00';

/** How a bank writes details that wraps a text, trims the ends of its lines, and guards no starts. */
const trimmed = (...lines: readonly string[]): string =>
  lines
    .map((line) => line.padEnd(WIDTH))
    .join('')
    .match(/.{1,35}/g)!
    .map((line) => line.trimEnd())
    .join('\n');

const cents = (amount: string): number => Number(amount.replace(',', ''));
const decimal = (amount: number): string => (amount / 100).toFixed(2).replace('.', ',');

interface Entry {
  readonly mark?: 'C' | 'D';
  readonly amount: string;
  readonly details: string;
}
const paid = (amount: string, ...lines: readonly string[]): Entry => ({
  amount,
  details: trimmed(...lines),
});
const ONE_CENT = '0,01';
const HONEST = paid('5,00', 'Invoice 1 RF71BOOK2026 thank you');
const LAST = paid('7,00', 'Invoice 2');

const entryOf = ({ mark = 'C', amount, details }: Entry): string =>
  `:61:2611201120${mark}${amount}NTRFNONREF\n:86:${details}\n`;

const HEADS = {
  mt940: `:20:R1\n:25:${ACCOUNT}\n:28C:12/1\n:60F:C261119EUR100,00\n`,
  mt942: `:20:R1\n:25:${ACCOUNT}\n:28C:12/1\n:34F:EUR0,\n:13D:2611201200+0100\n`,
};

/** An honest statement or report, with whatever its payers wrote. */
function written(entries: readonly Entry[], format: keyof typeof HEADS = 'mt940'): string {
  const sum = entries.reduce(
    (all, { mark, amount }) => all + (mark === 'D' ? -cents(amount) : cents(amount)),
    10_000,
  );
  const end = format === 'mt940' ? `:62F:C261120EUR${decimal(sum)}\n` : ':90C:1EUR5,\n';
  return `${HEADS[format]}${entries.map(entryOf).join('')}${end}-\n`;
}

const read = (...args: Parameters<typeof written>) =>
  collectBankFile(statementFile(written(...args)));

const provenOf = ({ statements }: Awaited<ReturnType<typeof read>>) =>
  statements
    .filter(({ balanced }) => balanced === true)
    .flatMap(({ lines }) => lines.map(({ amount }) => amount));

describe('details that a bank wraps and trims', () => {
  const come = paid(ONE_CENT, 'x', `:61:261120C${FORGED}NTRFX`, 'RF18539007547034');
  const go = paid(ONE_CENT, 'x', `:61:261120D${FORGED}NTRFX`);

  it.each([
    ['next to each other', [come, go]],
    ['the other way round', [go, come]],
    ['with others between them', [come, HONEST, LAST, HONEST, LAST, HONEST, LAST, go]],
    [
      'with details',
      [paid(ONE_CENT, 'x', `:61:261120C${FORGED}NTRFX`, ':86:RF18539007547034'), go],
    ],
    [
      'of three',
      [
        come,
        paid(ONE_CENT, 'x', ':61:261120D9990,00NTRFX'),
        HONEST,
        paid(ONE_CENT, 'x', ':61:261120D9,00NTRFX'),
      ],
    ],
    [
      'in one text',
      [paid(ONE_CENT, 'x', `:61:261120C${FORGED}NTRFX`, 'RF18', `:61:261120D${FORGED}NTRFX`)],
    ],
  ])('prove no entries that cancel out in texts of several payments: %s', async (_, texts) => {
    const file = await read([HONEST, ...texts, LAST]);
    expect(file.statements).toMatchObject([{ balanced: false }]);
    expect(file.warnings).toMatchObject([{ code: 'doubtful_entries' }]);
    expect(file.statements[0]!.lines).toContainEqual(
      expect.objectContaining({ text: 'Invoice 1 RF71BOOK2026 thank you' }),
    );
  });

  it('are proven where nothing cancels out', async () => {
    const back: Entry = { mark: 'D', amount: '3,00', details: 'Fee' };
    expect(provenOf(await read([HONEST, back, LAST]))).toEqual([500n, 300n, 700n]);
  });

  const begin = [':20:A', `:25:${ACCOUNT}`, ':60F:C261120EUR0,'];
  const last = ['x', ':62F:C261120EUR9999,02', ':20:B', `:25:${ACCOUNT}`];
  const forged = [`:61:261120C${FORGED}NTRFX`, 'RF18539007547034', ':86:'];
  it.each([
    ['mt940', 'that was not closed', ['x', ...begin]],
    ['mt940', 'that seems closed', ['x', ':62F:C261120EUR1,', ...begin]],
    ['mt942', 'that has no end', ['x', ...begin]],
    ['mt942', 'that seems closed', ['x', ':90C:1EUR1,', ...begin]],
  ] as const)('prove no statement in a %s %s', async (format, _, first) => {
    const texts = [first, ['x', ...forged], last].map((lines) => paid(ONE_CENT, ...lines));
    const file = await read([HONEST, ...texts, LAST], format);
    expect(provenOf(file)).not.toContain(999_900n);
    const words = file.statements.flatMap(({ lines }) => lines.map(({ text }) => text));
    expect(words).toEqual(
      expect.arrayContaining(['Invoice 1 RF71BOOK2026 thank you', 'Invoice 2']),
    );
  });

  it('prove the statement behind one that balances end', async () => {
    const text = written([HONEST, LAST]);
    const { statements } = await collectBankFile(statementFile(text + text));
    expect(statements.map(({ balanced }) => balanced)).toEqual([true, true]);
  });

  it('prove no statement behind one that was cut off', async () => {
    const [cut, next] = [written([HONEST, LAST]), written([HONEST])];
    const { statements } = await collectBankFile(
      statementFile(cut.replace(/:62F:.*\n-\n/, '') + next + next),
    );
    expect(statements.map(({ balanced }) => balanced)).toEqual([null, null, null]);
  });

  it.each([
    ['mt940', [':20:A', ':28C:1']],
    ['mt940', [':20:A', ':34F:EUR0,']],
    ['mt940', [':20:A', ':25:', ':60F:C261120EUR0,']],
    ['mt942', [':20:A', ':28C:1']],
    ['mt942', [':20:A', ':60F:C261120EUR0,']],
  ] as const)(
    'are text of an %s where they begin a statement of no account: %j',
    async (format, head) => {
      const file = await read([HONEST, paid(ONE_CENT, 'x', ...head), LAST], format);
      const honest = await read([HONEST, paid(ONE_CENT, 'x'), LAST], format);
      const summaryOf = ({ statements, warnings }: typeof file) => ({
        warnings,
        statements: statements.map(({ lines, ...statement }) => ({
          ...statement,
          lines: lines.map(({ amount, status }) => [amount, status]),
        })),
      });
      expect(summaryOf(file)).toEqual(summaryOf(honest));
      expect(file.statements[0]!.lines[1]!.text).toBe(['x', ...head].join(' '));
    },
  );

  it.each([
    ['behind what looks like the last balance', [':62F:C261120EUR1,', ':20:A', ':28C:1']],
    ['twice', [':20:A', ':25:1', ':20:B', ':28C:1']],
    ['behind what looks like the end', ['-', ':20:A', ':28C:1']],
    ['with an account that is too long', [':20:A', `:25:${'1'.repeat(141)}`]],
  ])('lose no entry where they begin a statement of no account, %s', async (_, lines) => {
    const details = lines.join('\n');
    const file = await read([HONEST, { amount: ONE_CENT, details: `x\n${details}` }, LAST]);
    expect(file.statements.map(({ account }) => account)).not.toContain(null);
    const all = file.statements.flatMap((statement) => statement.lines);
    expect(all.map(({ amount, status }) => [amount, status])).toEqual([
      [500n, 'booked'],
      [1n, 'booked'],
      [700n, 'booked'],
    ]);
  });

  it('only announce nothing where they begin a report within a statement', async () => {
    const texts = paid(ONE_CENT, 'x', ':20:A', `:25:${ACCOUNT}`, ':34F:EUR0,');
    const file = await read([HONEST, texts, LAST]);
    expect(file.formats).toEqual(['mt940']);
    expect(file.statements.flatMap(({ lines }) => lines)).toEqual([
      expect.objectContaining({ amount: 500n, status: 'booked' }),
      expect.objectContaining({ amount: 1n, status: 'booked' }),
      expect.objectContaining({ amount: 700n, status: 'booked' }),
    ]);
    expect(provenOf(file)).toEqual([]);
  });
});
