import { describe, expect, it } from '@jest/globals';
import encodeQr from 'qr';
import { EPC_QR_LEVEL, EPC_QR_MAX_BYTES, epcPayload, type EpcTransfer } from './epc-payload.js';

const IBAN = 'DE71110220330123456789';
const REFERENCE = 'RF18539007547034';
const TRANSFER: EpcTransfer = {
  name: 'Franz Mustermänn',
  iban: IBAN,
  amount: 1230,
  reference: REFERENCE,
};

describe('the text of a QR code for a transfer', () => {
  it.each([
    [TRANSFER, `BCD\n002\n1\nSCT\n\nFranz Mustermänn\n${IBAN}\nEUR12.30\n\n${REFERENCE}`],
    [
      { ...TRANSFER, bic: 'BHBLDEHHXXX', purpose: 'GDDS' },
      `BCD\n002\n1\nSCT\nBHBLDEHHXXX\nFranz Mustermänn\n${IBAN}\nEUR12.30\nGDDS\n${REFERENCE}`,
    ],
    [{ name: 'A', iban: 'de71 1102 2033 0123 4567 89' }, `BCD\n002\n1\nSCT\n\nA\n${IBAN}`],
    [{ name: 'A', iban: IBAN, text: 'T' }, `BCD\n002\n1\nSCT\n\nA\n${IBAN}\n\n\n\nT`],
    [
      { name: 'A', iban: IBAN, amount: 1, information: 'I' },
      `BCD\n002\n1\nSCT\n\nA\n${IBAN}\nEUR0.01\n\n\n\nI`,
    ],
    [
      { name: 'A', iban: IBAN, amount: 99_999_999_999 },
      `BCD\n002\n1\nSCT\n\nA\n${IBAN}\nEUR999999999.99`,
    ],
  ])('%# has its lines, and nothing behind the last', (transfer, payload) => {
    expect(epcPayload(transfer)).toBe(payload);
  });

  it.each([
    { name: '' },
    { name: 'x'.repeat(71) },
    { name: 'a\nb' },
    { iban: 'DE71110220330123456788' },
    { bic: 'BHBLDE' },
    { bic: 'BHBLDEHHXX' },
    { amount: 0 },
    { amount: 0.5 },
    { amount: 100_000_000_000 },
    { purpose: 'GDDSX' },
    { reference: 'RF17539007547034' },
    { text: 'and a text' },
    { reference: undefined, text: 'x'.repeat(141) },
    { information: 'x'.repeat(71) },
    { information: '\ud800' },
  ])('%# is refused', (wrong) => {
    expect(() => epcPayload({ ...TRANSFER, ...wrong })).toThrow(RangeError);
  });

  it('counts bytes, and fills a code of version 13 at most', () => {
    const size = (information: string) =>
      epcPayload({ name: 'ä'.repeat(70), iban: IBAN, text: 'ä'.repeat(40), information });
    const room = EPC_QR_MAX_BYTES - Buffer.byteLength(size('')) - 1;
    const full = size('x'.repeat(room));
    expect(Buffer.byteLength(full)).toBe(EPC_QR_MAX_BYTES);
    expect(() => size('x'.repeat(room + 1))).toThrow('more than a code takes');
    // Version 13 has 69 modules on a side, and there is a border of one.
    expect(encodeQr(full, 'raw', { ecc: EPC_QR_LEVEL, encoding: 'byte', border: 1 })).toHaveLength(
      71,
    );
  });
});
