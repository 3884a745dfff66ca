import { describe, expect, it } from '@jest/globals';
import { ERRORS } from '../src/http/problems/errors.js';
import { FIELD_ERRORS } from '../src/http/problems/field-errors.js';
import { IN_PORTAL } from './support/examples/failures.js';
import { openShop } from './support/shop.js';

/** Every code with its status, as callers know them: a change here breaks their programs. */
const CODES = {
  malformed_request: 400,
  malformed_json: 400,
  selector_required: 400,
  selector_ambiguous: 400,
  unknown_parameter: 400,
  invalid_parameter: 400,
  unknown_event: 400,
  unknown_api_version: 400,
  invalid_idempotency_key: 400,
  unauthorized: 401,
  invalid_signature: 401,
  missing_scope: 403,
  ip_not_allowed: 403,
  test_mode_only: 403,
  second_person_required: 403,
  refund_second_person: 403,
  approver_of_merchant: 403,
  second_factor_too_old: 403,
  order_not_found: 404,
  payout_not_found: 404,
  refund_not_found: 404,
  payout_file_not_found: 404,
  bank_account_not_found: 404,
  webhook_endpoint_not_found: 404,
  delivery_not_found: 404,
  recipient_not_found: 404,
  route_not_found: 404,
  error_not_found: 404,
  not_in_this_version: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  order_already_exists: 409,
  order_not_acceptable: 409,
  order_changed: 412,
  order_finished: 409,
  no_ended_payment: 409,
  order_not_cancelable: 409,
  order_not_changeable: 409,
  order_not_payable: 409,
  order_not_refundable: 409,
  payment_in_progress: 409,
  too_many_webhook_endpoints: 409,
  too_many_api_keys: 409,
  too_many_recipients: 409,
  recipient_unsubscribed: 409,
  refund_already_exists: 409,
  refundable_changed: 409,
  refund_link_not_found: 404,
  refund_not_cancelable: 409,
  payout_not_possible: 409,
  payout_changed: 409,
  payout_too_large: 409,
  bank_account_not_usable: 409,
  bank_account_in_use: 409,
  nothing_to_export: 409,
  payout_file_withheld: 409,
  payout_file_changed: 409,
  payout_account_missing: 409,
  body_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  validation_failed: 422,
  insufficient_balance: 422,
  refund_too_large: 422,
  idempotency_key_reused: 422,
  no_payment_method: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
};

const RETRYABLE = [
  'request_timeout',
  'payment_in_progress',
  'rate_limited',
  'internal_error',
  'unavailable',
];

const FIELD_CODES = [
  'required',
  'unknown_member',
  'wrong_type',
  'wrong_format',
  'too_short',
  'too_long',
  'out_of_range',
  'control_character',
  'not_well_formed',
  'unknown_currency',
  'card_data_refused',
  'https_required',
  'address_refused',
  'field_not_in_this_version',
];

describe('error codes', () => {
  it('keep their names, statuses and retryability', () => {
    const actual = Object.entries(ERRORS);
    expect(Object.fromEntries(actual.map(([code, { status }]) => [code, status]))).toEqual(CODES);
    const retryable = actual.filter(([, error]) => error.retryable).map(([code]) => code);
    expect(retryable).toEqual(RETRYABLE);
    expect(Object.keys(FIELD_ERRORS)).toEqual(FIELD_CODES);
  });
});

const { app } = await openShop();

describe('the pages of errors', () => {
  const open = (path: string, accept = 'text/html'): Promise<Response> =>
    fetch(app.url + path, { headers: { accept } });

  it.each([...Object.keys(CODES), ...FIELD_CODES])('/errors/%s explains itself', async (code) => {
    const page = await open(`/errors/${code}`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = await page.text();
    for (const part of ['<h1>', 'What to do', 'The same request', `<code>${code}</code>`]) {
      expect(html).toContain(part);
    }
    const isInPortal = (IN_PORTAL as readonly string[]).includes(code);
    expect(html).toContain(
      isInPortal ? 'no operation answers with it' : `&quot;code&quot;: &quot;${code}&quot;`,
    );
    expect(html).not.toMatch(/<script|<style|style=|undefined/);
  });

  it('lists every code with a link', async () => {
    const html = await (await open('/errors')).text();
    for (const code of [...Object.keys(CODES), ...FIELD_CODES]) {
      expect(html).toContain(`href="/errors/${code}"`);
    }
  });

  it('leads from an error to the operations that answer it', async () => {
    const html = await (await open('/errors/order_already_exists')).text();
    expect(html).toContain('href="/docs#/orders/createOrder"');
    expect(html).not.toContain('getOrder');
  });

  it('tells a browser in HTML and a program in JSON that a code does not exist', async () => {
    const page = await open('/errors/nonsense');
    expect([page.status, page.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
    const problem = await open('/errors/nonsense', 'application/json');
    expect([problem.status, problem.headers.get('content-type')]).toEqual([
      404,
      'application/problem+json; charset=utf-8',
    ]);
    expect(await problem.json()).toMatchObject({ code: 'error_not_found' });
  });

  it('is not fooled by names that every object has', async () => {
    for (const code of ['constructor', '__proto__', 'toString']) {
      expect((await open(`/errors/${code}`)).status).toBe(404);
    }
  });
});
