import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, it } from '@jest/globals';
import { collectBankFile, statementFile } from '../collect.js';
import { LIMITS } from '../limits.js';
import { StatementRefusedError } from '../refused.js';
import { readCsvProfile } from './csv-profile.js';
import { CSV_PROFILES } from './csv-profiles.js';

const PROFILE = {
  name: 'own bank',
  ownAccount: 'DE89370400440532013000',
  currency: 'EUR',
  delimiter: ';',
  date: 'DD.MM.YYYY',
  decimal: ',',
  group: '.',
  columns: { bookedOn: 'Day', amount: 'Amount', text: ['Text', 'More'] },
};
const COLUMNS = PROFILE.columns;
const SIGN = { column: 'Sign', credit: ['H'], debit: ['S'] };
const SPLIT = { bookedOn: 'Day', debit: 'Out', credit: 'In' };
const HEADER = 'Day;Amount;Text;More;Name;Balance;Out;In\n';
const profileOf = (columns: object = COLUMNS, more: object = {}) =>
  readCsvProfile(JSON.stringify({ ...PROFILE, ...more, columns }));
const read = (text: string, profile = profileOf()) =>
  collectBankFile(statementFile(filled(text)), { profile });
/** With the empty cells that rows without quotes leave out here. */
function filled(text: string): string {
  const headers = text.match(/^.*Day;.*$/gm) ?? [];
  const width = Math.max(...headers.map((header) => header.split(';').length));
  return text.replace(/^\d\d\.\d\d\.\d+;[^"\r\n]*$/gm, (row) =>
    row.padEnd(row.length + width - row.split(';').length, ';'),
  );
}
const SIGNED = profileOf(
  { ...COLUMNS, text: ['Text'] },
  { sign: { column: 'More', credit: ['H', 'Haben'], debit: ['S', 'Soll'] } },
);
const lineOf = async (row: string, profile = profileOf()) =>
  (await read(HEADER + row, profile)).statements[0]!.lines[0]!;

describe('CSV', () => {
  it('is one statement of the account of the profile', async () => {
    const columns = { ...COLUMNS, name: 'Name', valuedOn: 'Day' };
    const { formats, statements, warnings } = await read(
      `${HEADER}20.11.2026;-1.234,5;"a; ""b""";c;Ada;;;\n21.11.2026;2,00;d\n`,
      profileOf(columns),
    );
    expect({ formats, warnings }).toEqual({ formats: ['csv'], warnings: [] });
    expect(statements).toMatchObject([
      {
        id: null,
        account: 'DE89370400440532013000',
        currency: 'EUR',
        balanced: null,
        lines: [
          {
            entry: 0,
            amount: 123_450n,
            direction: 'out',
            text: 'a; "b"\nc',
            // Another payer can have written it.
            counterparty: { name: null },
            bookedOn: '2026-11-20',
            valuedOn: '2026-11-20',
          },
          { entry: 1, amount: 200n, direction: 'in', text: 'd', kind: 'payment', status: 'booked' },
        ],
      },
    ]);
  });

  it('counts the rows before its header and those without a day', async () => {
    const { statements, warnings } = await read(
      `Account;1\n\nDay;x\n${HEADER}20.11.2026;1\nSum;1\n;2\n`,
    );
    expect(statements[0]!.lines).toHaveLength(1);
    expect(warnings.map(({ detail }) => detail)).toEqual([
      '2 rows before the header were passed over.',
      '2 rows without a day were passed over.',
    ]);
  });

  it.each([
    ['+1,5', 150n, 'in'],
    ['1,5-', 150n, 'out'],
    ['−1,50', 150n, 'out'],
    ['1.000.000', 100_000_000n, 'in'],
    [' 1 000,00 ', 100_000n, 'in'],
  ])('reads %s', async (text, amount, direction) => {
    expect(await lineOf(`20.11.2026;${text}`)).toMatchObject({ amount, direction });
  });

  it.each([
    ['20.11.2026;;;;;;3,00;', 'out'],
    ['20.11.2026;;;;;;-3,00;', 'out'],
    ['20.11.2026;;;;;;;3,00', 'in'],
    ['20.11.2026;;;;;;0,00;3,00', 'in'],
  ])('reads columns of debits and credits: %s', async (row, direction) => {
    const profile = profileOf({ bookedOn: 'Day', debit: 'Out', credit: 'In', text: [] });
    expect(await lineOf(row, profile)).toMatchObject({ amount: 300n, direction });
  });

  it.each([
    ['1', '2', '4', [200n, 500n, true]],
    ['4', '2', '1', [-100n, 700n, true]],
  ])('has balances, oldest or newest first', async (one, two, three) => {
    const profile = profileOf({ ...COLUMNS, balance: 'Balance' });
    const row = (amount: string, balance: number) => `20.11.2026;${amount},00;;;;${balance}\n`;
    const [a, b, c] = [one, two, three].map(Number) as [number, number, number];
    const up = row(one, 10 + a) + row(two, 10 + a + b) + row(three, 10 + a + b + c);
    const down = row(three, 10 + a + b + c) + row(two, 10 + a + b) + row(one, 10 + a);
    for (const rows of [up, down]) {
      const { statements } = await read(HEADER + rows, profile);
      expect(statements[0]).toMatchObject({
        openingBalance: 1000n,
        closingBalance: 1700n,
        balanced: true,
      });
    }
    const broken = await read(HEADER + up.replace(String(10 + a + b), '99'), profile);
    expect(broken.warnings.map(({ code }) => code)).toContain('not_balanced');
  });

  it.each(['\r\n', '\n', '\r', '\r\r\n'])(
    'may end its first line with %j and others not',
    async (end) => {
      const rows = '20.11.2026;1\r20.11.2026;2\n20.11.2026;3\r\n20.11.2026;4';
      const { statements } = await read(HEADER.replace('\n', end) + rows);
      expect(statements[0]!.lines.map(({ amount }) => amount)).toEqual([100n, 200n, 300n, 400n]);
    },
  );

  it('may have a balance on the last row of each day only', async () => {
    const profile = profileOf({ ...COLUMNS, balance: 'Balance' });
    const rows = '20.11.2026;5\n20.11.2026;5;;;;20,00\n21.11.2026;1\n21.11.2026;1;;;;22\n';
    const { statements, warnings } = await read(HEADER + rows, profile);
    expect(statements[0]).toMatchObject({
      openingBalance: 1000n,
      closingBalance: 2200n,
      balanced: true,
    });
    expect(warnings).toEqual([]);
  });

  it('is not balanced where the balance of one row does not fit, though the first and the last do', async () => {
    const profile = profileOf({ ...COLUMNS, balance: 'Balance' });
    const rows = '20.11.2026;5;;;;15\n20.11.2026;3;;;;99\n20.11.2026;2;;;;7\n';
    const { statements, warnings } = await read(HEADER + rows, profile);
    expect(statements[0]).toMatchObject({ balanced: false });
    expect(warnings.map(({ code }) => code)).toEqual(['not_balanced']);
  });

  it.each([
    ['H', '5,00', 'in'],
    [' haben ', '5,00', 'in'],
    ['S', '5,00', 'out'],
    ['s', '-5,00', 'out'],
  ])('has the sign %j of %s in a column of its own', async (sign, amount, direction) => {
    const row = `20.11.2026;${amount};;${sign}`;
    expect(await lineOf(row, SIGNED)).toMatchObject({ amount: 500n, direction });
  });

  it.each([
    ['', '5,00', 'Line 2: the sign "" is neither a credit nor a debit.'],
    ['?', '5,00', 'Line 2: the sign "?" is neither a credit nor a debit.'],
    ['HS', '5,00', 'Line 2: the sign "HS" is neither a credit nor a debit.'],
    ['H', '-5,00', 'Line 2: the amount is negative, and its sign says a credit.'],
  ])('is refused where the sign is %j of %s', async (sign, amount, sentence) => {
    const text = `${HEADER}20.11.2026;${amount};;${sign}`;
    await expect(read(text, SIGNED)).rejects.toThrow(sentence);
  });

  it('may have its header again, and words between its rows', async () => {
    const words = 'Pending rows\nSum;1\nAll in EUR;;x\n';
    const { statements } = await read(
      `${HEADER}20.11.2026;1\n${HEADER}${words}20.11.2026;2\nSum;x\n`,
    );
    expect(statements[0]!.lines.map(({ amount }) => amount)).toEqual([100n, 200n]);
  });

  it.each([
    'Day;Text;Amount\n20.11.2026;9000,00;1\n',
    'Date;Reference\n20.11.2026;9000,00\n',
    'Amount;Day;Text\n1,00;20.11.2026;x\n',
    'Text;;Day\n20.11.2026;9000,00\n',
  ])('names another header, and proves nothing beside it: %j', async (section) => {
    const { statements, warnings } = await read(`${HEADER}20.11.2026;1;a\n${section}`);
    expect(statements[0]).toMatchObject({ balanced: false });
    expect(warnings).toContainEqual({
      code: 'entry_skipped',
      detail: 'Line 3: the row has no day in its place.',
    });
  });

  it('is refused where two columns have a name of the profile, and not for another name', async () => {
    const header = (names: string) => `${names};Text;More\n20.11.2026;1;2;a;b\n`;
    await expect(read(header('Day;Amount;Amount'))).rejects.toThrow(
      'Line 1: two columns are called "Amount".',
    );
    const profile = profileOf({ bookedOn: 'Day', amount: 'Amount', text: ['More'] });
    expect((await read('Day;Amount;Text;Text;More\n20.11.2026;1;2;a;b', profile)).warnings).toEqual(
      [],
    );
  });

  it('announces the rows that the bank calls pending', async () => {
    const columns = { ...COLUMNS, balance: 'Balance', status: 'More' };
    const profile = profileOf(columns, { pending: ['vorgemerkt'] });
    const rows = '20.11.2026;5;;gebucht;;15\n20.11.2026;3;;UMSATZ VORGEMERKT;;\n';
    const { statements, warnings } = await read(HEADER + rows, profile);
    expect(statements[0]).toMatchObject({
      closingBalance: 1500n,
      balanced: null,
      lines: [{ status: 'booked' }, { status: 'announced', amount: 300n }],
    });
    expect(warnings).toEqual([]);
  });

  it('proves no row that the bank calls pending, and none beside it', async () => {
    const columns = { ...COLUMNS, balance: 'Balance', status: 'More' };
    const rows = [
      '20.11.2026;5,00;;gebucht;;15,00',
      '20.11.2026;3,00;;gebucht;;18,00',
      '20.11.2026;4,00;;gebucht;;22,00',
      '20.11.2026;9,00;;vorgemerkt;;',
    ];
    const profile = profileOf(columns, { pending: ['vorgemerkt'] });
    const { statements } = await read(`${HEADER}${rows.join('\n')}\n`, profile);
    expect(statements[0]!.balanced).toBe(true);
    expect([...statements[0]!.unproven!].toSorted()).toEqual([0, 2, 3]);
  });

  it('is UTF-8 by its mark, whatever the profile expects', async () => {
    const profile = profileOf(COLUMNS, { encoding: 'windows-1252' });
    const { statements } = await read(`\ufeff${HEADER}20.11.2026;1;Zoë`, profile);
    expect(statements[0]!.lines[0]).toMatchObject({ text: 'Zoë' });
  });

  it('has nobody where the bank says NOTPROVIDED', async () => {
    const profile = profileOf({ ...COLUMNS, name: 'Name', account: 'More' });
    const line = await lineOf('20.11.2026;1;NOTPROVIDED;NOTPROVIDED;NOTPROVIDED', profile);
    expect(line).toMatchObject({ text: null, counterparty: { name: null, account: null } });
  });

  it('names no payer by the own account, which some profiles take for the payer’s', async () => {
    const profile = profileOf({ ...COLUMNS, name: 'Name', account: 'More' });
    const line = await lineOf(`20.11.2026;1;x;${PROFILE.ownAccount};Paula`, profile);
    expect(line.counterparty).toEqual({
      name: 'Paula',
      account: null,
      accountType: null,
      bic: null,
    });
  });

  it('may have years of four digits where the profile has two', async () => {
    const profile = profileOf(COLUMNS, { date: 'DD.MM.YY' });
    expect(await lineOf('20.11.2026;1', profile)).toMatchObject({ bookedOn: '2026-11-20' });
  });

  it('has a row without debit and credit that is unusable', async () => {
    const profile = profileOf({ bookedOn: 'Day', debit: 'Out', credit: 'In', text: [] });
    expect(await lineOf('20.11.2026;;;;;;0,00;0,00', profile)).toMatchObject({ kind: 'unusable' });
  });

  it('may have quotes and line breaks inside of cells', async () => {
    const rows = '20.11.2026;1;"Firm "A" B";"4\n20.11. x; y";;;;\n20.11.2026;2;17" screen;;;;;\n';
    const { statements } = await read(HEADER + rows);
    expect(statements[0]!.lines.map(({ text }) => text)).toEqual([
      '"Firm "A" B"\n4 20.11. x; y',
      '17" screen',
    ]);
  });

  it.each([
    [`${HEADER}20.11.2026;1.5x`, 'Line 2: the amount "1.5x" is no decimal number.'],
    [`${HEADER}20.11.2026;`, 'Line 2: the amount "" is no decimal number.'],
    ['Day;Sum\n', 'No row has all the columns that the profile "own bank" names.'],
    [
      `${'x\n'.repeat(LIMITS.rowsBeforeHeader + 1)}${HEADER}`,
      'None of the first 1000 rows has all the columns',
    ],
    [
      HEADER + 'x\n'.repeat(LIMITS.rowsWithoutDay + 1),
      'Line 100002: there are more than 100000 rows without a day.',
    ],
    [`${HEADER}20.11.2026;10.50`, 'Line 2: the amount "10.50" is no decimal number.'],
    [`${HEADER}20.11.2026;"1\n";;;;;;`, 'is no decimal number.'],
    [`${HEADER}20.11.2026;1;a;b;;;;;x`, 'Line 2: the row has 9 cells, and the header 8.'],
    [`${HEADER}Sum;1;a;b;;;;;`, 'Line 2: the row has 9 cells, and the header 8.'],
    [`${HEADER}20.11.2026;1;"A\n20.11.2026;2;"`, 'a quote that is not closed holds a row.'],
    [`${HEADER}Sum;1\n20.11.26;1\n`, 'Line 3: "20.11.26" is no day such as DD.MM.YYYY.'],
    [`${HEADER}20.11.2026;1;"a`, 'Line 2: the row has 3 cells, and the header 8.'],
    [`${HEADER}20.11.2026;1;${'x'.repeat(LIMITS.text * 4 + 1)}`, 'The CSV is broken:'],
    [`${HEADER}20.11.2026;1;${'x'.repeat(LIMITS.text + 1)}`, 'a text is longer'],
  ])('%# is refused in one sentence', async (text, sentence) => {
    const refused: unknown = await read(text).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StatementRefusedError);
    expect((refused as Error).message).toContain(sentence);
  });

  const MOVED = 'Day;Name;Text;Amount;Currency;Note\n20.11.2026;A;a;12,00;EUR;\n';
  it.each([
    [
      'a delimiter in a text',
      '20.11.2026;P;RF1;999,00;1,00;EUR;',
      'the row has 7 cells, and the header 6.',
    ],
    [
      'a quote in a text',
      '"20.11.2026";"P";"RF1";"999,00";"1,00";"EUR";""',
      'the row has 7 cells, and the header 6.',
    ],
    // Banks that leave empty cells out have room for one more.
    [
      'a delimiter in a short row',
      '"20.11.2026";P;RF1;999,00;1,00',
      'the row has 5 cells, and the header 6.',
    ],
    [
      'delimiters without number',
      `20.11.2026;P${';'.repeat(300)}1,00;EUR;`,
      'the row has 304 cells, and the header 6.',
    ],
    [
      'quotes in two texts',
      '20.11.2026;"P;x";y;words;1,00;EUR',
      'the amount "words" is no decimal number.',
    ],
    [
      'quotes that leave a currency of words',
      '20.11.2026;"P;x";y;1,00;more than a currency;EUR',
      'is longer than 10 characters.',
    ],
  ])('has the honest rows beside one that is moved by %s', async (_, row, sentence) => {
    const columns = {
      bookedOn: 'Day',
      name: 'Name',
      text: ['Text'],
      amount: 'Amount',
      currency: 'Currency',
    };
    const profile = profileOf(columns);
    const { statements, warnings } = await read(
      `${MOVED}${row}\n20.11.2026;B;b;3,00;EUR;\n`,
      profile,
    );
    expect(statements).toMatchObject([
      {
        balanced: false,
        lines: [
          { amount: 1200n, text: 'a' },
          { amount: 300n, text: 'b' },
        ],
      },
    ]);
    expect(warnings).toEqual([
      { code: 'entry_skipped', detail: expect.stringMatching(/^Line 3: /) },
    ]);
    expect(warnings[0]!.detail).toContain(sentence);
    // Nothing but such rows is a file of another kind.
    await expect(read(MOVED.split('\n')[0] + `\n${row}`, profile)).rejects.toThrow(sentence);
  });

  const QUOTED = 'Day;Amount;Text;Note\n20.11.2026;1,00;a;\n';
  it.each([
    ['is not closed', '20.11.2026;2,00;"b;\n20.11.2026;3,00;c;\n'],
    [
      'is closed by another payer',
      '20.11.2026;2,00;"b;\n20.11.2026;3,00;c;\n20.11.2026;4,00;d";\n',
    ],
    ['is closed by the next row', '20.11.2026;2,00;"b;\n20.11.2026;3,00;c";\n'],
    ['is one of many', '20.11.2026;2,00;"b;\n20.11.2026;3,00;"c;\n20.11.2026;4,00;"d;\n'],
    ['stands in the last row', '20.11.2026;3,00;c;\n20.11.2026;2,00;"b;\n'],
    ['stands above lines without a day', '20.11.2026;2,00;"b;\nx\n\n20.11.2026;3,00;c;\n'],
  ])('hides no row below a quote of a payer that %s', async (_, rows) => {
    for (const end of ['\n', '\r\n', '\r']) {
      const profile = profileOf({ bookedOn: 'Day', amount: 'Amount', text: ['Text'] });
      const text = (QUOTED + rows).replaceAll('\n', end);
      const { statements, warnings } = await read(text, profile);
      const [statement] = statements;
      const amounts = [...rows.matchAll(/;(\d),00/g)].map(([, digit]) => BigInt(`${digit}00`));
      expect(statement!.lines.map(({ amount }) => amount)).toEqual([100n, ...amounts]);
      expect(statement!.lines.map((line) => line.text)).toContain('"b');
      expect(statement!.balanced).toBe(false);
      expect(warnings.map(({ code }) => code)).toContain('doubtful_entries');
      expect(warnings.map(({ detail }) => detail).join(' ')).toContain(
        'a quote that is not closed',
      );
    }
  });

  it.each([
    ['line ends', ''],
    ['lines of one sign', 'x'],
    ['open quotes', '"'],
  ])('is read in short turns behind an open quote: %s', async (_, line) => {
    const lag = monitorEventLoopDelay({ resolution: 5 });
    lag.enable();
    const rows = `20.11.2026;1,00;a;;;;;\n20.11.2026;1,00;"a${`${line}\n`.repeat(50_000)}`;
    expect((await read(HEADER + rows)).statements[0]!.lines[0]).toMatchObject({ text: 'a' });
    lag.disable();
    expect(lag.max / 1e6).toBeLessThan(250);
  });

  it('has texts of several lines in quotes, as its bank wrote them', async () => {
    const columns = { bookedOn: 'Day', amount: 'Amount', text: ['Text'], name: 'Name' };
    const text =
      'Name;Text;Day;Amount\n"A";"one ""two""\non 20.11.2026;x\r\n";20.11.2026;1,00\n"B;""";"\n\nlast";"20.11.2026";"2,00"\n';
    const { statements, warnings } = await read(text, profileOf(columns));
    expect(warnings).toEqual([]);
    expect(statements[0]!.lines).toMatchObject([
      { amount: 100n, text: 'one "two" on 20.11.2026;x', mayBeShifted: true },
      { amount: 200n, text: 'last', mayBeShifted: true },
    ]);
  });

  it('has the rows below one without a day in which a payer wrote the names of columns', async () => {
    const profile = profileOf({ bookedOn: 'Day', text: ['Text'], amount: 'Amount' });
    const { statements, warnings } = await read(
      'Text;Day;Amount\na;20.11.2026;1,00\n"b;20.11.2026";Day;Amount\nc;20.11.2026;3,00\n',
      profile,
    );
    expect(statements).toMatchObject([{ balanced: false, lines: [{ text: 'a' }, { text: 'c' }] }]);
    expect(warnings[0]).toEqual({
      code: 'entry_skipped',
      detail: 'Line 3: the row has no day in its place.',
    });
  });

  const BESIDE = 'Day;Text;Amount;Name;Balance\n';
  const BALANCED = profileOf({
    bookedOn: 'Day',
    amount: 'Amount',
    name: 'Name',
    text: ['Text'],
    balance: 'Balance',
  });
  const FORGED = '20.11.2026;RF1;9000,00;"x;0,01;A"';
  it.each([
    ['without a balance', [`${FORGED};`], false],
    ['as the only row with a balance', [`${FORGED};1,00`], false],
    [
      'before the balances',
      [`${FORGED};`, '20.11.2026;a;1,00;B;5,00', '20.11.2026;b;2,00;C;7,00'],
      false,
    ],
    [
      'behind the balances',
      ['20.11.2026;a;1,00;B;5,00', '20.11.2026;b;2,00;C;7,00', `${FORGED};`],
      false,
    ],
    [
      'among newer rows first',
      ['20.11.2026;b;2,00;C;7,00', '20.11.2026;a;1,00;B;5,00', `${FORGED};4,00`],
      false,
    ],
    ['between balances that fit', ['20.11.2026;a;1,00;B;5,00', `${FORGED};9005,00`], true],
    ['between balances that do not', ['20.11.2026;a;1,00;B;5,00', `${FORGED};5,01`], false],
  ])(
    'may have a delimiter in a quoted cell, and proves such a row by balances alone: %s',
    async (_, rows, isProven) => {
      const { statements } = await read(`${BESIDE}${rows.join('\n')}\n`, BALANCED);
      const { balanced, unproven, lines } = statements[0]!;
      const forged = lines.find(({ amount }) => amount === 900_000n)!;
      expect(balanced === true && !unproven!.has(forged.entry)).toBe(isProven);
      expect(forged).toMatchObject({ mayBeShifted: true, counterparty: { name: null } });
    },
  );

  /** The entries that pay by themselves. */
  const provenOf = async (rows: readonly string[], profile = BALANCED, header = BESIDE) => {
    const { statements, warnings } = await read(`${header}${rows.join('\n')}\n`, profile);
    const { balanced, unproven, lines } = statements[0]!;
    const proven = lines.filter(({ entry }) => balanced === true && !unproven!.has(entry));
    const codes = [...new Set(warnings.map(({ code }) => code))];
    return { proven: proven.map(({ amount }) => amount), balanced, codes, lines };
  };

  it('proves no sum of rows for each of them, where a payer moved their amounts', async () => {
    const header = 'Day;Text;Amount;Balance;EndToEnd;Name;IBAN\n';
    const rowOf = (text: string, amount: string, balance: string, id: string) =>
      `24.11.2026;${text};${amount};${balance};${id};Mallory;NL91ABNA0417164300`;
    const rows = [
      rowOf('Hello', '10,00', '110,00', 'E0'),
      rowOf('"RF1 x', '1,00', '111,00', 'y";1000,00;;z1'),
      rowOf('"foo', '1,00', '112,00', 'y";-998,00;;z2'),
      rowOf('Bye', '5,00', '117,00', 'E9'),
      rowOf('Rent', '7,00', '124,00', 'E8'),
    ];
    const { proven, balanced } = await provenOf(rows, BALANCED, header);
    expect({ proven, balanced }).toEqual({ proven: [700n], balanced: true });
  });

  it('proves no row that a line break of a payer made', async () => {
    const text = 'RF1;1000,00;Mallory;\n03.11.2026;x;-1000,00;M;\n03.11.2026;bye';
    const rows = [
      '03.11.2026;Rent;10,00;Anna;110,00',
      `03.11.2026;${text};1,00;Mallory;111,00`,
      '03.11.2026;Rent;5,00;Berta;116,00',
      '03.11.2026;Rent;6,00;Berta;122,00',
    ];
    expect(await provenOf(rows)).toMatchObject({ proven: [500n, 600n] });
    // With balances of his own, which the account does not have.
    const known = text.replace('Mallory;', 'Mallory;1005,00').replace('M;', 'M;5,00');
    expect(
      await provenOf([rows[0]!, `03.11.2026;${known};1,00;Mallory;111,00`, rows[2]!]),
    ).toMatchObject({
      proven: [],
      balanced: false,
    });
  });

  it.each([
    ['a line break', 'h\ri'],
    ['a line break and words of two columns', 'Text;Amount\nName;Day'],
    ['a line break and the rest of a quote', '"A\n20.11.2026;2;"'],
    ['a line break and a row of blanks', 'h\n;;;;'],
    ['a delimiter', 'h;i'],
    ['what is too long', 'x'.repeat(LIMITS.text + 1)],
  ])('is read where a payer broke a row by %s', async (_, text) => {
    const rows = [
      '20.11.2026;a;1,00;B;5,00',
      '20.11.2026;b;2,00;C;7,00',
      `20.11.2026;${text};3,00;M;10,00`,
      '20.11.2026;c;4,00;D;14,00',
    ];
    const { proven, balanced, codes, lines } = await provenOf(rows);
    expect({ proven, balanced }).toEqual({ proven: [], balanced: false });
    expect(codes).toContain('entry_skipped');
    const amounts = lines.map(({ amount }) => amount);
    for (const honest of [100n, 200n, 400n]) expect(amounts).toContain(honest);
  });

  it.each([
    ['an amount of words', 'words'],
    ['more decimals than its currency has', '3,000'],
    ['two signs', '-3,00-'],
  ])('is read where a row has %s', async (_, amount) => {
    const rows = ['20.11.2026;a;1,00;B;5,00', `20.11.2026;b;${amount};C;8,00`];
    const { balanced, codes, lines } = await provenOf(rows);
    expect({ balanced, codes }).toEqual({ balanced: false, codes: ['entry_skipped'] });
    expect(lines.map((line) => line.amount)).toEqual([100n]);
  });

  it.each([
    ['with a debit read as a credit, oldest first', '9,00;100,00', '9,00;91,00', []],
    ['with a debit read as a credit, newest first', '9,00;91,00', '9,00;100,00', []],
    ['with a credit, oldest first', '9,00;91,00', '8,00;99,00', [800n]],
    ['with a credit, newest first', '8,00;99,00', '9,00;91,00', [800n]],
  ])('proves equal amounts of one day in no order: %s', async (_, one, other, proven) => {
    const rows = [one, other].map((each) => `20.11.2026;a;${each.replace(';', ';N;')}`);
    const found = await provenOf(rows);
    expect(found.proven).toEqual(proven);
    expect(found.codes).toEqual(proven.length > 0 ? [] : ['order_unknown']);
  });

  it('has an order by its days, where amounts are equal', async () => {
    const rows = (first: string, second: string) => [
      `${first};a;9,00;N;91,00`,
      `${second};a;9,00;N;100,00`,
    ];
    const [one, other] = ['20.11.2026', '21.11.2026'];
    expect(await provenOf(rows(one!, other!))).toMatchObject({ proven: [900n], balanced: true });
    // The newest row is the first, so that each of them took money.
    expect(await provenOf(rows(other!, one!))).toMatchObject({ proven: [], balanced: false });
  });

  it('reads no thousands as decimals', async () => {
    const rows = ['20.11.2026;a;1,000;N;10,000', '20.11.2026;b;1,000;N;11,000'];
    await expect(provenOf(rows)).rejects.toThrow('the amount "1,000" has more decimals than EUR');
    const yen = profileOf({ ...BALANCED.columns }, { currency: 'JPY' });
    await expect(provenOf(rows, yen)).rejects.toThrow('has more decimals than JPY');
  });

  it('is read where a payer writes what looks like a sign, or like the change of amounts', async () => {
    const header = 'Day;Text;Amount;Name;Balance;Note\n';
    const rows = ['20.11.2026;a;29,00;A;129,00;', '20.11.2026;b;30,00;M;159,00;1,00'];
    expect((await provenOf(rows, BALANCED, header)).proven).toEqual([3000n]);
    const own = ['20.11.2026;a;29,00;M;129,00;S', '20.11.2026;b;30,00;M;159,00;S'];
    expect((await provenOf(own, BALANCED, header)).proven).toEqual([3000n]);
  });

  it('proves nothing without balances', async () => {
    const text = 'Day;Betrag (Cent);State\n20.11.2026;500;DECLINED\n';
    const columns = { bookedOn: 'Day', amount: 'Betrag (Cent)', status: 'State' };
    const profile = profileOf(columns, { pending: ['PENDING'] });
    const { statements } = await read(text, profile);
    expect(statements[0]!.balanced).toBe(null);
  });

  it.each([
    ['Currency', 'USD', [0, 1, 2]],
    ['Currency', 'EUR', [0]],
    ['Kind', 'TOP', [0]],
  ])(
    'of a profile with a constant currency proves no row whose unused column %s has %s',
    async (name, cell, unproven) => {
      const profile = profileOf({ ...COLUMNS, balance: 'Balance' });
      const rows = [
        '20.11.2026;10,00;;;;1010,00',
        '21.11.2026;5,07;;;;1015,07',
        '22.11.2026;1,00;;;;1016,07',
      ];
      const more = name === 'Kind' ? ['CARD', cell, cell] : [cell, cell, cell];
      const text = `${HEADER.trim()};${name}\n${rows.map((row, n) => `${row};${more[n]!}`).join('\n')}\n`;
      const { statements, warnings } = await read(text, profile);
      expect([...statements[0]!.unproven!]).toEqual(unproven);
      expect(warnings.map(({ code }) => code)).toEqual(
        unproven.length > 1 ? ['another_currency'] : [],
      );
    },
  );

  const PAID = '21.11.2026;507;;;;101507';
  it.each([
    ['nothing where no number has decimals', PAID, {}, 0],
    ['its amounts where one has', '21.11.2026;507,0;;;;101507', {}, 1],
    ['its amounts where one balance has', '21.11.2026;507;;;;101507,00', {}, 1],
    ['its amounts where the currency has no cents', PAID, { currency: 'JPY' }, 1],
    [
      'nothing where a payer may have moved what has',
      `${PAID}\n21.11.2026;1,;"a;b";;;101508;;`,
      {},
      0,
    ],
  ])('of a profile that somebody wrote proves %s', async (_, row, more, proven) => {
    const profile = profileOf({ ...COLUMNS, balance: 'Balance' }, more);
    const text = `${HEADER}20.11.2026;1000;;;;101000\n${row}\n`;
    const { statements, warnings } = await read(text, profile);
    expect(statements[0]!.balanced).toBe(proven === 1 ? true : null);
    if (proven === 1) expect([...statements[0]!.unproven!]).toEqual([0]);
    expect(warnings.map(({ code }) => code)).toEqual(proven === 1 ? [] : ['no_decimals']);
  });

  it('comes along for banks that many have', async () => {
    const [sparkasse, wise] = CSV_PROFILES;
    const german = await collectBankFile(
      {
        bytes: Buffer.from(
          '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Glaeubiger ID";"Mandatsreferenz";"Kundenreferenz (End-to-End)";"Sammlerreferenz";"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"BIC (SWIFT-Code)";"Betrag";"Waehrung";"Info"\n"DE1";"20.11.26";"21.11.26";"GUTSCHR";"RF1";"";"";"NOTPROVIDED";"";"M\u00fcller";"DE89370400440532013000";"COBADEFFXXX";"1.149,90";"EUR";"Umsatz gebucht"\n"DE1";"21.11.26";"";"";"";"";"";"";"";"";"";"";"5,00";"EUR";"Umsatz vorgemerkt"\n',
          'latin1',
        ),
      },
      { profile: sparkasse },
    );
    expect(german.statements[0]!.lines[1]).toMatchObject({ status: 'announced' });
    expect(german.statements[0]!.lines[0]).toMatchObject({
      bookedOn: '2026-11-20',
      status: 'booked',
      amount: 114_990n,
      endToEndId: null,
      counterparty: { name: 'Müller', account: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
    });
    const text =
      '"TransferWise ID",Date,Amount,Currency,Description,"Payment Reference","Running Balance","Payer Name"\nT-1,20-11-2026,12.30,GBP,Received,RF1,15.00,Ada\n';
    const other = await collectBankFile(statementFile(text), { profile: wise });
    expect(other.statements[0]).toMatchObject({
      currency: 'GBP',
      openingBalance: 270n,
      lines: [{ amount: 1230n, currency: 'GBP', bankReference: 'T-1', text: 'Received\nRF1' }],
    });
  });
});

describe('a profile', () => {
  it.each([
    ['[]', 'is no JSON object'],
    ['{', 'is no JSON: '],
    [{ ...PROFILE, ownAccount: undefined }, '"ownAccount" must be'],
    [{ ...PROFILE, group: ',' }, '"group" must be another sign'],
    [{ ...PROFILE, date: 'DD.MM' }, '"date" must be'],
    [{ ...PROFILE, datum: '' }, 'unknown field "datum"'],
    [{ ...PROFILE, columns: 1 }, '"columns" must be an object'],
    [{ ...PROFILE, columns: { ...COLUMNS, amount: undefined } }, 'either "amount" or both'],
    [{ ...PROFILE, columns: { ...COLUMNS, debit: 'Out' } }, 'either "amount" or both'],
    [{ ...PROFILE, columns: { ...COLUMNS, text: 'Text' } }, '"columns.text" must be a list'],
    [{ ...PROFILE, columns: { ...COLUMNS, sum: 'Sum' } }, 'unknown field "columns.sum"'],
    [{ ...PROFILE, columns: { amount: 'Amount' } }, '"columns.bookedOn" must be'],
    [{ ...PROFILE, columns: { ...COLUMNS, status: 'Info' } }, '"pending" must be there with'],
    [{ ...PROFILE, columns: { ...COLUMNS, balance: 'Amount' } }, 'names the column "Amount" twice'],
    [{ ...PROFILE, columns: { ...COLUMNS, amount: 'Day' } }, 'names the column "Day" twice'],
    [
      { ...PROFILE, columns: { ...COLUMNS, amount: 'Saldo nach Buchung' } },
      'The column "Saldo nach Buchung" looks like a balance: name it as "columns.balance".',
    ],
    [{ ...PROFILE, columns: { ...COLUMNS, amount: 'Neuer Stand' } }, 'looks like a balance'],
    [{ ...PROFILE, sign: 'S' }, '"sign" must be an object'],
    [{ ...PROFILE, sign: { ...SIGN, column: '' } }, '"sign.column" must be the name of a column'],
    [{ ...PROFILE, sign: { ...SIGN, column: 'Amount' } }, 'names the column "Amount" twice'],
    [
      { ...PROFILE, columns: { ...PROFILE.columns, text: Array<string>(21).fill('Text') } },
      '"columns.text" must be a list of at most 20 names',
    ],
    [
      { ...PROFILE, columns: { ...PROFILE.columns, name: 'x'.repeat(141) } },
      '"columns.name" must be the name of a column',
    ],
    [
      { ...PROFILE, sign: { ...SIGN, credit: Array.from({ length: 21 }, (_, n) => `C${n}`) } },
      '"sign.credit" must be a list of 1 to 20 words',
    ],
    [
      { ...PROFILE, sign: { ...SIGN, credit: [] } },
      '"sign.credit" must be a list of 1 to 20 words',
    ],
    [
      { ...PROFILE, sign: { ...SIGN, debit: [' '] } },
      '"sign.debit" must be a list of 1 to 20 words',
    ],
    [{ ...PROFILE, sign: { ...SIGN, debit: ['s', 'h'] } }, '"H" is either a credit or a debit'],
    [{ ...PROFILE, sign: { ...SIGN, other: 1 } }, 'unknown field "sign.other"'],
    [
      { ...PROFILE, columns: { ...SPLIT, text: [] }, sign: SIGN },
      '"sign" must be there only with "columns.amount"',
    ],
    [{ ...PROFILE, pending: ['open'] }, '"pending" must be there with'],
    [
      { ...PROFILE, columns: { ...COLUMNS, status: 'Info' }, pending: [] },
      '"pending" must be a list of 1 to 20 words',
    ],
  ])('%# is refused with the field that is wrong', (profile, sentence) => {
    const json = typeof profile === 'string' ? profile : JSON.stringify(profile);
    expect(() => readCsvProfile(json)).toThrow(sentence);
  });
});
