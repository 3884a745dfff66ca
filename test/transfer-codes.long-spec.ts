import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newTransferReference } from '../src/common/money/creditor-reference.js';
import { EPC_QR_MAX_BYTES } from '../src/common/money/epc-payload.js';
import { LOCALES } from '../src/common/locale.js';
import { CompiledPageCache } from '../src/payment-page/compiled-page-cache.js';
import { describePage } from '../src/payment-page/page-slots.js';
import type { PageOrder } from '../src/payment-page/page.model.js';
import { readCodeOf } from './support/qr-reader.js';

const ORDERS = 200;
/** The largest code that may be used (EPC069-12). */
const VERSION_MAX = 13;
const AMOUNT_MAX = 99_999_999_999;

const now = new Date('2026-11-20T13:00:00Z');
const pages = new CompiledPageCache();

const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length });

/** With check digits of its own, by ISO 7064. */
const iban = fc.oneof(
  digits(18).map((bban) => withCheckDigits('DE', bban.join(''))),
  digits(16).map((bban) => withCheckDigits('AT', bban.join(''))),
  digits(10).map((bban) => withCheckDigits('NL', `ABNA${bban.join('')}`)),
);

function withCheckDigits(country: string, bban: string): string {
  const number = [...`${bban}${country}00`].map((sign) => parseInt(sign, 36)).join('');
  return `${country}${String(98n - (BigInt(number) % 97n)).padStart(2, '0')}${bban}`;
}

/** Names of all alphabets, as long as they may be. */
const holder = fc
  .string({
    unit: fc.constantFrom(...'AZaz09 .&\'"<>-/ÄöüßéŁşΩжش银€'),
    minLength: 1,
    maxLength: 70,
  })
  .filter((name) => name.trim() === name);

const transfer = fc.record({
  holder,
  account: iban,
  bic: fc.constantFrom(null, 'BYLADEM1001', 'COBADEFF'),
  bankName: fc.constant(null),
  reference: fc.constantFrom('test', 'live').map((mode) => newTransferReference(mode as 'test')),
});

const order = fc
  .record({
    transfer,
    amount: fc.integer({ min: 2, max: AMOUNT_MAX }),
    share: fc.constantFrom(0, 0, 0.3),
    locale: fc.constantFrom(...LOCALES),
  })
  .map(({ amount, share, ...rest }) => ({ ...rest, amount, received: Math.floor(amount * share) }));

type Drawn = typeof order extends fc.Arbitrary<infer Value> ? Value : never;

function pageOf({ transfer: form, amount, received, locale }: Drawn, currency = 'EUR'): string {
  const shown: PageOrder = {
    orderMerchantId: 'A-1',
    txid: '019aa2f0-7c00-7000-8000-0123456789ab',
    status: received > 0 ? 'open' : 'processing',
    statusReason: received > 0 ? null : 'awaiting_transfer',
    exception: received > 0 ? 'underpaid' : 'none',
    amount,
    amountReceived: received,
    currency,
    description: null,
    returnUrl: null,
    cancelUrl: null,
    expiresAt: now,
    updatedAt: now,
    version: 2,
    payment: null,
    payments: [{ status: received > 0 ? 'succeeded' : 'pending', transfer: form }],
  };
  const { key, slots } = describePage({
    order: shown,
    cancelable: true,
    token: 'tok',
    theme: { name: 'Nordlicht', colour: '0b4f9e', logoUrl: null, contactUrl: null },
    methods: [],
    mode: 'test',
    locale,
    stays: false,
    processingUntil: null,
    lookedAt: null,
    now,
  });
  return pages.render(key, slots);
}

/** By the standard's own list of lines, and not by our code. */
const payloadOf = ({
  transfer: { holder: name, account, bic, reference },
  amount,
  received,
}: Drawn) => {
  const cents = String(amount - received).padStart(3, '0');
  const euros = `EUR${cents.slice(0, -2)}.${cents.slice(-2)}`;
  return ['BCD', '002', '1', 'SCT', bic ?? '', name, account, euros, '', reference].join('\n');
};

describe('the code of a transfer on the payment page', () => {
  it(`of ${ORDERS} orders is read back byte for byte by another program`, () => {
    fc.assert(
      fc.property(order, (drawn) => {
        const payload = payloadOf(drawn);
        const code = readCodeOf(pageOf(drawn));
        expect(code?.text).toBe(payload);
        expect(code?.bytes).toBe(Buffer.byteLength(payload));
        expect(code?.bytes).toBeLessThanOrEqual(EPC_QR_MAX_BYTES);
        expect(code?.version).toBeLessThanOrEqual(VERSION_MAX);
      }),
      { numRuns: ORDERS },
    );
  });

  it.each<[string, Partial<Drawn['transfer']>, string]>([
    ['of another currency', {}, 'CHF'],
    ['to an account without an IBAN', { account: '12-345678-9' }, 'EUR'],
    ['to a holder of whom a code cannot tell', { holder: 'A\nB' }, 'EUR'],
  ])('is left out %s; what to type is there', (_, change, currency) => {
    const [drawn] = fc.sample(order, 1) as [Drawn];
    const form = { ...drawn.transfer, ...change };
    const html = pageOf({ ...drawn, transfer: form }, currency);
    expect(readCodeOf(html)).toBeNull();
    expect(html).toContain(`data-copy="${form.reference}"`);
    expect(html).toContain(`data-copy="${form.account}"`);
  });
});
