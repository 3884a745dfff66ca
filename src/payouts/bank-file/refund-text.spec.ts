import { describe, expect, it } from '@jest/globals';
import { newTransferReference } from '../../common/money/creditor-reference.js';
import { refundText } from './refund-text.js';

describe(refundText.name, () => {
  it('has the order number, in the language of the order where banks can write it', () => {
    expect(refundText('de-AT', 'A-1001')).toBe('Erstattung zu Bestellung A-1001');
    expect(refundText('zh', 'A-1001')).toBe('Refund of order A-1001');
    expect(refundText(null, '0b54a3a6-2f0c-4e65-9a3e-0c8a8a3b2f11')).toContain('0b54a3a6-2f0c');
    expect(refundText('en', '订单')).toMatch(/^Refund of order \S/);
  });

  it('leaves out digits that continue the letters of the words', () => {
    expect(refundText('tr', '1000000000245489')).toBe('Siparis iadesi');
    expect(refundText('de', '1000000000245489')).toContain('1000000000245489');
  });

  it.each([
    ['a reference', newTransferReference('live')],
    ['its digits', newTransferReference('live').slice(2)],
    ['spaced out', newTransferReference('live').replace(/(.{4})/g, '$1 ')],
    ['letters that look like digits', 'RF18O5OO23OOO7O5I5OO85'],
    ['digits of another script', '١٨٠٥٠٠٢٣٠٠٠٧٠٥١٥٠٠'],
    ['a payout id', '0b54a3a62f0c4e659a3e0c8a8a3b2f11'],
  ])('leaves out a number that imitates %s', (_, number) => {
    expect(refundText('en', number)).toBe('Refund of order');
  });
});
