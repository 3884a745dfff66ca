import { describe, expect, it } from '@jest/globals';
import { collectBankFile, statementFile } from '../collect.js';

const MESSAGES = {
  '052': ['BkToCstmrAcctRpt', 'Rpt'],
  '053': ['BkToCstmrStmt', 'Stmt'],
  '054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
} as const;

const written = (kind: keyof typeof MESSAGES, parts: string): string => {
  const [message, statement] = MESSAGES[kind];
  return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${kind}.001.08"><${message}><${statement}><Id>S</Id>
    <Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>${parts}</${statement}></${message}></Document>`;
};
const read = (...args: Parameters<typeof written>) =>
  collectBankFile(statementFile(written(...args)));

const entry = (amount: string, sign = 'CRDT', details = '', status = 'BOOK'): string =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${sign}</CdtDbtInd><Sts><Cd>${status}</Cd></Sts>${details}</Ntry>`;
const balance = (code: string, amount: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`;
const ENTRIES = `${entry('1000.00')}${entry('1.00')}${entry('300.00', 'DBIT')}${entry('5.00', 'CRDT', '', 'PDNG')}`;

describe('what a bank says its entries come to', () => {
  const total = (name: string, count: string, sum: string, more = ''): string =>
    `<${name}><NbOfNtries>${count}</NbOfNtries><Sum>${sum}</Sum>${more}</${name}>`;
  const net = (amount: string) => `<TtlNetNtry><Amt>${amount}</Amt></TtlNetNtry>`;

  it.each([
    ['of all', total('TtlNtries', '4', '1306.00', net('706.00'))],
    ['of all, less what went', total('TtlNtries', '4', '706')],
    ['of what is booked', total('TtlNtries', '3', '1301.00', net('701.00'))],
    ['of credits', total('TtlCdtNtries', '2', '1001.00')],
    ['of debits', total('TtlDbtNtries', '1', '-300.00')],
    ['of neither', ''],
  ])('is so: %s', async (_, totals) => {
    const { statements, warnings } = await read(
      '052',
      `<TxsSummry>${totals}</TxsSummry>${ENTRIES}`,
    );
    expect({ statements, warnings }).toMatchObject({
      statements: [{ balanced: null }],
      warnings: [],
    });
  });

  it.each([
    ['a number', total('TtlNtries', '1', '1306.00')],
    ['a sum', total('TtlNtries', '4', '1.00')],
    ['a number of the one and a sum of the other', total('TtlNtries', '3', '1306.00')],
    ['credits', total('TtlCdtNtries', '1', '1.00')],
    ['debits', total('TtlDbtNtries', '0', '0')],
    ['no number', total('TtlNtries', 'x', '1306.00')],
  ])('proves nothing where it is not so: %s', async (_, totals) => {
    for (const parts of [
      `<TxsSummry>${totals}</TxsSummry>${ENTRIES}`,
      `${ENTRIES}<TxsSummry>${totals}</TxsSummry>`,
    ]) {
      const { statements, warnings } = await read('052', parts);
      expect(statements).toMatchObject([{ balanced: false, coversFrom: null }]);
      expect(warnings).toMatchObject([{ code: 'not_balanced' }]);
    }
  });
});

describe('what a bank says the transactions of an entry come to', () => {
  const batch = (parts: string) => `<Btch>${parts}</Btch>`;
  const transaction = (amount: string) => `<TxDtls><Amt Ccy="EUR">${amount}</Amt></TxDtls>`;
  const details = (parts: string) => `<NtryDtls>${parts}</NtryDtls>`;
  const TWO = transaction('999.00') + transaction('1.00');

  it.each([
    batch('<NbOfTxs>2</NbOfTxs><TtlAmt Ccy="EUR">1000</TtlAmt>'),
    batch('<TtlAmt Ccy="USD">1100</TtlAmt>'),
    batch('<MsgId>M</MsgId>'),
  ])('is so: %s', async (said) => {
    const { statements, warnings } = await read(
      '054',
      entry('1000.00', 'CRDT', details(said + TWO)),
    );
    expect(warnings).toEqual([]);
    expect(statements[0]!.lines.map(({ contradicts }) => contradicts)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('is so of several batches', async () => {
    const said = batch('<NbOfTxs>1</NbOfTxs>');
    const all = details(said + transaction('999.00')) + details(said + transaction('1.00'));
    expect((await read('054', entry('1000.00', 'CRDT', all))).warnings).toEqual([]);
  });

  it.each([
    [batch('<NbOfTxs>3</NbOfTxs>'), TWO],
    [batch('<NbOfTxs>x</NbOfTxs>'), TWO],
    [batch('<NbOfTxs>2</NbOfTxs><TtlAmt Ccy="EUR">1500.00</TtlAmt>'), TWO],
    [batch('<NbOfTxs>1</NbOfTxs><TtlAmt Ccy="EUR">1500.00</TtlAmt>'), transaction('1000.00')],
    [batch('<TtlAmt Ccy="EUR">x</TtlAmt>'), TWO],
  ])('contradicts each of them where it is not so: %s', async (said, transactions) => {
    const { statements, warnings } = await read(
      '054',
      entry('1000.00', 'CRDT', details(said + transactions)),
    );
    const { lines } = statements[0]!;
    expect(lines.map(({ contradicts }) => typeof contradicts)).toEqual(lines.map(() => 'string'));
    expect(warnings.map(({ code }) => code)).toEqual(lines.map(() => 'contradiction'));
  });
});

describe('two balances of one kind', () => {
  it.each([
    ['OPBD', '101.00'],
    ['CLBD', '100.00'],
  ])('that differ prove nothing, whichever comes last: %s', async (kind, other) => {
    const right = balance('OPBD', '100.00') + balance('CLBD', '101.00');
    for (const balances of [right + balance(kind, other), balance(kind, other) + right]) {
      const { statements, warnings } = await read('053', `${balances}${entry('1.00')}`);
      expect(statements).toMatchObject([{ balanced: false }]);
      expect(warnings[0]!.detail).toContain(`there are balances ${kind} of`);
    }
    const same = right + right;
    expect(await read('053', `${same}${entry('1.00')}`)).toMatchObject({
      statements: [{ balanced: true }],
      warnings: [],
    });
  });
});
