import { describe, expect, it } from '@jest/globals';
import { collectBankFile, statementFile } from '../collect.js';
import { LIMITS } from '../limits.js';
import { StatementRefusedError } from '../refused.js';
import type { StatementLine } from '../statement.js';

const HEAD = ':20:R1\n:25:DE89370400440532013000\n:28C:12/1\n:60F:C261119EUR100,00\n';
const TAIL = ':62F:C261120EUR100,00\n';
const read = (text: string) => collectBankFile(statementFile(text));

async function linesOf(entries: string, head = HEAD): Promise<readonly StatementLine[]> {
  const { statements } = await read(`${head}${entries}\n${TAIL}-\n`);
  return statements.flatMap(({ lines }) => lines);
}

const lineOf = async (entry: string): Promise<StatementLine> => (await linesOf(entry))[0]!;
const detailsOf = (details: string): Promise<StatementLine> =>
  lineOf(`:61:2611201120C1,00NTRFNONREF\n:86:${details}`);

describe('MT940', () => {
  it.each([
    ['plain', (text: string) => text],
    [
      'with blocks of SWIFT',
      (text: string) => `{1:F01BANK}{2:I940BANKN}{4:\r\n${text.replaceAll('\n', '\r\n')}-}{5:}`,
    ],
    [
      'with blocks of SWIFT that do not end',
      (text: string) => `{1:F01BANK}{2:I940BANKN}{4:\n${text}`,
    ],
    ['with control characters', (text: string) => `\u0001\n${text}-\u0003`],
    [
      'with headers of a bank and its own end',
      (text: string) => `0000 01BANK00001\n940 00\n:940:\n${text}-XXX\n`,
    ],
    ['without an end', (text: string) => text],
    ['with ends of old computers', (text: string) => text.replaceAll('\n', '\r')],
  ])('%s is a statement with balances', async (_, wrapped) => {
    const text = `${HEAD}:61:261120D40,NTRFNONREF//B1\n:86:Rent\n:62F:C261120EUR60,\n:86:of all\n`;
    const { formats, statements, warnings } = await read(wrapped(text));
    expect({ formats, warnings }).toEqual({ formats: ['mt940'], warnings: [] });
    expect(statements).toMatchObject([
      {
        id: 'R1',
        sequence: '12/1',
        account: 'DE89370400440532013000',
        currency: 'EUR',
        openingBalance: 10_000n,
        closingBalance: 6_000n,
        balanced: true,
        lines: [{ amount: 4_000n, direction: 'out', text: 'Rent', bankReference: 'B1' }],
      },
    ]);
  });

  it('may be a page of several, or have several statements with one name and no end between', async () => {
    const page = (opening: string, closing: string) =>
      `:20:R\n:25:1\n:28C:5/2\n:60${opening}:C261119EUR1,\n:61:261120C1,NTRF\n:62${closing}:C261120EUR2,\n`;
    const { statements } = await read(page('F', 'M') + page('M', 'F'));
    expect(
      statements.map(({ balanced, lines }) => [balanced, lines.length, lines[0]!.entry]),
    ).toEqual([
      [true, 1, 0],
      [true, 1, 0],
    ]);
  });

  it('is a statement also with the time of a report', async () => {
    const { formats, statements } = await read(
      `:20:R\n:13D:2611201200+0100\n:60F:C261119EUR1,\n:61:261120C1,NTRF\n${TAIL}`,
    );
    expect(formats).toEqual(['mt940']);
    expect(statements[0]!.lines[0]).toMatchObject({ status: 'booked' });
  });

  it('says that balances do not fit, and what they lack', async () => {
    const { statements, warnings } = await read(`${HEAD}:62F:C261120EUR99,5\n`);
    expect(statements[0]).toMatchObject({ balanced: false });
    expect(warnings).toEqual([
      {
        code: 'not_balanced',
        detail: 'Statement 0: the entries lead 0.5 beyond the closing balance.',
      },
    ]);
  });

  it('has no balances that fit where they are of several currencies', async () => {
    const { statements, warnings } = await read(
      ':20:R\n:25:1\n:60F:C261119JPY1,\n:61:261120C1,NTRF\n:62F:C261120EUR2,\n',
    );
    expect(statements[0]).toMatchObject({ balanced: false });
    expect(warnings).toEqual([
      {
        code: 'not_balanced',
        detail: 'Statement 0: its balances and entries are in several currencies: "JPY", "EUR".',
      },
    ]);
  });

  it.each([
    ['D261119EUR100,00', -10_000n],
    ['C261119EUR000000001000,00', 100_000n],
    ['C261119JPY7', 7n],
    ['C261119DEM7,', null],
  ])('opens with %s', async (balance, expected) => {
    const { statements } = await read(`:20:R\n:25:1\n:60F:${balance}\n${TAIL}`);
    expect(statements[0]!.openingBalance).toBe(expected);
  });

  it.each([
    ['DE89370400440532013000EUR', 'DE89370400440532013000'],
    ['DE89370400440532013000/EUR', 'DE89370400440532013000'],
    ['50880050/0194787400888', '50880050/0194787400888'],
    ['0001234567', '0001234567'],
  ])('is of the account %s', async (account, expected) => {
    const { statements } = await read(`:20:R\n:25:${account}\n${TAIL}`);
    expect(statements[0]!.account).toBe(expected);
  });

  it.each([
    [`:20:R\n:60F:C26EUR\n${TAIL}`, 'Line 2: "C26EUR" is no balance.', false],
    [`${HEAD}:61:26112X\n${TAIL}`, 'Line 5: "26112X" is no entry.', false],
    [`${HEAD}:61:261320C1,NTRF\n${TAIL}`, 'Line 5: "261320" is no day.', false],
    [
      `${HEAD}:61:261120C1.000,50NTRF\n${TAIL}`,
      'Line 5: the amount "1.000,50" is no decimal number.',
      false,
    ],
    [`:61:261120C1,NTRF\n${HEAD}${TAIL}`, 'Line 1: :61: stands outside of a statement.', true],
    [`${HEAD}:61:2611209999C1,NTRF\n${TAIL}`, 'Line 5: "9999" is no day.', false],
    [`${HEAD}:61:261120C1\n${TAIL}`, 'Line 5: "261120C1" is no entry.', false],
    [`${HEAD}:61:261120C1,00NTR\n${TAIL}`, 'Line 5: "261120C1,00NTR" is no entry.', false],
    [`${HEAD}:62F:C26EUR\n`, 'Line 5: "C26EUR" is no balance.', false],
    [
      `${HEAD}:61:261120C1,NTRF\n:86:a`,
      'Statement 0, "R1", has no closing balance (:62F: or :62M:): the file may be cut off.',
      null,
    ],
    [`${HEAD}${TAIL}-\n:61:261120C1,NTRF\n`, 'Statement 0, "R1", has no closing balance', null],
    [
      `{1:F01BANK}{2:I942BANKN}{4:\n:20:R\n:34F:EUR0,\n`,
      'The message at line 1 has no end: the file may be cut off.',
      null,
    ],
    [
      ':20:R\n:34F:EUR0,\n-\n:20:S\n:34F:EUR0,\n',
      'Statement 1, "S", has no end, as others have: the file may be cut off.',
      null,
    ],
  ])(
    '%# is read with a warning, and proven only when nothing is missing',
    async (text, sentence, balanced) => {
      const { statements, warnings } = await read(text);
      expect(warnings.map(({ detail }) => detail).join(' ')).toContain(sentence);
      expect(statements[0]).toMatchObject({ balanced });
    },
  );

  it.each([
    ['MT940', HEAD, TAIL],
    ['MT942', ':20:R1\n:25:DE89370400440532013000\n:28C:1\n:34F:EUR0,\n', ':90C:2EUR126,\n-\n'],
  ])(
    '%s that is cut anywhere has all entries before, and says that it is cut',
    async (_, head, end) => {
      const first = ':61:2611201120C123,00NTRFNONREF//B1\n:86:166?00GUTSCHRIFT?20SVWZ+Invoice';
      const entries = `${first} 1\n${first.replace('123,00', '3,')} 2\n`;
      for (let length = 0; length <= entries.length; length++) {
        const { statements, warnings } = await read(head + entries.slice(0, length));
        const amounts = statements.flatMap(({ lines }) => lines.map(({ amount }) => amount));
        const whole = [12_300n, 300n].slice(0, entries.slice(0, length).split('NTRF').length - 1);
        expect({ length, amounts }).toEqual({ length, amounts: whole });
        expect(statements[0]!.balanced).not.toBe(true);
        if (whole.length > 0) expect(warnings.at(-1)!.detail).toContain('the file may be cut off');
      }
      const all = await read(head + entries + end);
      expect(all.warnings.filter(({ code }) => code !== 'not_balanced')).toEqual([]);
    },
  );

  it('has the honest lines before and behind one that cannot be read, and nothing of it', async () => {
    const { statements, warnings } = await read(
      `${HEAD}:61:261120C1,NTRF\n:86:a\n:61:26112X\n:86:b\n:61:261120C2,NTRF\n:86:c\n:62F:C261120EUR103,\n`,
    );
    expect(statements[0]).toMatchObject({
      balanced: false,
      lines: [
        { amount: 100n, text: 'a' },
        { amount: 200n, text: 'c' },
      ],
    });
    expect(warnings).toEqual([{ code: 'entry_skipped', detail: 'Line 7: "26112X" is no entry.' }]);
  });

  it.each([
    [`${HEAD}:86:${'x'.repeat(LIMITS.text + 1)}`, 'A line is longer than 10000 characters.'],
    [`${HEAD}:61:261120C1,NTRF\n:86:${'x\n'.repeat(501)}`, 'a field has more than 500 lines.'],
    [
      `${HEAD}:61:261120C1,NTRF\n${':86:x\n'.repeat(501)}`,
      'an entry has more than 500 lines of details.',
    ],
    [
      `${HEAD}:61:261120C1,NTRF\n:86:${`${'x'.repeat(9_000)}\n`.repeat(5)}`,
      'Line 10: a field has more than 40000 characters.',
    ],
    [
      `${HEAD}:61:261120C1,NTRF\n${`:86:${'x'.repeat(9_000)}\n`.repeat(5)}`,
      'an entry has more than 40000 characters of details.',
    ],
  ])('%# is refused in one sentence', async (text, sentence) => {
    const refused: unknown = await read(text).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StatementRefusedError);
    expect((refused as Error).message).toContain(sentence);
  });
});

describe('MT942', () => {
  it('only announces', async () => {
    const { formats, statements } = await read(
      ':20:R\n:25:1\n:28C:1\n:34F:EUR0,\n:13D:2611201200+0100\n:61:261120C5,NTRF\n:86:a\n:90C:1EUR5,\n-\n',
    );
    expect(formats).toEqual(['mt942']);
    expect(statements).toMatchObject([
      {
        currency: 'EUR',
        balanced: null,
        lines: [{ status: 'announced', amount: 500n, currency: 'EUR' }],
      },
    ]);
  });

  it('does not make a statement behind it one', async () => {
    const { formats, statements } = await read(
      `:20:R\n:25:1\n:34F:EUR0,\n-\n${HEAD}:61:261120C1,NTRF\n${TAIL}`,
    );
    expect(formats).toEqual(['mt942', 'mt940']);
    expect(statements[1]!.lines[0]).toMatchObject({ status: 'booked' });
  });
});

describe('an entry', () => {
  it.each([
    ['C1,00NTRF', 'in', false, 'booked', 'payment'],
    ['D1,00NTRF', 'out', false, 'booked', 'payment'],
    ['RC1,00NTRF', 'out', true, 'booked', 'reversal'],
    ['RD1,00NTRF', 'in', true, 'booked', 'reversal'],
    ['EC1,00NTRF', 'in', false, 'announced', 'payment'],
    ['ED1,00NTRF', 'out', false, 'announced', 'payment'],
    ['CR1,00NTRF', 'in', false, 'booked', 'payment'],
    ['RCR1,00NTRF', 'out', true, 'booked', 'reversal'],
    ['CD1,00NDEF', 'in', false, 'booked', 'payment'],
    ['DD1,00NDEF', 'out', false, 'booked', 'payment'],
    ['C1,00NRTIKREF+//2016', 'in', false, 'booked', 'return'],
    ['C0,00NTRF', 'in', false, 'booked', 'unusable'],
  ])('%s moves the money %s', async (mark, direction, reversal, status, kind) => {
    const line = await lineOf(`:61:2611201120${mark}NONREF`);
    expect(line).toMatchObject({ direction, reversal, status, kind });
  });

  it.each([
    ['500,', 50_000n],
    ['500', 50_000n],
    ['000000000025,1', 2_510n],
    ['1,234', null],
  ])('of %s is exact', async (amount, expected) => {
    expect(await lineOf(`:61:261120C${amount}NTRF`)).toMatchObject({ amount: expected });
  });

  it.each([
    ['2611201119', '2026-11-19', '2026-11-20'],
    ['2701021231', '2026-12-31', '2027-01-02'],
    ['2612310102', '2027-01-02', '2026-12-31'],
    ['261120', null, '2026-11-20'],
    ['261120    ', null, '2026-11-20'],
    ['991231', null, '1999-12-31'],
    ['2602300301', '2026-03-01', '2026-02-28'],
  ])('dated %s is booked on %s', async (dates, bookedOn, valuedOn) => {
    expect(await lineOf(`:61:${dates}C1,NTRF`)).toMatchObject({ bookedOn, valuedOn });
  });

  it('has the references of both sides, and none where the bank says so', async () => {
    const line = await lineOf(':61:261120C1,NTRF29-07-2014 10:05//B4//G');
    expect(line).toMatchObject({
      bankReference: 'B4//G',
      identifiers: { entryReference: '29-07-2014 10:05', entryBankReference: null },
    });
    expect(await lineOf(':61:261120C1,NTRFNONREF//B4')).toMatchObject({
      bankReference: 'B4',
      identifiers: { entryReference: null, entryBankReference: 'B4' },
    });
    expect(await lineOf(':61:261120C1,NTRFNONREF//')).toMatchObject({
      bankReference: null,
      text: null,
      identifiers: { entryReference: null },
    });
  });
});

describe('what it was paid for', () => {
  it('has no end where a name goes on in a line such as -OHG', async () => {
    const [one, two] = await linesOf(
      ':61:261120C1,NTRF\n:86:166?20SVWZ+a?31DE89370400440532013000?32MUELLER\n-OHG\n:61:261120C1,NTRF\n:86:b',
    );
    expect(one!.counterparty.name).toBe('MUELLER-OHG');
    expect(two!.text).toBe('b');
  });

  it('is whole in the German way, wherever the bank breaks lines', async () => {
    const line = await detailsOf(
      '166?00GUTSCHRIFT?100399?20EREF+E 1?21 01?22\nSVWZ+RF18 5390 07?2354 7034?30DRESDEFF508?31DE8937\n0400440532013000?32KARL?33        KAUFMANN?60 and more?',
    );
    expect(line).toMatchObject({
      endToEndId: 'E 1 01',
      text: 'RF18 5390 0754 7034 and more',
      counterparty: {
        name: 'KARL KAUFMANN',
        account: 'DE89370400440532013000',
        accountType: 'iban',
        bic: 'DRESDEFF508',
      },
    });
  });

  it.each([
    [
      '051?00X?20Rent?21 May?3050060400?310847564700?32M',
      {
        text: 'Rent May',
        counterparty: { account: '0847564700', accountType: 'domestic', bic: null },
      },
    ],
    [
      '166?20EREF+NOTPROVIDED?21SVWZ+R1?31123?38DE89370400440532013000',
      { endToEndId: null, text: 'R1', counterparty: { account: 'DE89370400440532013000' } },
    ],
    [
      '159?20EREF+T 1?21MTLG:No account',
      { endToEndId: 'T 1', kind: 'return', text: 'EREF+T 1MTLG:No account' },
    ],
    ['109?20SVWZ+R', { kind: 'return', returned: true }],
    ['160?20SVWZ+R', { kind: 'return' }],
    ['181?20SVWZ+R', { kind: 'return' }],
    ['184?20SVWZ+R', { kind: 'return' }],
    ['171?20SVWZ+R', { kind: 'collection' }],
    ['198?20SVWZ+R', { kind: 'collection' }],
    ['105?20SVWZ+R', { kind: 'collection' }],
    ['189?20ANZAHL 12', { kind: 'batch_total' }],
    ['194?20EREF+E1?21SVWZ+R', { kind: 'payment' }],
    ['194?20SVWZ+R?31DE89370400440532013000', { kind: 'payment' }],
    [
      '166?20SVWZ+ok? 1?50 or?21? RF1?222 to be?31DE89370400440532013000?32A?33?B',
      { text: 'ok? 1?50 or? RF12 to be', counterparty: { name: 'A?B' } },
    ],
    ['166?20SVWZ+to?\n be', { text: 'to? be' }],
    ['051^00X^20a^b?', { text: 'a^b?' }],
    ['166?99a', { text: '166?99a' }],
    ['166?20R1?21EREF+E1?22SVWZ+', { text: 'R1', endToEndId: 'E1' }],
    ['166?20R1?21EREF+E1?22SVWZ+R2', { text: 'R1\nR2' }],
    [
      '166?20EREF+E1SV?21WZ+ARABIC+ SACRED+R?22ABWA+Z',
      { text: 'ARABIC+ SACRED+R\nABWA+Z', endToEndId: 'E1' },
    ],
    ['166?20EREF+NOTPROVIDED?21CRED+C?22SVWZ+R', { text: 'R\nCRED+C', endToEndId: null }],
    [
      '166?20IBAN+DE89370400440532013000?21BIC+COBADEFFXXX?22SVWZ+R',
      {
        text: 'IBAN+DE89370400440532013000BIC+COBADEFFXXX\nR',
        counterparty: { account: null, bic: null },
      },
    ],
    [
      '166?20SVWZ+NOTPROVIDED?30NOTPROVIDED?31NOTPROVIDED?32NOTPROVIDED',
      { text: null, counterparty: { name: null, account: null, accountType: null, bic: null } },
    ],
    [
      '166~20SVWZ+R~31DE89370400440532013000~32N',
      { text: 'R', counterparty: { account: 'DE89370400440532013000', name: 'N' } },
    ],
  ])('%s is completedPosition', async (details, expected) => {
    expect(await detailsOf(details)).toMatchObject(expected);
  });

  it('has what marks between slashes say', async () => {
    const line = await detailsOf(
      '/EREF/01-01-2013 0030/ORDP//NAME/CONTRA ACCOUN\nT HOLDER/REMI/Invoice 7/ISDT/2013-07-11',
    );
    expect(line).toMatchObject({
      endToEndId: '01-01-2013 0030',
      text: 'Invoice 7',
      counterparty: { name: 'CONTRA ACCOUNT HOLDER' },
    });
    const other = await detailsOf(
      '/TRCD/1/CNTP/NL91ABNA0417164300/INGBNL2A/ADA///REMI/STRD/CUR/RF18539007547034/\n/EREF/NOTPROVIDED',
    );
    expect(other).toMatchObject({
      endToEndId: null,
      references: [{ type: 'CUR', value: 'RF18539007547034' }],
      counterparty: { name: 'ADA', account: 'NL91ABNA0417164300', bic: 'INGBNL2A' },
    });
    const named = await detailsOf(
      '/TRCD/1/CNTP/NL91ABNA0417164300/INGBNL2A/R/IBAN/NO9386011117947/NAME/M/RTRN/AC04///REMI/USTD//R/',
    );
    expect(named).toMatchObject({
      kind: 'payment',
      counterparty: { name: 'R', account: 'NL91ABNA0417164300', bic: 'INGBNL2A' },
    });
    expect(await detailsOf('/RTRN/AC04/REMI/USTD//text/')).toMatchObject({
      kind: 'return',
      text: 'text',
    });
  });

  it.each([
    [
      '/EREF/E/ORDP//NAME/J/REMI/a/ID/4711 b/ADDR/c/ISDT/2026-11-20',
      { text: 'a/ID/4711 b/ADDR/c\n/EREF/E/ORDP//NAME/J' },
    ],
    ['/EREF/2026/ID/77//ORDP//NAME/JOHN ARCHIBALD DOE/REMI/a', { endToEndId: '2026/ID/77' }],
    ['/EREF/E//ORDP//NAME/J/ID/7/ADDR/1 Long Street, Town/REMI/a', { counterparty: { name: 'J' } }],
    [
      '/EREF/E/OCMT/USD1,/EXCH/1,1/CHGS/EUR1,/ORDP//NAME/J/REMI/a',
      {
        endToEndId: null,
        text: 'a\n/EREF/E/OCMT/USD1,/EXCH/1,1/CHGS/EUR1,/ORDP//NAME/J',
        counterparty: { name: 'J' },
      },
    ],
    ['/BENM//NAME/WE/ORDP//NAME/J/REMI/a', { counterparty: { name: 'J' } }],
    ['/BENM//NAME/WE/REMI/a', { counterparty: { name: null } }],
    ['/RTRN/AC04/BENM//NAME/J/REMI/a', { counterparty: { name: 'J' } }],
    ['/ORDP/J/ADDR/s/REMI/a', { counterparty: { name: 'J' } }],
    ['/NAME/J/REMI/a', { counterparty: { name: 'J' } }],
  ])('has what %s says', async (details, expected) => {
    expect(await detailsOf(details)).toMatchObject(expected);
  });

  it('was for whom the bank calls the payee when money went out', async () => {
    const said = ':86:/ORDP//NAME/WE/BENM//NAME/THEY/REMI/a';
    expect(await lineOf(`:61:261120D1,NTRF\n${said}`)).toMatchObject({
      counterparty: { name: 'THEY' },
    });
    const back = ':86:/ORDP//NAME/THEY/REMI/a';
    expect(await lineOf(`:61:261120RC1,NTRF\n${back}`)).toMatchObject({
      counterparty: { name: 'THEY' },
    });
  });

  it('has what stands below the entry, and in all its details', async () => {
    const below = ':61:261120C1,NTRFNONREF//B\n/OCMT/USD1,/\nRF18539007547034\nNL91ABNA0417164300';
    expect(await lineOf(`${below}\n:86:Incoming\n:86:KID 1`)).toMatchObject({
      text: 'Incoming KID 1\nRF18539007547034\nNL91ABNA0417164300',
      counterparty: { account: null },
    });
    const marked = `${below}\n:86:/NAME/ADA/REMI/Incoming`;
    expect(await lineOf(marked)).toMatchObject({
      text: 'Incoming\nRF18539007547034\nNL91ABNA0417164300',
      counterparty: { account: null },
    });
    expect(await detailsOf('166?20SVWZ+R?31DE89370400440532013000?32ADA\n:86:more')).toMatchObject({
      text: 'R\nmore',
      counterparty: { name: 'ADA' },
    });
  });

  it('has an account below the entry at the one bank that is known to put it there', async () => {
    const entry = ':61:261120C1,NTRFNONREF\nNL91ABNA0417164300';
    const [rabobank, others] = [HEAD.replace(':20:R1', ':20:940S261120'), HEAD];
    const accountsOf = async (head: string, details: string) => {
      const lines = await linesOf(`${entry}\n${details}`, head);
      return lines.map(({ counterparty: { account }, text }) => [account, text]);
    };
    const details = [':86:/ORDP//NAME/ADA/REMI/R', ':86:166?00X?20SVWZ+R'];
    for (const each of details) {
      expect(await accountsOf(rabobank, each)).toEqual([['NL91ABNA0417164300', 'R']]);
      expect(await accountsOf(others, each)).toEqual([[null, 'R\nNL91ABNA0417164300']]);
    }
    expect(await accountsOf(rabobank, ':86:R')).toEqual([[null, 'R\nNL91ABNA0417164300']]);
    const behind = `${others}${entry}\n${details[0]}\n${TAIL}-\n${rabobank}`;
    expect((await accountsOf(behind, details[0]!)).map(([account]) => account)).toEqual([
      null,
      null,
    ]);
  });

  it('is what stands there in the words of any other bank', async () => {
    const cut = 'x'.repeat(65);
    expect((await detailsOf(`${cut}\ny\n${' '.repeat(65)}\nz`)).text).toBe(`${cut}y z`);
    const counter = 'REK: NL91ABNA0417164300/NAAM: MMS ONLINE B.V.';
    const entry = `:61:2611201120C1,NTRF\n:86:1216 ORDER\n${counter}`;
    const atKnab = `{1:F01KNABNL2HAXXX0000000000}{2:I940KNABNL2HXXXXN3020}{4:\n${HEAD}`;
    const [known] = await linesOf(entry, atKnab);
    expect(known!.counterparty).toMatchObject({
      account: 'NL91ABNA0417164300',
      name: 'MMS ONLINE B.V.',
    });
    const elsewhere = await lineOf(entry);
    expect(elsewhere).toMatchObject({
      text: `1216 ORDER ${counter}`,
      counterparty: { account: null, name: null },
    });
    const [twice] = await linesOf(`${entry}\n${counter}`, atKnab);
    expect(twice!.counterparty).toMatchObject({ account: null, name: null });
  });
});

describe('a long row of one sign', () => {
  const slashes = `${'/'.repeat(9_900)}\n`.repeat(3);

  it.each([
    ['behind a mark', `:61:261120C1,NTRF\n:86:/NAME/${slashes}x\n`.repeat(5)],
    [
      'behind the kind of a reference',
      `:61:261120C1,NTRF\n:86:/REMI/STRD/A${slashes}x\u2028\ny\n`.repeat(5),
    ],
    ['behind an end', `-}${' '.repeat(9_990)}\u2028x\n`.repeat(100)],
  ])('%s is read in no time', async (_, text) => {
    const started = performance.now();
    const file = text.startsWith('-') ? `${HEAD}${TAIL}${text}` : `${HEAD}${text}${TAIL}`;
    expect((await read(file)).statements).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe('a payer’s text', () => {
  const A = 'RF18539007547034';
  const B = 'RF71BOOK2026';
  const BANKS = '?30COBADEFFXXX?31DE89370400440532013000?32ADA';

  it.each([
    // In the end-to-end id, where marks follow each other in one text, and where each begins a field.
    [
      `166?20EREF+ASVWZ+${A}?21SVWZ+${B}${BANKS}`,
      { endToEndId: null, text: `EREF+ASVWZ+${A}SVWZ+${B}` },
    ],
    [
      `166?20EREF+A KREF+${B}?21SVWZ+hello${BANKS}`,
      { endToEndId: null, text: `EREF+A KREF+${B}SVWZ+hello` },
    ],
    // In the text, with the bank's own mark before it or not.
    [
      `166?20SVWZ+RF18539 KREF+${B}?21 SVWZ+007547034${BANKS}`,
      { endToEndId: null, text: `RF18539 KREF+${B} SVWZ+007547034` },
    ],
    [
      `166?20SVWZ+a IBAN+NO9386011117947?21 BIC+X${BANKS}`,
      { text: 'a IBAN+NO9386011117947 BIC+X' },
    ],
    [`166?20SVWZ+a?21EREF+E2${BANKS}`, { endToEndId: null, text: 'aEREF+E2' }],
    // Signs with the numbers of fields, before those of the bank.
    [`166?20SVWZ+?31NO9386011117947?32M?21more${BANKS}`, { text: '?31NO9386011117947?32Mmore' }],
    [`166?20SVWZ+?31NO9386011117947?32M${BANKS}`, { text: '?31NO9386011117947?32M' }],
    [`166?20SVWZ+?38NO9386011117947${BANKS}`, { text: '?38NO9386011117947' }],
    [`166?20SVWZ+?33M${BANKS}?34000`, { text: '?33M' }],
    [`166?20SVWZ+a${BANKS}?34000?60?31NO9386011117947?61b`, { text: 'a?31NO9386011117947b' }],
  ])('in %s spoils nothing that the bank says', async (details, expected) => {
    expect(await detailsOf(details)).toMatchObject({
      ...expected,
      kind: 'payment',
      counterparty: { account: 'DE89370400440532013000', name: 'ADA', bic: 'COBADEFFXXX' },
    });
  });

  it.each([
    '166?20SVWZ+a?30COBADEFFXXX?31DE89370400440532013000?32M?38NO9386011117947',
    '166?20SVWZ+a?31DE89370400440532013000?32M?33?38NO9386011117947',
    '166?20SVWZ+a?31DE89370400440532013000?32M?34NO9386011117947',
  ])('in a name is no field of the bank: %s', async (details) => {
    const { counterparty, text } = await detailsOf(details);
    expect(counterparty).toMatchObject({ account: 'DE89370400440532013000', name: 'M' });
    expect(text).toContain('NO9386011117947');
  });

  it.each([
    '166?20SVWZ+?31NO9386011117947',
    '166?20SVWZ+?31NO9386011117947?32M',
    '166?20IBAN+DE89370400440532013000?21SVWZ+a',
    '166?20SVWZ+a IBAN+NO9386011117947',
    '166?20SVWZ+?32M',
    '/EREF/A/IBAN/NO9386011117947/REMI/a',
    '/EREF/A/ORDP//NAME/M/REMI/a',
    '/REMI/a/IBAN/NO9386011117947/NAME/M',
    '/SVWZ/a/IBAN/NO9386011117947/NAME/M',
    '/EREF/LONG ENOUGH TO BE SURE OF IT, AND MORE/KREF/a/IBAN/NO9386011117947/SVWZ/b',
    ...['PREF', 'INIT', 'KREF', 'CREF', 'ULTD', 'MARF'].map(
      (code) => `/${code}/a/IBAN/NO9386011117947/REMI/b`,
    ),
    'a REK: NO9386011117947/NAAM: M',
    'a\nREK: NO9386011117947/NAAM: M',
    'a\n:86:166?20SVWZ+b?30COBADEFFXXX?31NO9386011117947?32MALLORY OF TROMSO',
    'a\n:86:/ORDP//NAME/M/REMI/b',
    'a\n:25:NO9386011117947',
  ])('that may be all of %s gives no account and no name', async (details) => {
    const { counterparty, text } = await detailsOf(details);
    expect(counterparty).toMatchObject({ account: null, name: null });
    expect(text).toMatch(/NO9386011117947|M|DE89/);
  });

  it.each([
    [
      `/EREF/A/REMI/${A}/ORDP//NAME/ADA OF LOVELACE/REMI/${B}`,
      { endToEndId: null, text: `/EREF/A/REMI/${A}/ORDP//NAME/ADA OF LOVELACE/REMI/${B}` },
    ],
    [
      `/EREF/LONG ENOUGH TO BE SURE OF IT/ORDP//NAME/ADA/REMI/${A}/REMI/${B}/RTRN/AC04`,
      {
        endToEndId: 'LONG ENOUGH TO BE SURE OF IT',
        text: `${A}/REMI/${B}/RTRN/AC04`,
        counterparty: { name: 'ADA' },
      },
    ],
    [
      `/TRTP/SEPA OVERBOEKING/IBAN/DE89370400440532013000/BIC/COBADEFF/NAME/ADA/REMI/${A}/IBAN/NO9386011117947/EREF/E1`,
      {
        endToEndId: 'E1',
        text: `${A}/IBAN/NO9386011117947`,
        counterparty: { account: 'DE89370400440532013000', name: 'ADA' },
      },
    ],
    [
      '/TRTP/SEPA/NAME/ADA/IBAN/NO9386011117947/RTRN/AC04/REMI/a',
      { returned: false, counterparty: { account: null } },
    ],
    ['/REMI/a/PURP/OTHR', { text: 'a' }],
  ])('does not become a field in %s', async (details, expected) => {
    expect(await detailsOf(details)).toMatchObject({ returned: false, ...expected });
  });

  it('makes no return, and one that it may have made waits for a person', async () => {
    expect(await detailsOf('/EREF/A/RTRN/AC04/ORDP//NAME/ADA/REMI/a')).toMatchObject({
      kind: 'payment',
      returned: false,
      contradicts: 'The details have a mark of a return where the payer can have written it.',
    });
    expect(await detailsOf('/REMI/a/RTRN/AC04')).not.toHaveProperty('contradicts');
    for (const code of ['KREF', 'CREF', 'PURP']) {
      expect(await detailsOf(`/${code}/a/RTRN/AC04/ORDP//NAME/ADA/REMI/a`)).toMatchObject({
        returned: false,
        contradicts: expect.any(String),
      });
    }
  });

  it('is no bank’s reference where the payer’s may hold two slashes', async () => {
    const line = await lineOf(':61:261120C1,NTRFA//B\n:86:a');
    expect(line.identifiers).toMatchObject({ entryReference: 'A', entryBankReference: null });
  });

  it.each(['//B', 'A//', 'NONREF///B', 'NONREF//A//B', '/'])(
    'is no bank’s reference in %s',
    async (reference) => {
      const line = await lineOf(`:61:261120C1,NTRF${reference}//B1\n:86:a`);
      expect(line.identifiers).toMatchObject({ entryBankReference: null });
    },
  );
});

describe('a line that begins like a field in a payer’s text', () => {
  const full = (text: string) => text.padEnd(65, 'x');
  /** What a bank writes that wraps a text after 65 characters. */
  const paid = (text: string, amount = '0,01') =>
    `:61:2611201120C${amount}NTRFNONREF//B1\n:86:${full('GUTSCHRIFT ADA LOVELACE')}\n${text}\n`;
  const honest = ':61:2611201120C5,00NTRFNONREF//B2\n:86:RF71BOOK2026\n';
  const closed = (balance: string) => `:62F:C261120EUR${balance}\n-\n`;
  const FORGED = ':61:2611201120C9999,00NTRFNONREF';
  const BACK = ':61:2611201120D9999,00NTRFNONREF';

  it('proves nothing with money that was not booked', async () => {
    const text = `${full(FORGED)}\n:86:RF18539007547034`;
    const { statements, warnings } = await read(`${HEAD}${paid(text)}${honest}${closed('105,01')}`);
    expect(statements).toMatchObject([{ balanced: false }]);
    expect(warnings).toMatchObject([{ code: 'not_balanced' }]);
  });

  it('proves nothing with two bookings that cancel out', async () => {
    const texts = [`${full(FORGED)}\n:86:RF18539007547034`, BACK].map((text) => paid(text));
    const { statements, warnings } = await read(
      `${HEAD}${texts.join('')}${honest}${closed('105,02')}`,
    );
    expect(statements).toMatchObject([{ balanced: false }]);
    expect(warnings).toMatchObject([{ code: 'doubtful_entries' }]);
  });

  it.each([
    ['one directly behind the other', [BACK, FORGED]],
    ['the other way round', [FORGED, BACK]],
    ['behind what looks like a balance', [':64:C261120EUR1,00', BACK, FORGED]],
    ['behind what looks like the last balance', [':62F:C261120EUR1,00', BACK, FORGED]],
    ['behind what looks like the end', ['-'.padEnd(65), BACK, FORGED]],
    ['three of them', [FORGED, BACK.replace('9999', '9990'), BACK.replace('9999', '9')]],
  ])('proves nothing with bookings that cancel out: %s', async (_, lines) => {
    const text = [...lines.map(full), 'RF18539007547034'].join('\n');
    const { statements, warnings } = await read(`${HEAD}${paid(text)}${honest}${closed('105,01')}`);
    expect(statements).toMatchObject([{ balanced: false }]);
    expect(warnings.map(({ code }) => code)).toContain('doubtful_entries');
  });

  it.each([
    ['in a plain text', 'MALLORY OF TROMSO    STREET 1', `${FORGED}\nRF18539007547034`],
    ['with details', 'MALLORY', `${FORGED}\n:86:RF18539007547034`],
    ['of a German bank', '166?20SVWZ+.', `${FORGED}\n:86:166?20SVWZ+RF18539007547034?32M`],
  ])('proves nothing where a bank may have trimmed lines, %s', async (_, details, forged) => {
    const entry = `:61:2611201120C0,01NTRFNONREF\n:86:${details}\n${BACK}\n${forged}\n`;
    const { statements, warnings } = await read(`${HEAD}${entry}${honest}${closed('105,01')}`);
    expect(statements).toMatchObject([{ balanced: false }]);
    expect(warnings).toMatchObject([{ code: 'doubtful_entries' }]);
  });

  it('proves nothing with a statement of its own', async () => {
    const parts = [
      `${full(':62F:C261120EUR100,01')}\n:20:X`,
      `${full(':25:DE89370400440532013000')}\n:60F:C261120EUR0,00`,
      FORGED,
      `${full(':62F:C261120EUR9999,03')}\n:20:Y`,
    ];
    const { statements } = await read(
      `${HEAD}${parts.map((part) => paid(part)).join('')}${honest}${closed('105,04')}`,
    );
    const proven = statements.filter(({ balanced }) => balanced === true);
    expect(proven.flatMap(({ lines }) => lines)).toEqual([]);
  });

  it('is no balance of a bank that writes none', async () => {
    const { statements } = await read(`${HEAD}${paid(':62F:C261120EUR0,00')}${honest}-\n`);
    expect(statements).toMatchObject([{ balanced: null, closingBalance: null }]);
  });

  it.each([
    ['-', 'x'],
    ['-}', ':20:X'],
    ['-XXX', 'x'],
    [':20:X', 'x'],
    [':25:NL91ABNA0417164300', 'x'],
    [':34F:EUR0,', 'x'],
    [':13D:2611201200+0100', 'x'],
    [':60F:C261120EUR0,00', 'x'],
    [':62F:C261120EUR9999,00', 'x'],
    [':99:', 'x'],
    ['{1:F01KNABNL2HAXXX0000000000}{2:I940KNABNL2HXXXXN3020}{4:', ':20:X'],
  ])('leaves the day as it was booked: %s, then %s', async (line, next) => {
    for (const text of [line, `${line.padEnd(65)}\n${next}`, `${full(line)}\n${next}`]) {
      const { formats, statements } = await read(
        `${HEAD}${paid(text)}${honest}${closed('105,01')}`,
      );
      expect({ formats, statements }).toMatchObject({
        formats: ['mt940'],
        statements: [
          {
            account: 'DE89370400440532013000',
            currency: 'EUR',
            balanced: true,
            lines: [
              { amount: 1n, direction: 'in', status: 'booked' },
              { amount: 500n, text: 'RF71BOOK2026' },
            ],
          },
        ],
      });
    }
  });

  it.each([
    ['behind an entry', `${full(':61:2611201120D1,00NTRF')}\n${full(':20:X')}\nmore`],
    ['in a line that was trimmed', ':20:X\nmore'],
  ])('is no statement without a head that hides the others, %s', async (_, text) => {
    const { statements } = await read(`${HEAD}${paid(text)}${honest}${closed('105,01')}`);
    expect(statements).toMatchObject([{ account: 'DE89370400440532013000' }]);
    expect(statements[0]!.lines.map(({ text: words }) => words)).toContain('RF71BOOK2026');
  });

  it('is text behind a lone dash', async () => {
    const [line] = await linesOf(paid(`${'-'.padEnd(65)}\nRF18539007547034`));
    expect(line!.text).toContain('- RF18539007547034');
  });

  it('goes on the purpose of a German bank', async () => {
    const text = `166?20SVWZ+${'x'.repeat(22)}?21${'x'.repeat(25)}`;
    const [line] = await linesOf(
      `:61:261120C1,NTRF\n:86:${text}\n:86:RF71BOOK2026?31DE89370400440532013000?32ADA`,
    );
    expect(text).toHaveLength(61);
    expect(line).toMatchObject({
      text: expect.stringContaining(':86:RF71BOOK2026'),
      counterparty: { account: 'DE89370400440532013000', name: 'ADA' },
    });
  });

  it('is an entry where it is one', async () => {
    const pair = [FORGED, BACK].map((first) => `${first}\n:86:${full('BOOKED')}\n`).join('');
    const { statements, warnings } = await read(`${HEAD}${pair}${honest}${closed('105,00')}`);
    expect({ statements, warnings }).toMatchObject({
      statements: [{ balanced: true, lines: { length: 3 } }],
      warnings: [],
    });
  });
});

describe('what real banks write', () => {
  it.each([
    ['D25,03NOV NONREF', 'out', 2_503n, null],
    ['DF2402,00S   X', 'out', 240_200n, 'X'],
    ['C12,35 NRTIKREF+//2016', 'in', 1_235n, 'KREF+'],
  ])('in an entry such as %s is read', async (entry, direction, amount, entryReference) => {
    expect(await lineOf(`:61:261120${entry}`)).toMatchObject({
      direction,
      amount,
      identifiers: { entryReference },
    });
  });

  it.each(['NDDT', 'FDDT'])('for a direct debit, by its type %s alone', async (type) => {
    const text = `:20:A\n:25:x\n:28C:1\n:60F:C261120EUR9,00\n:61:261120D1,00${type}NONREF\n:62F:C261120EUR8,00\n-\n`;
    const { statements } = await collectBankFile(statementFile(text));
    expect(statements[0]!.lines).toMatchObject([{ kind: 'collection', direction: 'out' }]);
  });

  it('for the sum of several payments is no payment', async () => {
    const line = await detailsOf('079?00SAMMLER?109800?200904059001');
    expect(line).toMatchObject({ kind: 'batch_total' });
  });
});
