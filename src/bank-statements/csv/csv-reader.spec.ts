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
            counterparty: { name: 'Ada' },
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
    const row = (amount: string, balance: number) => `20.11.2026;${amount};;;;${balance}\n`;
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
    const rows = '20.11.2026;5\n20.11.2026;5;;;;20\n21.11.2026;1\n21.11.2026;1;;;;22\n';
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
  ])('is refused where rows of other columns follow: %j', async (section) => {
    const refused = read(`${HEADER}20.11.2026;1;a\n${section}`);
    await expect(refused).rejects.toThrow('Line 3: another header stands here, and rows below it.');
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

  it.each([
    ['oldest first', '20.11.2026;10;7\n20.11.2026;15;5\n20.11.2026;13;-2\n20.11.2026;20;7\n'],
    ['newest first', '20.11.2026;20;7\n20.11.2026;13;2\n20.11.2026;15;5\n20.11.2026;10;1\n'],
  ])('is refused where the amounts are the balances, %s', async (_, rows) => {
    const profile = profileOf({ bookedOn: 'Day', amount: 'Value', text: [] });
    await expect(read(`Day;Value;Turnover\n${rows}`, profile)).rejects.toThrow(
      'The column "Value" holds balances: from row to row it changes by what stands in column 3.',
    );
    const right = profileOf({ bookedOn: 'Day', amount: 'Turnover', text: [] });
    expect((await read(`Day;Value;Turnover\n${rows}`, right)).statements[0]!.lines).toHaveLength(4);
  });

  it.each([
    ['oldest first', '20.11.2026;5000;1\n20.11.2026;5055;55\n'],
    ['newest first', '20.11.2026;5055;55\n20.11.2026;5000;1\n'],
  ])('is refused where the amounts of two rows are balances, %s', async (_, rows) => {
    const profile = profileOf({ bookedOn: 'Day', amount: 'Value', text: [] });
    await expect(read(`Day;Value;Turnover\n${rows}`, profile)).rejects.toThrow(
      'The column "Value" holds balances',
    );
  });

  it('may have an amount that is the change of another one in what payers write, or in balances that fit', async () => {
    const texts = '20.11.2026;5;x;;;;;\n20.11.2026;15;10;;;;;\n';
    expect((await read(HEADER + texts)).statements[0]!.lines).toHaveLength(2);
    const balances = '20.11.2026;5;;;;5\n20.11.2026;10;;;;15\n';
    const profile = profileOf({ ...COLUMNS, balance: 'Balance' });
    expect((await read(HEADER + balances, profile)).statements[0]!.balanced).toBe(true);
  });

  it.each(['S', ' d ', 'Soll', 'DBIT', 'Af'])(
    'is refused where %j stands beside money that came',
    async (debit) => {
      const rows = `20.11.2026;7;a;H\n20.11.2026;5;b;${debit}\n`;
      const sentence = `Line 3: ${JSON.stringify(debit)} in column 4 says that money went out`;
      const profile = profileOf({ ...COLUMNS, text: ['Text'] });
      await expect(read(HEADER + rows, profile)).rejects.toThrow(sentence);
      const signed = rows.replace(';5;', ';-5;');
      expect((await read(HEADER + signed, profile)).statements[0]!.lines).toHaveLength(2);
      const others = `${rows}20.11.2026;5;b;transfer\n`;
      expect((await read(HEADER + others, profile)).statements[0]!.lines).toHaveLength(3);
    },
  );

  it('may have amounts that follow each other by chance', async () => {
    const rows = [8, 4, 2, 1, 1, 2, 4].map((amount) => `20.11.2026;${amount};0;1\n`).join('');
    const profile = profileOf({ bookedOn: 'Day', amount: 'Value', text: [] });
    const { statements } = await read(`Day;Value;Fee;Number\n${rows}`, profile);
    expect(statements[0]!.lines).toHaveLength(7);
  });

  it('announces the rows that the bank calls pending', async () => {
    const columns = { ...COLUMNS, balance: 'Balance', status: 'More' };
    const profile = profileOf(columns, { pending: ['vorgemerkt'] });
    const rows = '20.11.2026;5;;gebucht;;15\n20.11.2026;3;;UMSATZ VORGEMERKT;;\n';
    const { statements, warnings } = await read(HEADER + rows, profile);
    expect(statements[0]).toMatchObject({
      closingBalance: 1500n,
      balanced: true,
      lines: [{ status: 'booked' }, { status: 'announced', amount: 300n }],
    });
    expect(warnings).toEqual([]);
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
    [
      `${HEADER}20.11.2026;1;"A\n20.11.2026;2;B\n20.11.2026;3;C 17";d`,
      'a quote that is not closed holds a row.',
    ],
    [
      `${HEADER}20.11.2026;1;"A\n20.11.2026;2;C 17" screen`,
      'a quote that is not closed holds a row.',
    ],
    [`${HEADER}Sum;1\n20.11.26;1\n`, 'Line 3: "20.11.26" is no day such as DD.MM.YYYY.'],
    [`${HEADER}20.11.2026;1;"a`, 'The CSV is broken:'],
    [`${HEADER}20.11.2026;1;${'x'.repeat(LIMITS.text + 1)}`, 'a text is longer'],
  ])('%# is refused in one sentence', async (text, sentence) => {
    const refused: unknown = await read(text).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StatementRefusedError);
    expect((refused as Error).message).toContain(sentence);
  });

  const MOVED = 'Day;Name;Text;Amount;Currency;Note\n20.11.2026;A;a;12,00;EUR;\n';
  it.each([
    ['a delimiter in a text', '20.11.2026;P;RF1;999,00;1,00;EUR;', 7],
    ['a quote in a text', '"20.11.2026";"P";"RF1";"999,00";"1,00";"EUR";""', 7],
    // Banks that leave empty cells out have room for one more.
    ['a delimiter in a short row', '"20.11.2026";P;RF1;999,00;1,00', 5],
  ])('is refused where %s moves the amount', async (_, row, cells) => {
    const profile = profileOf({ bookedOn: 'Day', name: 'Name', text: ['Text'], amount: 'Amount' });
    expect((await read(MOVED, profile)).statements[0]!.lines).toHaveLength(1);
    await expect(read(MOVED + row, profile)).rejects.toThrow(
      `Line 3: the row has ${cells} cells, and the header 6.`,
    );
  });

  const BESIDE = 'Day;Text;Amount;Name;Balance\n';
  const FORGED = '20.11.2026;RF1;9000,00;"x;0,01;A"';
  it.each([
    ['without a balance', [`${FORGED};`], null],
    ['as the only row with a balance', [`${FORGED};1,00`], null],
    [
      'before the balances',
      [`${FORGED};`, '20.11.2026;a;1,00;B;5,00', '20.11.2026;b;2,00;C;7,00'],
      null,
    ],
    [
      'behind the balances',
      ['20.11.2026;a;1,00;B;5,00', '20.11.2026;b;2,00;C;7,00', `${FORGED};`],
      null,
    ],
    [
      'among newer rows first',
      ['20.11.2026;b;2,00;C;7,00', '20.11.2026;a;1,00;B;5,00', `${FORGED};4,00`],
      null,
    ],
    ['between balances that fit', ['20.11.2026;a;1,00;B;5,00', `${FORGED};9005,00`], true],
    ['between balances that do not', ['20.11.2026;a;1,00;B;5,00', `${FORGED};5,01`], false],
  ])(
    'may have a delimiter in a quoted cell, and proves such a row by balances alone: %s',
    async (_, rows, balanced) => {
      const profile = profileOf({
        bookedOn: 'Day',
        amount: 'Amount',
        name: 'Name',
        text: ['Text'],
        balance: 'Balance',
      });
      const { statements } = await read(`${BESIDE}${rows.join('\n')}\n`, profile);
      expect(statements[0]!.balanced).toBe(balanced);
      expect(statements[0]!.lines).toContainEqual(expect.objectContaining({ amount: 900_000n }));
    },
  );

  it('of a profile that somebody wrote proves nothing without balances', async () => {
    const text = 'Day;Betrag (Cent);State\n20.11.2026;500;DECLINED\n';
    const columns = { bookedOn: 'Day', amount: 'Betrag (Cent)', status: 'State' };
    const profile = profileOf(columns, { pending: ['PENDING'] });
    const { statements } = await read(text, profile);
    expect(statements[0]).toMatchObject({ balanced: null, lines: [{ needsBalance: true }] });
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
    expect(german.statements[0]!.lines[0]).not.toHaveProperty('needsBalance');
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
    [{ ...PROFILE, sign: { ...SIGN, credit: [] } }, '"sign.credit" must be a list of words'],
    [{ ...PROFILE, sign: { ...SIGN, debit: [' '] } }, '"sign.debit" must be a list of words'],
    [{ ...PROFILE, sign: { ...SIGN, debit: ['s', 'h'] } }, '"H" is either a credit or a debit'],
    [{ ...PROFILE, sign: { ...SIGN, other: 1 } }, 'unknown field "sign.other"'],
    [
      { ...PROFILE, columns: { ...SPLIT, text: [] }, sign: SIGN },
      '"sign" must be there only with "columns.amount"',
    ],
    [{ ...PROFILE, pending: ['open'] }, '"pending" must be there with'],
    [
      { ...PROFILE, columns: { ...COLUMNS, status: 'Info' }, pending: [] },
      '"pending" must be a list of words',
    ],
  ])('%# is refused with the field that is wrong', (profile, sentence) => {
    const json = typeof profile === 'string' ? profile : JSON.stringify(profile);
    expect(() => readCsvProfile(json)).toThrow(sentence);
  });
});
