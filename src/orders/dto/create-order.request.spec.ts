import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Problem } from '../../http/problems/problem.js';
import { contentHash } from '../../common/canonical-json.js';
import { FIELD_ERRORS_MAX, parse, warningsAbout } from '../../contract/parse.js';
import { beforeVersion, LIVE } from '../../contract/versions/rule-groups.js';
import { CreateOrderRequest } from './create-order.request.js';

const FIELDS = [
  'orderMerchantId',
  'amount',
  'currency',
  'description',
  'customer',
  'returnUrl',
  'cancelUrl',
  'locale',
  'expiresInMinutes',
  'optionalFields',
];

/** Without the members that are null, which say nothing. */
const said = (body: object): object =>
  JSON.parse(JSON.stringify(body, (_, value: unknown) => value ?? undefined));

const groups = fc.subarray([LIVE, beforeVersion('1.2')]);
const anyBody = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(fc.oneof(fc.constantFrom(...FIELDS), fc.string()), fc.jsonValue()),
);

const validBody = fc.record(
  {
    orderMerchantId: fc.stringMatching(/^[A-Za-z0-9._:/-]{1,64}$/),
    amount: fc.integer({ min: 1, max: 99_999_999_999 }),
    currency: fc.constantFrom('EUR', 'JPY', 'KWD', 'USD'),
    description: fc.option(fc.stringMatching(/^[ a-zäß✓]{0,80}$/)),
    customer: fc.option(
      fc.record(
        { name: fc.stringMatching(/^[A-Za-zäß ]{0,50}$/), email: fc.constant('a@b.example') },
        { requiredKeys: [] },
      ),
    ),
    returnUrl: fc.option(fc.webUrl({ validSchemes: ['https'] })),
    cancelUrl: fc.option(fc.constant('https://shop.example/cart')),
    locale: fc.option(fc.constantFrom('de', 'pt-BR', 'zh-Hant-TW')),
    expiresInMinutes: fc.option(fc.integer({ min: 5, max: 43_200 })),
    optionalFields: fc.option(
      fc.dictionary(fc.stringMatching(/^[a-z]{1,9}$/), fc.stringMatching(/^[a-z ]{0,40}$/), {
        maxKeys: 20,
      }),
    ),
  },
  { requiredKeys: ['orderMerchantId', 'amount', 'currency'] },
);

/** What a JSON Pointer points at (RFC 6901). */
function resolve(body: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], body);
}

type Body = Record<string, unknown>;

const space = fc.stringMatching(/^[ \t\n\r\u00a0]{0,3}$/);
const lineBreak = fc.constantFrom('\n', '\r\n', '\t', '\n\n');

/** Ways to write a field that mean the same, and those of a text of several words. */
const around = (text: string) => fc.tuple(space, space).map(([a, b]) => a + text + b);
const inLines = (text: string) => lineBreak.map((end) => text.replaceAll(' ', end));
const letters = (code: string) => fc.mixedCase(fc.constant(code)).chain(around);
const language = (tag: string) =>
  fc.constantFrom(tag, tag.replaceAll('-', '_'), `${tag.replaceAll('-', '_')}.UTF-8`);

const CLEAN = {
  orderMerchantId: 'INV-1001',
  amount: 8990,
  currency: 'EUR',
  description: 'Two lamps and a table',
  customer: { name: 'Erika Mustermann' },
  returnUrl: 'https://shop.example/thanks',
  locale: 'de-DE',
  optionalFields: { note: 'by the door' },
};

const sloppyBody: fc.Arbitrary<Body> = fc.record({
  orderMerchantId: around(CLEAN.orderMerchantId),
  amount: fc.constant(CLEAN.amount),
  currency: letters(CLEAN.currency),
  description: inLines(CLEAN.description),
  customer: fc.record(
    { name: inLines(CLEAN.customer.name), email: fc.constantFrom('', ' ', '\n', null) },
    { requiredKeys: ['name'] },
  ),
  returnUrl: around(CLEAN.returnUrl),
  cancelUrl: fc.constantFrom('', '  ', null, undefined),
  locale: language(CLEAN.locale),
  optionalFields: inLines(CLEAN.optionalFields.note).chain((note) =>
    fc.constantFrom<Body>({ note }, { note, table: null }),
  ),
});

const HOSTILE = ['\0', '\ud800', '\u0007', '\u009b', '\u007f'];
const TEXTS = ['orderMerchantId', 'currency', 'description', 'returnUrl', 'locale'];

describe(CreateOrderRequest.name, () => {
  it('keeps the same of every sloppy form, and tells where it is another', () => {
    const clean = contentHash(parse(CreateOrderRequest, CLEAN));
    fc.assert(
      fc.property(sloppyBody, (body) => {
        const request = parse(CreateOrderRequest, body);
        expect(request).toEqual(parse(CreateOrderRequest, CLEAN));
        expect(contentHash(request)).toEqual(clean);
        for (const { pointer } of warningsAbout(request)) {
          const [, field = ''] = pointer.split('/');
          expect(body[field]).not.toEqual((CLEAN as Body)[field]);
        }
      }),
    );
  });

  it('keeps what was kept as it is', () => {
    fc.assert(
      fc.property(validBody, (body) => {
        const request = parse(CreateOrderRequest, body);
        const again = parse(CreateOrderRequest, JSON.parse(JSON.stringify(request)));
        expect(again).toEqual(request);
        expect(warningsAbout(again)).toEqual([]);
      }),
    );
  });

  it('refuses hostile characters wherever they stand, and says where', () => {
    const place = fc.constantFrom(...TEXTS);
    fc.assert(
      fc.property(
        sloppyBody,
        place,
        fc.constantFrom(...HOSTILE),
        fc.nat(),
        (body, field, bad, n) => {
          const text = body[field] as string;
          const at = n % (text.length + 1);
          const spoilt = { ...body, [field]: text.slice(0, at) + bad + text.slice(at) };
          expect(() => parse(CreateOrderRequest, spoilt)).toThrow(
            expect.objectContaining({
              errors: [expect.objectContaining({ pointer: `/${field}` })],
            }),
          );
        },
      ),
    );
  });

  it('takes every body that keeps to the limits', () => {
    fc.assert(
      fc.property(validBody, (body) => {
        expect(parse(CreateOrderRequest, body, [LIVE])).toMatchObject(said(body));
      }),
    );
  });

  it('answers every other JSON with a list of faults, each at a place in the body', () => {
    fc.assert(
      fc.property(anyBody, groups, (body, groups) => {
        try {
          parse(CreateOrderRequest, body, groups);
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
          const { code, errors = [] } = error as Problem;
          expect(code).toBe('validation_failed');
          expect(errors.length).toBeGreaterThan(0);
          expect(errors.length).toBeLessThanOrEqual(FIELD_ERRORS_MAX);
          for (const { pointer, code: fault } of errors) {
            if (fault !== 'required') expect(resolve(body, pointer)).toBeDefined();
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
