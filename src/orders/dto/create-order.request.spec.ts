import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Problem } from '../../http/problem.js';
import { FIELD_ERRORS_MAX, parse } from '../../contract/parse.js';
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

describe(CreateOrderRequest.name, () => {
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
