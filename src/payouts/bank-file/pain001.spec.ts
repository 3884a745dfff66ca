import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CURRENCY_CODES } from '../../common/money/currencies.js';
import { AMOUNT_MAX, toMajorUnits } from '../../common/money/money.js';
import {
  type BankFileFormat,
  BANK_FILE_FORMATS,
} from '../../database/payouts/payout-file.entity.js';
import {
  type CreditTransfer,
  DEBTOR_WITHIN,
  debtorIbanIn,
  pain001,
  type PaymentFile,
} from './pain001.js';
import { isSepaText, sepaText } from './sepa-text.js';

const FORMATS = BANK_FILE_FORMATS;

const TRANSFER: CreditTransfer = {
  endToEndId: '0198f0c2a1b47c3d8e5f60718293a4b5',
  amount: 124900,
  name: 'Łukasz & Söhne GmbH',
  iban: 'DE89370400440532013000',
  remittance: 'Payout of 20 November – 31 orders',
};

const FILE: PaymentFile = {
  messageId: 'PO-20261120-1',
  createdAt: new Date('2026-11-20T14:32:10.987Z'),
  executionDay: '2026-11-23',
  currency: 'EUR',
  debtor: { name: 'Zahlungen Österreich', iban: 'AT611904300234573201', bic: 'BKAUATWW' },
  transfers: [TRANSFER],
};

/** Valid by the schema of the version, as its elements stand here. */
const written = (format: BankFileFormat, day: string, bic: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${format}"><CstmrCdtTrfInitn>
<GrpHdr><MsgId>PO-20261120-1</MsgId><CreDtTm>2026-11-20T14:32:10Z</CreDtTm><NbOfTxs>1</NbOfTxs><CtrlSum>1249.00</CtrlSum><InitgPty><Nm>Zahlungen Oesterreich</Nm></InitgPty></GrpHdr>
<PmtInf><PmtInfId>PO-20261120-1</PmtInfId><PmtMtd>TRF</PmtMtd><BtchBookg>false</BtchBookg><NbOfTxs>1</NbOfTxs><CtrlSum>1249.00</CtrlSum><PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf><ReqdExctnDt>${day}</ReqdExctnDt><Dbtr><Nm>Zahlungen Oesterreich</Nm></Dbtr><DbtrAcct><Id><IBAN>AT611904300234573201</IBAN></Id></DbtrAcct><DbtrAgt><FinInstnId>${bic}</FinInstnId></DbtrAgt><ChrgBr>SLEV</ChrgBr>
<CdtTrfTxInf><PmtId><EndToEndId>0198f0c2a1b47c3d8e5f60718293a4b5</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">1249.00</InstdAmt></Amt><Cdtr><Nm>Lukasz + Soehne GmbH</Nm></Cdtr><CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct><RmtInf><Ustrd>Payout of 20 November - 31 orders</Ustrd></RmtInf></CdtTrfTxInf>
</PmtInf>
</CstmrCdtTrfInitn></Document>
`;

const withTransfers = (...transfers: Partial<CreditTransfer>[]): PaymentFile => ({
  ...FILE,
  transfers: transfers.map((transfer) => ({ ...TRANSFER, ...transfer })),
});

/** What stands in the elements of a name, in the order of the file. */
const texts = (xml: string, element: string): string[] =>
  [...xml.matchAll(new RegExp(`<${element}(?: [^>]*)?>([^<]*)</${element}>`, 'g'))].map(
    ([, text]) => text!,
  );

/** The names of the elements as they open and close. */
const shape = (xml: string): string[] =>
  [...xml.matchAll(/<(\/?\w+)[^>]*>/g)].map(([, element]) => element!);

describe(pain001.name, () => {
  it('writes version 9', () => {
    const xml = written('pain.001.001.09', '<Dt>2026-11-23</Dt>', '<BICFI>BKAUATWW</BICFI>');
    expect(pain001(FILE, 'pain.001.001.09')).toBe(xml);
  });

  it('writes version 3', () => {
    const xml = written('pain.001.001.03', '2026-11-23', '<BIC>BKAUATWW</BIC>');
    expect(pain001(FILE, 'pain.001.001.03')).toBe(xml);
  });

  it.each(FORMATS)('says in %s that a bank has no BIC', (format) => {
    const xml = pain001({ ...FILE, debtor: { ...FILE.debtor, bic: null } }, format);
    expect(xml).toContain('<FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId>');
  });

  it.each(FORMATS)('is no SEPA payment in %s when it is not in euros', (format) => {
    const xml = pain001({ ...FILE, currency: 'CHF' }, format);
    expect(xml).not.toContain('PmtTpInf');
    expect(texts(xml, 'ChrgBr')).toEqual(['SHAR']);
    expect(xml).toContain('<InstdAmt Ccy="CHF">1249.00</InstdAmt>');
  });

  it.each([
    ['JPY', '1249'],
    ['KWD', '1.249'],
    ['EUR', '12.49'],
  ])('writes amounts with the decimals of %s', (currency, text) => {
    const xml = pain001({ ...withTransfers({ amount: 1249 }), currency }, 'pain.001.001.09');
    expect(texts(xml, 'InstdAmt')).toEqual([text]);
    expect(texts(xml, 'CtrlSum')).toEqual([text, text]);
  });

  it('has one element for each transfer, and no text where there is none to write', () => {
    const one = shape(pain001(FILE, 'pain.001.001.09'));
    const two = shape(pain001(withTransfers({}, { remittance: ' ' }), 'pain.001.001.09'));
    const from = one.indexOf('CdtTrfTxInf');
    const transfer = one.slice(from, one.indexOf('/CdtTrfTxInf') + 1);
    const silent = transfer.filter((element) => !/RmtInf|Ustrd/.test(element));
    expect(silent).toHaveLength(transfer.length - 4);
    expect(two).toEqual(one.toSpliced(from, transfer.length, ...transfer, ...silent));
  });

  it.each([
    ['no transfer', withTransfers()],
    ['an amount of nothing', withTransfers({ amount: 0 })],
    ['a debt', withTransfers({}, { amount: -1 })],
    ['parts of a cent', withTransfers({ amount: 0.5 }, { amount: 0.5 })],
    ['more than SEPA carries', withTransfers({ amount: AMOUNT_MAX + 1 })],
    ['an unknown currency', { ...FILE, currency: 'eur' }],
    ['a creditor without a readable name', withTransfers({ name: '\ue000' })],
    ['a debtor without a name', { ...FILE, debtor: { ...FILE.debtor, name: ' ' } }],
    ['no identifier', withTransfers({ endToEndId: '' })],
    ['an identifier too long', withTransfers({ endToEndId: 'a'.repeat(36) })],
    ['an identifier that ends in a slash', withTransfers({ endToEndId: 'a/' })],
    ['an identifier with two slashes', withTransfers({ endToEndId: 'a//b' })],
    ['an identifier outside the set', withTransfers({ endToEndId: 'a_b' })],
    ['a message without an identifier', { ...FILE, messageId: '/1' }],
    ['an account that is markup', withTransfers({ iban: '</IBAN><IBAN>' })],
    ['a bank that is markup', { ...FILE, debtor: { ...FILE.debtor, bic: '<BIC/>' } }],
    ['a day that is markup', { ...FILE, executionDay: '<Dt>2026-11-23</Dt>' }],
    ['a moment that is none', { ...FILE, createdAt: new Date(NaN) }],
  ])('refuses %s', (_, file) => {
    for (const format of FORMATS) expect(() => pain001(file, format)).toThrow(Error);
  });

  it('says which transfer it refuses', () => {
    const file = withTransfers({}, { endToEndId: 'second', name: '—' });
    expect(() => pain001(file, 'pain.001.001.09')).toThrow(/second/);
  });

  it('writes an identifier of the full length, and cuts names and texts to theirs', () => {
    const endToEndId = 'a'.repeat(35);
    const long = 'ß'.repeat(200);
    const debtor = { ...FILE.debtor, name: long };
    const file = { ...withTransfers({ endToEndId, name: long, remittance: long }), debtor };
    const xml = pain001(file, 'pain.001.001.09');
    expect(texts(xml, 'EndToEndId')).toEqual([endToEndId]);
    expect(texts(xml, 'Nm')).toEqual(Array(3).fill('s'.repeat(70)));
    expect(texts(xml, 'Ustrd')).toEqual(['s'.repeat(140)]);
  });

  it.each(FORMATS)('names its debtor in its beginning, in %s', (format) => {
    const long = { name: 'ß'.repeat(200), iban: `MT84${'X'.repeat(30)}`, bic: 'BKAUATWWXXX' };
    const file = withTransfers(...Array<object>(100).fill({ amount: AMOUNT_MAX }));
    const xml = pain001({ ...file, messageId: 'a'.repeat(35), debtor: long }, format);
    expect(debtorIbanIn(xml.slice(0, DEBTOR_WITHIN))).toBe(long.iban);
    expect(debtorIbanIn(xml.slice(xml.indexOf('<CdtTrfTxInf>')))).toBeNull();
  });

  it('writes ten thousand transfers in well under a second', () => {
    const file = withTransfers(...Array.from({ length: 10_000 }, () => ({ amount: AMOUNT_MAX })));
    const start = process.cpuUsage();
    const xml = pain001(file, 'pain.001.001.09');
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(1000);
    expect(texts(xml, 'NbOfTxs')).toEqual(['10000', '10000']);
    expect(texts(xml, 'CtrlSum')).toEqual(['9999999999900.00', '9999999999900.00']);
    expect(texts(xml, 'InstdAmt')).toHaveLength(10_000);
  });

  it('keeps sums, order and the banks’ signs, whatever the transfers are', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    const transfer = fc.record({
      endToEndId: fc.stringMatching(/^[a-z0-9]{1,35}$/),
      amount: fc.integer({ min: 1, max: AMOUNT_MAX }),
      name: text.filter((name) => sepaText(name, 70) !== null),
      iban: fc.constantFrom('DE89370400440532013000', 'NO9386011117947'),
      remittance: text,
    });
    const transfers = fc.array(transfer, { minLength: 1, maxLength: 20 });
    const all = fc.tuple(
      transfers,
      fc.constantFrom(...CURRENCY_CODES),
      fc.constantFrom(...FORMATS),
    );
    fc.assert(
      fc.property(all, ([transfers, currency, format]) => {
        const xml = pain001({ ...FILE, transfers, currency }, format);
        const sum = transfers.reduce((total, { amount }) => total + BigInt(amount), 0n);
        const total = toMajorUnits(Number(sum), currency);
        expect(texts(xml, 'CtrlSum')).toEqual([total, total]);
        expect(texts(xml, 'NbOfTxs')).toEqual(Array(2).fill(String(transfers.length)));
        expect(texts(xml, 'EndToEndId')).toEqual(transfers.map((each) => each.endToEndId));
        expect(texts(xml, 'IBAN').slice(1)).toEqual(transfers.map((each) => each.iban));
        expect(isSepaText(xml.replace(/<[^<>]*>|\n/g, ''))).toBe(true);
        const names = texts(xml, 'Nm');
        expect(names).toHaveLength(transfers.length + 2);
        expect(names.filter((name) => name.length < 1 || name.length > 70)).toEqual([]);
      }),
    );
  });
});
