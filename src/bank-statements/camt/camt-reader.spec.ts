import { describe, expect, it } from '@jest/globals';
import { statementFile, collectBankFile } from '../collect.js';
import { LIMITS } from '../limits.js';
import { StatementRefusedError } from '../refused.js';
import type { StatementLine } from '../statement.js';

const ACCOUNT = '<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>';
const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08';

const document = (statements: string, namespace = NAMESPACE): string =>
  `<?xml version="1.0"?>\n<Document xmlns="${namespace}"><BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId></GrpHdr>${statements}</BkToCstmrStmt></Document>`;

const statement = (parts: string): string =>
  `<Stmt><Id>S1</Id><ElctrncSeqNb>7</ElctrncSeqNb>${ACCOUNT}${parts}</Stmt>`;

const entry = (parts: string, amount = '10.00', head = '<CdtDbtInd>CRDT</CdtDbtInd>'): string =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt>${head}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt>${parts}</Ntry>`;

const transaction = (parts: string): string => `<TxDtls>${parts}</TxDtls>`;
const details = (...all: string[]): string => `<NtryDtls>${all.join('')}</NtryDtls>`;
const amount = (text: string, currency = 'EUR'): string => `<Amt Ccy="${currency}">${text}</Amt>`;
const balance = (code: string, text: string, sign = 'CRDT'): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(text)}<CdtDbtInd>${sign}</CdtDbtInd></Bal>`;
const family = (code: string, below: string): string =>
  `<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>${code}</Cd><SubFmlyCd>${below}</SubFmlyCd></Fmly></Domn></BkTxCd>`;

const ustrd = (count: number): string => `<Ustrd>${'x'.repeat(9_900)}</Ustrd>`.repeat(count);

const read = (text: string) => collectBankFile(statementFile(text));

async function linesOf(...entries: string[]): Promise<readonly StatementLine[]> {
  const { statements } = await read(document(statement(entries.join(''))));
  return statements.flatMap(({ lines }) => lines);
}

const lineOf = async (text: string): Promise<StatementLine> => (await linesOf(text))[0]!;

describe('what each transaction of an entry repeats', () => {
  it('is a short sentence, however long the number of the bank is', async () => {
    const batch = `<Btch><NbOfTxs>${'9'.repeat(9_000)}</NbOfTxs></Btch>`;
    const two = transaction(amount('5.00')).repeat(2);
    const { statements, warnings } = await read(document(statement(entry(details(batch, two)))));
    const contradictions = statements[0]!.lines.map(({ contradicts }) => contradicts!);
    expect(contradictions).toHaveLength(2);
    for (const text of [...contradictions, ...warnings.map(({ detail }) => detail)]) {
      expect(text).toContain('The bank counts 9');
      expect(text.length).toBeLessThan(400);
    }
  });

  it.each(['NtryRef', 'AcctSvcrRef', 'NtryDtls/Btch/MsgId', 'NtryDtls/Btch/PmtInfId'])(
    'is no reference of more than 140 characters: %s',
    async (path) => {
      const withReference = (length: number, transactions: number) => {
        const names = path.split('/');
        const at = (inner: string, name: string) => `<${name}>${inner}</${name}>`;
        const parts = names.reduceRight(at, 'R'.repeat(length));
        const all = transaction(amount('5.00')).repeat(transactions);
        return read(document(statement(entry(parts + details(all)))));
      };
      const { statements, warnings } = await withReference(141, 2);
      expect(statements[0]!.lines).toEqual([]);
      const said = warnings.map(({ detail }) => detail).join();
      expect(said).toContain(`"${'R'.repeat(40)}…" is longer than 140 characters`);
      expect((await withReference(140, 2)).statements[0]!.lines).toHaveLength(2);
      expect((await withReference(141, 1)).statements[0]!.lines).toHaveLength(1);
    },
  );
});

describe('the message', () => {
  it.each([
    ['camt.052.001.02', 'BkToCstmrAcctRpt', 'Rpt'],
    ['camt.053.001.13', 'BkToCstmrStmt', 'Stmt'],
    ['camt.054.001.08', 'BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
  ])('is known by its namespace: %s', async (format, message, name) => {
    const text = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${format}"><${message}><${name}><Id>A</Id>${entry('')}</${name}></${message}></Document>`;
    const { formats, statements } = await read(text);
    expect(formats).toEqual([format]);
    expect(statements).toMatchObject([
      { id: 'A', lines: [{ amount: 1000n, entry: 0, detail: 0 }] },
    ]);
  });

  it('may have a prefix and stand in an envelope', async () => {
    const text = document(statement(entry('<NtryRef>N1</NtryRef>')))
      .replace('xmlns=', 'xmlns:c=')
      .replace(/<(\/?)(?=[A-Z])/g, '<$1c:')
      .replace(/<\?xml.*?\?>/, '');
    const { statements } = await read(`<Envelope xmlns="urn:e"><Header/>${text}</Envelope>`);
    expect(statements).toMatchObject([{ sequence: '7', lines: [{ bankReference: 'N1' }] }]);
  });

  it.each([
    ['c:', `xmlns:c="${NAMESPACE}"`],
    ['', `xmlns="${NAMESPACE}"`],
  ])('may have its namespace %j from the envelope', async (prefix, declared) => {
    const text = document(statement(entry('')))
      .replace(/ xmlns="[^"]*"/, '')
      .replace(/<(\/?)(?=[A-Z])/g, `<$1${prefix}`)
      .replace(/<\?xml.*?\?>/, '');
    const { statements } = await read(`<e:All xmlns:e="urn:e" ${declared}><e:A/>${text}</e:All>`);
    expect(statements).toMatchObject([{ sequence: '7', lines: [{ amount: 1000n }] }]);
  });

  it('has no namespace of an element that is closed', async () => {
    const text = document(statement(''))
      .replace(/ xmlns="[^"]*"/, '')
      .replace(/<\?xml.*?\?>/, '');
    const refused = read(`<All><A xmlns="${NAMESPACE}"/>${text}</All>`);
    await expect(refused).rejects.toThrow('the namespace "" is not of camt.052');
  });

  it('may stand in an envelope with the name of a document', async () => {
    const text = document(statement(entry(''))).replace(/<\?xml.*?\?>/, '');
    const { statements } = await read(`<Document xmlns="urn:e">${text}</Document>`);
    expect(statements).toMatchObject([{ lines: [{ amount: 1000n }] }]);
  });

  it('may be of the first version, which has its transactions and batches in the entry', async () => {
    const both = `<Btch><MsgId>M</MsgId></Btch>${transaction(amount('4'))}${transaction(amount('6'))}`;
    const all = entry(both) + entry('<Btch><NbOfTxs>2</NbOfTxs></Btch>');
    const text = document(statement(all.replaceAll('<Cd>BOOK</Cd>', 'BOOK')))
      .replaceAll('BkToCstmrStmt>', 'BkToCstmrStmtV01>')
      .replace('053.001.08', '053.001.01');
    const { formats, statements } = await read(text);
    expect(formats).toEqual(['camt.053.001.01']);
    expect(statements[0]!.lines).toMatchObject([
      { amount: 400n, kind: 'payment', status: 'booked', identifiers: { messageId: 'M' } },
      { amount: 600n },
      { kind: 'batch_total' },
    ]);
  });

  it('may hold several statements, each counting its entries from 0', async () => {
    const { statements } = await read(
      document(statement(entry('') + entry('')) + statement(entry(''))),
    );
    expect(statements.map(({ lines }) => lines.map((line) => line.entry))).toEqual([[0, 1], [0]]);
  });

  it.each([
    [
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"/>',
      /pain\.001.* is not of camt/,
    ],
    [`<Document xmlns="${NAMESPACE}"/>`, 'The document is empty'],
    [document(''), 'holds no statement'],
    ['<html/>', 'holds no camt.052'],
    ['<Document xmlns="urn:e"/>', 'holds no camt.052'],
    [
      `<!DOCTYPE Document>${document(statement(''))}`.replace(/<\?xml.*?\?>\n/, ''),
      'DOCTYPE is not allowed',
    ],
    [document(statement(entry(''))).replace('</Ntry>', ''), /broken at line 2:\d+/],
    [
      document(statement(entry(details(transaction(`<RmtInf>${ustrd(5)}</RmtInf>`))))),
      `a part has more than ${LIMITS.partText} characters.`,
    ],
    [
      document(statement(entry(details(transaction(`<RmtInf>${ustrd(4)}</RmtInf>`).repeat(260))))),
      `an entry has more than ${LIMITS.entryText} characters.`,
    ],
    [
      document(statement(entry('')).replace('<IBAN>', `<IBAN>${'9'.repeat(130)}`)),
      /^Statement 0: the account "9{40}…" is longer than 140 characters\.$/,
    ],
    [
      document(statement(`<Nm>${'x'.repeat(LIMITS.text + 1)}</Nm>`)),
      'longer than 10000 characters',
    ],
    [document(statement(`<!--${'<'.repeat(200_000)}-->`)), 'longer than 10000 characters'],
    [document(statement('<a>'.repeat(70))), 'more than 64 deep'],
    [document(statement(`<Nm>${'<a/>'.repeat(LIMITS.elements)}</Nm>`)), 'more than 5000 elements'],
    [
      document(statement(entry(details('<TxDtls/>'.repeat(LIMITS.transactions + 1))))),
      'an entry has more than 30000 transactions',
    ],
    [document('<Stmt/>'.repeat(LIMITS.statements + 1)), 'more than 10000 statements'],
    [document(statement('&bomb;')), /undefined entity/],
  ])('%# is refused in one sentence', async (text, sentence) => {
    const refused: unknown = await read(text).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StatementRefusedError);
    expect((refused as Error).message).toMatch(sentence);
    expect((refused as Error).message).toMatch(/^[A-Z][^\n]+\.$/);
  });

  it.each([
    [entry('', 'ten'), 'Line 2: the amount "ten" is no decimal number.'],
    [entry('', '-1'), 'the amount "-1" is no decimal number'],
    [entry('', '1e3'), 'is no decimal number'],
    [entry('', '1', '<CdtDbtInd>PLUS</CdtDbtInd>'), '"PLUS" is neither CRDT nor DBIT'],
    [entry('', '1', '<CdtDbtInd>toString</CdtDbtInd>'), '"toString" is neither CRDT nor DBIT'],
    [
      entry('').replace('"EUR"', '"EUREUREUREUR"'),
      'the currency "EUREUREUREUR" is longer than 10 characters.',
    ],
    [entry('', '1', ''), 'at line 2 is neither CRDT nor DBIT'],
    ['<Ntry><CdtDbtInd>CRDT</CdtDbtInd></Ntry>', 'at line 2 has no amount'],
    [entry('<ValDt><Dt>2026-13-01</Dt></ValDt>'), '"2026-13-01" is no day'],
    [entry(details(transaction(amount('10')), transaction(amount('x')))), 'the amount "x"'],
    [balance('CLBD', 'x'), 'the balance "x" is no decimal number'],
  ])('%# is named and counted, and hides nothing beside it', async (part, sentence) => {
    const honest = (text: string) => entry(details(transaction(`<RmtInf>${text}</RmtInf>`)));
    const all = [
      balance('OPBD', '0'),
      honest('<Ustrd>a</Ustrd>'),
      part,
      honest('<Ustrd>b</Ustrd>'),
    ];
    const { statements, warnings } = await read(
      document(statement([...all, balance('CLBD', '20')].join(''))),
    );
    expect(warnings).toEqual([
      { code: 'entry_skipped', detail: expect.stringContaining(sentence) },
    ]);
    expect(statements).toMatchObject([
      {
        balanced: false,
        coversFrom: null,
        coversUntil: null,
        lines: [
          { amount: 1000n, text: 'a' },
          { amount: 1000n, text: 'b' },
        ],
      },
    ]);
  });
});

describe('balances', () => {
  const balanced = async (parts: string) => (await read(document(statement(parts)))).statements[0];

  it('follow from what was booked, and not from what was announced', async () => {
    const announced = entry('').replace('BOOK', 'PDNG');
    const debit = entry('', '3.50', '<CdtDbtInd>DBIT</CdtDbtInd>');
    const parts = balance('OPBD', '5.00', 'DBIT') + entry('') + debit + announced;
    expect(await balanced(parts + balance('CLBD', '1.5'))).toMatchObject({
      openingBalance: -500n,
      closingBalance: 150n,
      balanced: true,
    });
    expect(await balanced(parts + balance('CLBD', '1.51'))).toMatchObject({ balanced: false });
  });

  it('open with the last closing one only if there is no opening one, and are not interim or available', async () => {
    const codes = ['OPAV', 'OPBD', 'PRCD', 'ITBD', 'CLAV'];
    const all = codes.map((code, at) => balance(code, String(at))).join('');
    expect(await balanced(all)).toMatchObject({
      openingBalance: 100n,
      closingBalance: null,
      balanced: null,
    });
    expect(await balanced(balance('PRCD', '7'))).toMatchObject({ openingBalance: 700n });
  });

  it('may be negative by their sign', async () => {
    expect(await balanced(balance('OPBD', '-7'))).toMatchObject({ openingBalance: -700n });
  });
});

describe('an entry', () => {
  it('is one line without transactions, or with one', async () => {
    const one = entry(details(transaction('<Refs><EndToEndId>E1</EndToEndId></Refs>')));
    expect(await linesOf(entry(''), one)).toMatchObject([
      { entry: 0, detail: 0, endToEndId: null, kind: 'payment', direction: 'in', status: 'booked' },
      { entry: 1, detail: 0, endToEndId: 'E1' },
    ]);
  });

  it('is a line for each of two or more transactions, wherever they stand', async () => {
    const parts = details(transaction(amount('4.00'))) + details(transaction(amount('6.00')));
    expect(await linesOf(entry(parts))).toMatchObject([
      { entry: 0, detail: 0, amount: 400n },
      { entry: 0, detail: 1, amount: 600n },
    ]);
  });

  it('may have more elements than are held at once, in its transactions', async () => {
    const one = transaction(amount('0.01') + '<RmtInf><Ustrd>a</Ustrd></RmtInf>'.repeat(20));
    const lines = await linesOf(entry(details(one.repeat(1_000))));
    expect(lines).toHaveLength(1_000);
  });

  it.each([
    ['<Sts>BOOK</Sts>', 'booked'],
    ['<Sts><Cd>BOOK</Cd></Sts>', 'booked'],
    ['<Sts>PDNG</Sts>', 'announced'],
    ['<Sts>INFO</Sts>', 'announced'],
    ['<Sts><Cd>FUTR</Cd></Sts>', 'announced'],
    ['<Sts><Prtry>BOOK</Prtry></Sts>', 'announced'],
    ['', 'announced'],
  ])('with %s is %s', async (status, expected) => {
    const text = entry('').replace('<Sts><Cd>BOOK</Cd></Sts>', status);
    expect(await lineOf(text)).toMatchObject({ status: expected });
  });

  it('has the day that the bank wrote, whatever the time zone', async () => {
    const dated = entry('<ValDt><DtTm>2026-11-21T00:30:00+02:00</DtTm></ValDt>');
    expect(await lineOf(dated)).toMatchObject({ bookedOn: '2026-11-20', valuedOn: '2026-11-21' });
    const none = entry('').replace(/<BookgDt>.*<\/BookgDt>/, '');
    expect(await lineOf(none)).toMatchObject({ bookedOn: null, valuedOn: null });
  });

  it('with a day that does not exist has the last of the month, and a warning', async () => {
    const odd = entry('<ValDt><Dt>2026-02-30</Dt></ValDt>');
    const { statements, warnings } = await read(document(statement(odd)));
    expect(statements[0]!.lines[0]).toMatchObject({ valuedOn: '2026-02-28' });
    expect(warnings).toMatchObject([{ code: 'day_clamped' }]);
  });

  it.each([
    ['8.850', 'EUR', 885n, null, 'payment'],
    ['01.00', 'EUR', 100n, null, 'payment'],
    ['30000', 'JPY', 30000n, null, 'payment'],
    ['1.7', 'KWD', 1700n, null, 'payment'],
    ['8.855', 'EUR', null, '8.855', 'unusable'],
    ['1.5', 'JPY', null, '1.5', 'unusable'],
    ['18500.00', 'DEM', null, '18500', 'payment'],
    ['90071992547409.92', 'EUR', null, '90071992547409.92', 'unusable'],
    ['90071992547409.91', 'EUR', 9007199254740991n, null, 'payment'],
    ['0.00', 'EUR', 0n, null, 'unusable'],
  ])('of %s %s is exact', async (text, currency, minor, kept, kind) => {
    const line = await lineOf(entry('', text).replace('"EUR"', `"${currency}"`));
    expect(line).toMatchObject({ amount: minor, amountText: kept, currency, kind });
  });

  it.each([
    ['CRDT', '<RvslInd>true</RvslInd>', 'in', 'reversal', true],
    ['DBIT', '<RvslInd>1</RvslInd>', 'out', 'reversal', true],
    ['CRDT', '<RvslInd>false</RvslInd>', 'in', 'payment', false],
  ])('that is %s with %s moves the money %s', async (sign, mark, direction, kind, reversal) => {
    const line = await lineOf(entry('', '1', `<CdtDbtInd>${sign}</CdtDbtInd>${mark}`));
    expect(line).toMatchObject({ direction, kind, reversal });
  });

  it.each([
    [family('ICDT', 'RRTN'), 'return'],
    [family('RCDT', 'ESCT'), 'payment'],
    [family('IDDT', 'ESDD'), 'collection'],
    [family('RDDT', 'PMDD'), 'collection'],
    ['<BkTxCd><Prtry><Cd>NRTI+109+00931</Cd></Prtry></BkTxCd>', 'return'],
    ['<BkTxCd><Prtry><Cd>NTRF+159</Cd></Prtry></BkTxCd>', 'return'],
    ['<BkTxCd><Prtry><Cd>NTRF+160+9099</Cd></Prtry></BkTxCd>', 'return'],
    ['<BkTxCd><Prtry><Cd>NMSC+198+9099</Cd></Prtry></BkTxCd>', 'collection'],
    ['<BkTxCd><Prtry><Cd>NDDT+171+9211</Cd></Prtry></BkTxCd>', 'collection'],
    ['<BkTxCd><Prtry><Cd>NTRF+105+9248</Cd></Prtry></BkTxCd>', 'collection'],
    ['<BkTxCd><Prtry><Cd>FDDT</Cd></Prtry></BkTxCd>', 'collection'],
    ['<BkTxCd><Prtry><Cd>NRTI+999</Cd></Prtry></BkTxCd>', 'return'],
    ['<BkTxCd><Prtry><Cd>NTRF+166+9211</Cd></Prtry></BkTxCd>', 'payment'],
  ])('with the code %s is a %s, also when its transaction says so', async (code, kind) => {
    expect(await lineOf(entry(code))).toMatchObject({ kind, returned: kind === 'return' });
    expect(await lineOf(entry(details(transaction(code))))).toMatchObject({ kind });
  });

  it('that gives a reason for coming back is a return', async () => {
    const text = entry(details(transaction('<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>')));
    expect(await lineOf(text)).toMatchObject({ kind: 'return', returned: true, reversal: false });
  });

  it.each([
    ['<Btch><NbOfTxs>2</NbOfTxs></Btch>', 'batch_total'],
    ['<Btch><MsgId>M</MsgId></Btch>', 'batch_total'],
    [`<Btch><NbOfTxs>2</NbOfTxs></Btch>${transaction(amount('10'))}`, 'batch_total'],
    ['<Btch><NbOfTxs>1</NbOfTxs></Btch>', 'payment'],
    ['</NtryDtls><NtryDtls><Btch><NbOfTxs>4</NbOfTxs></Btch>', 'batch_total'],
    [
      '<Btch><NbOfTxs>1</NbOfTxs></Btch></NtryDtls><NtryDtls><Btch><NbOfTxs>1</NbOfTxs></Btch>',
      'batch_total',
    ],
    [`<Btch><MsgId>M</MsgId></Btch>${transaction('')}`, 'payment'],
    [
      `<Btch><NbOfTxs>2</NbOfTxs></Btch>${transaction(amount('4'))}${transaction(amount('6'))}`,
      'payment',
    ],
  ])('with %s is a %s', async (parts, kind) => {
    expect(await lineOf(entry(details(parts)))).toMatchObject({ kind });
  });
});

describe('the code of German banks for a sum', () => {
  const code = '<BkTxCd><Prtry><Cd>NTRF+194+9099</Cd></Prtry></BkTxCd>';

  it('is a batch whose payments are not there, unless one is', async () => {
    expect(await lineOf(entry(code))).toMatchObject({ kind: 'batch_total' });
    const one = await lineOf(entry(code + details(transaction(''))));
    expect(one).toMatchObject({ kind: 'payment' });
  });
});

describe('a contradiction', () => {
  it('of the one transaction leaves the amount that was booked, and says so', async () => {
    const other = entry(details(transaction(amount('0', 'SEK'))));
    const line = await lineOf(other);
    expect(line).toMatchObject({ amount: 1000n, currency: 'EUR', kind: 'payment' });
    expect(line.contradicts).toBe('The transaction says 0 SEK, 10 EUR is booked.');
  });

  it('is none when one of its amounts is the one that was booked, or only the payer’s differs', async () => {
    const exchanged = `${amount('11', 'USD')}<AmtDtls><CntrValAmt>${amount('10')}</CntrValAmt></AmtDtls>`;
    const charged = `<AmtDtls><InstdAmt>${amount('12')}</InstdAmt><TxAmt>${amount('10.0')}</TxAmt></AmtDtls>`;
    for (const parts of [exchanged, charged, '']) {
      expect(await lineOf(entry(details(transaction(parts))))).not.toHaveProperty('contradicts');
    }
  });

  it('of the direction is no payment, and never money that came in', async () => {
    const debit = '<CdtDbtInd>DBIT</CdtDbtInd>';
    const credit = '<CdtDbtInd>CRDT</CdtDbtInd>';
    const two = (one: string, other: string) =>
      details(transaction(amount('12') + one), transaction(amount('2') + other));
    expect(await linesOf(entry(two(credit, debit)))).toMatchObject([
      { amount: 1200n, direction: 'in', kind: 'payment' },
      { amount: 200n, direction: 'out', kind: 'other', contradicts: expect.anything() },
    ]);
    expect(await linesOf(entry(two(credit, ''), '14', debit))).toMatchObject([
      { direction: 'out', kind: 'other' },
      { direction: 'out', kind: 'payment' },
    ]);
    expect(await lineOf(entry(details(transaction(debit))))).toMatchObject({
      direction: 'in',
      kind: 'other',
      contradicts: 'The transaction has the opposite direction.',
    });
  });

  it('of a sum is said in each of its transactions', async () => {
    const parts = details(transaction(amount('9')), transaction(amount('9')));
    expect((await linesOf(entry(parts))).map((line) => line.contradicts)).toEqual(
      Array(2).fill('The transactions come to 18, 10 EUR is booked.'),
    );
  });

  it('is a transaction in another currency, even if the others come to the sum', async () => {
    const parts = details(transaction(amount('10')), transaction(amount('5000', 'USD')));
    expect((await linesOf(entry(parts))).map((line) => line.contradicts)).toEqual(
      Array(2).fill(
        'The transactions come to 10, without 1 in no or another currency, 10 EUR is booked.',
      ),
    );
  });

  it('is a transaction without an amount beside others', async () => {
    const lines = await linesOf(entry(details(transaction(amount('10')), transaction(''))));
    expect(lines[1]).toMatchObject({ amount: null, amountText: '', kind: 'unusable' });
  });

  it('of an amount falls back on what the payer asked for, in the currency of the entry before others', async () => {
    const asked = (text: string) => `<AmtDtls><InstdAmt>${amount(text)}</InstdAmt></AmtDtls>`;
    const exchanged = `${amount('5', 'USD')}<AmtDtls><TxAmt>${amount('6')}</TxAmt></AmtDtls>`;
    const lines = await linesOf(entry(details(transaction(asked('4')), transaction(exchanged))));
    expect(lines.map((line) => [line.amount, line.currency])).toEqual([
      [400n, 'EUR'],
      [600n, 'EUR'],
    ]);
  });
});

describe('who paid', () => {
  const parties = (parts: string, agents = '') =>
    `<RltdPties>${parts}</RltdPties><RltdAgts>${agents}</RltdAgts>`;
  const account = (role: string, id: string) => `<${role}Acct><Id>${id}</Id></${role}Acct>`;

  it.each([
    ['<Dbtr><Nm>Ada  L</Nm></Dbtr>', { name: 'Ada L' }],
    ['<Dbtr><Pty><Nm>Ada</Nm></Pty></Dbtr>', { name: 'Ada' }],
    ['<Dbtr><Agt><FinInstnId><Nm>Bank</Nm></FinInstnId></Agt></Dbtr>', { name: 'Bank' }],
    ['<UltmtDbtr><Nm>Other</Nm></UltmtDbtr>', { name: null, account: null, accountType: null }],
    [
      account('Dbtr', '<IBAN>FR14 2004 1010 0505 0001 3m02 606</IBAN>'),
      { account: 'FR1420041010050500013M02606', accountType: 'iban' },
    ],
    [
      account('Dbtr', '<IBAN>NL86INGB00066666666</IBAN>'),
      { account: 'NL86INGB00066666666', accountType: 'unknown' },
    ],
    [
      account('Dbtr', '<Othr><Id>740618130000033626</Id></Othr>'),
      { account: '740618130000033626', accountType: 'domestic' },
    ],
    [account('Dbtr', '<Othr><Id>XXXXXX1234</Id></Othr>'), { accountType: 'unknown' }],
    [
      `<Dbtr><Nm>NOTPROVIDED</Nm></Dbtr>${account('Dbtr', '<Othr><Id>NOTPROVIDED</Id></Othr>')}`,
      { name: null, account: null, accountType: null },
    ],
  ])('%# is told as the bank gave it', async (parts, expected) => {
    const line = await lineOf(entry(details(transaction(parties(parts)))));
    expect(line.counterparty).toMatchObject(expected);
  });

  it.each(['BIC', 'BICFI'])('has the %s of its bank', async (name) => {
    const agent = `<DbtrAgt><FinInstnId><${name}>INGBNL2A</${name}></FinInstnId></DbtrAgt>`;
    const line = await lineOf(entry(details(transaction(parties('', agent)))));
    expect(line.counterparty.bic).toBe('INGBNL2A');
    const none = await lineOf(
      entry(details(transaction(parties('', agent.replace('INGBNL2A', 'NOTPROVIDED'))))),
    );
    expect(none.counterparty.bic).toBeNull();
  });

  it('is who was paid when money went out', async () => {
    const both = parties('<Dbtr><Nm>We</Nm></Dbtr><Cdtr><Nm>They</Nm></Cdtr>');
    const out = entry(details(transaction(both)), '1', '<CdtDbtInd>DBIT</CdtDbtInd>');
    expect(await lineOf(out)).toMatchObject({ direction: 'out', counterparty: { name: 'They' } });
  });
});

describe('what it was paid for', () => {
  const remitted = (parts: string) => entry(details(transaction(`<RmtInf>${parts}</RmtInf>`)));

  it('has all structured references with their types', async () => {
    const strd = (type: string, ref: string) =>
      `<Strd><CdtrRefInf><Tp><CdOrPrtry>${type}</CdOrPrtry></Tp><Ref>${ref}</Ref></CdtrRefInf></Strd>`;
    const both = strd('<Cd>SCOR</Cd>', 'RF7812345 ') + strd('<Prtry>QRR</Prtry>', '0012');
    const bare = '<Strd><CdtrRefInf><Ref>1</Ref></CdtrRefInf></Strd>';
    expect((await lineOf(remitted(both + bare))).references).toEqual([
      { value: 'RF7812345', type: 'SCOR' },
      { value: '0012', type: 'QRR' },
      { value: '1', type: null },
    ]);
  });

  it('is whole again where a form has cut it', async () => {
    const cut = 'x'.repeat(33);
    const parts = `<Ustrd>${cut} 1</Ustrd><Ustrd>2</Ustrd><Ustrd>b</Ustrd>`;
    expect((await lineOf(remitted(parts))).text).toBe(`${cut} 12 b`);
  });

  it('has what the bank adds behind it, and not its flags', async () => {
    const strd = '<Strd><AddtlRmtInf>?REJECT?0</AddtlRmtInf><AddtlRmtInf>more</AddtlRmtInf></Strd>';
    const parts = `<RmtInf><Ustrd>R 1</Ustrd>${strd}</RmtInf><AddtlTxInf>of it</AddtlTxInf>`;
    const text = `${details(transaction(parts))}<AddtlNtryInf>Credit</AddtlNtryInf>`;
    expect((await lineOf(entry(text))).text).toBe('R 1\nmore\nof it\nCredit');
    expect((await lineOf(entry(''))).text).toBeNull();
  });

  it('does not take what is said of all its transactions together', async () => {
    const two = details(transaction(amount('4')), transaction(amount('6')));
    const lines = await linesOf(entry(`${two}<AddtlNtryInf>RF18539007547034</AddtlNtryInf>`));
    expect(lines.map(({ text }) => text)).toEqual([null, null]);
  });

  it.each([
    '166?20EREF+E1?21SVWZ+a?31NO9386011117947?32MALLORY',
    '/RTRN/AC04/IBAN/NO9386011117947/NAME/MALLORY/REMI/a',
    ':61:261120C9999,00NTRF',
    'NRTI+109',
  ])('is text wherever it stands, also %s', async (said) => {
    for (const parts of [
      details(transaction(`<RmtInf><Ustrd>${said}</Ustrd></RmtInf>`)),
      details(transaction(`<AddtlTxInf>${said}</AddtlTxInf>`)),
      `<AddtlNtryInf>${said}</AddtlNtryInf>`,
    ]) {
      expect(await linesOf(entry(parts))).toMatchObject([
        {
          amount: 1000n,
          kind: 'payment',
          returned: false,
          endToEndId: null,
          references: [],
          counterparty: { account: null, name: null },
          text: said,
        },
      ]);
    }
  });

  it('is no NOTPROVIDED, as a text or as a reference', async () => {
    const none = '<Strd><CdtrRefInf><Ref>NOTPROVIDED</Ref></CdtrRefInf></Strd>';
    const line = await lineOf(remitted(`<Ustrd>NOTPROVIDED</Ustrd>${none}`));
    expect(line).toMatchObject({ text: null, references: [] });
  });

  it('has the blanks between its parts', async () => {
    const line = await lineOf(remitted('\n<Ustrd>A<![CDATA[ ]]>B<!-- --> <!-- -->C</Ustrd>'));
    expect(line.text).toBe('A B C');
  });

  it('may be CDATA, with entities and characters of any kind', async () => {
    const line = await lineOf(remitted('<Ustrd>A &amp; B<![CDATA[ <C>]]>&#x20AC;</Ustrd>'));
    expect(line.text).toBe('A & B <C>€');
  });

  it.each(['NOTPROVIDED', 'notprovided', ' ', 'NONREF'])('has no end-to-end id %s', async (id) => {
    const refs = `<Refs><EndToEndId>${id}</EndToEndId><TxId>T</TxId></Refs>`;
    const line = await lineOf(entry(details(transaction(refs))));
    expect(line).toMatchObject({ endToEndId: null, identifiers: { transactionId: 'T' } });
  });

  it('has the bank’s reference of the transaction before that of the entry', async () => {
    const own = entry('<NtryRef>N</NtryRef><AcctSvcrRef>A</AcctSvcrRef>');
    expect(await lineOf(own)).toMatchObject({ bankReference: 'A' });
    const refs = '<Refs><AcctSvcrRef>T</AcctSvcrRef></Refs>';
    const both = entry(`<AcctSvcrRef>A</AcctSvcrRef>${details(transaction(refs))}`);
    expect(await lineOf(both)).toMatchObject({
      bankReference: 'T',
      identifiers: { entryBankReference: 'A', transactionBankReference: 'T' },
    });
  });
});
