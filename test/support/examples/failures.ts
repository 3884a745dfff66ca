import type { ErrorCode } from '../../../src/http/problems/errors.js';
import type { FieldErrorCode } from '../../../src/http/problems/field-errors.js';
import { select, withoutTriggers } from '../facts.js';
import { Cashier } from '../payouts.js';
import { pageOf, press, RECIPIENTS } from '../mailbox.js';
import { newOrder, nextOrderName } from './new-order.js';
import { ENDPOINTS, newEndpoint, newRecipient } from './requests.js';
import { type Got, raw, type Sent, type Stage } from './stage.js';
import { enableLiveProvider, paidLive } from '../live.js';

const UNKNOWN_ORDER = '00000000-0000-7000-8000-000000000000';
const TXID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

const at = (sent: Sent, txid: string): Sent => ({ ...sent, path: sent.path.replace(TXID, txid) });
const withHeader = (sent: Sent, name: string, value: string): Sent => ({
  ...sent,
  headers: { ...sent.headers, [name]: value },
});
const withQuery = (sent: Sent, query: string): Sent => ({
  ...sent,
  path: `${sent.path}${sent.path.includes('?') ? '&' : '?'}${query}`,
});
type Provoke = (stage: Stage, sent: Sent) => Promise<Got>;

/** How to make a valid request fail with each code. */
export const PROVOKE: Readonly<Partial<Record<ErrorCode, Provoke>>> = {
  malformed_request: (stage, { method, path }) =>
    raw(stage.app.url, `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ten\r\n\r\n`),
  malformed_json: (stage, sent) => stage.send({ ...sent, body: '{"amount": 8990' }),
  selector_required: (stage, sent) =>
    stage.send({ ...sent, path: sent.path.split('?')[0] ?? sent.path }),
  selector_ambiguous: (stage, sent) => stage.send(withQuery(sent, 'orderMerchantId=INV-1')),
  unknown_parameter: (stage, sent) => stage.send(withQuery(sent, 'expand=payment')),
  invalid_parameter: (stage, sent) => stage.send(withQuery(sent, 'limit=0')),
  unknown_event: (stage, { method }) =>
    stage.send({ method, path: `/api/event?after=${UNKNOWN_ORDER}` }),
  unknown_api_version: (stage, sent) => stage.send(withHeader(sent, 'api-version', '2.0')),
  invalid_idempotency_key: (stage, sent) => stage.send(withHeader(sent, 'idempotency-key', '')),
  unauthorized: (stage, sent) => stage.send(withHeader(sent, 'authorization', 'Bearer pos_test_x')),
  missing_scope: (stage, sent) => stage.send(sent, stage.scopeless),
  ip_not_allowed: (stage, sent) => stage.send(sent, stage.stranger),
  test_mode_only: (stage, sent) => stage.send(sent, stage.live),
  order_not_found: (stage, sent) => stage.send(at(sent, UNKNOWN_ORDER)),
  payout_not_found: (stage, sent) => stage.send(at(sent, UNKNOWN_ORDER)),
  recipient_not_found: (stage, sent) => stage.send(at(sent, UNKNOWN_ORDER)),
  refund_not_found: (stage, sent) => stage.send(at(sent, UNKNOWN_ORDER)),
  webhook_endpoint_not_found: (stage, sent) => stage.send(at(sent, UNKNOWN_ORDER)),
  delivery_not_found: (stage, { method, path }) => {
    const [endpoint = '', rest = ''] = path.split('/delivery/');
    return stage.send({
      method,
      path: `${endpoint}/delivery/${rest.replace(TXID, UNKNOWN_ORDER)}`,
    });
  },
  too_many_webhook_endpoints: async (stage) => {
    const shop = await stage.app.merchant();
    let got: Got;
    do got = await stage.send(newEndpoint(), shop);
    while (got.status === 201);
    return got;
  },
  too_many_recipients: async (stage) => {
    const shop = await stage.app.merchant();
    let got: Got;
    do got = await stage.send(newRecipient(), shop);
    while (got.status === 201);
    return got;
  },
  recipient_unsubscribed: async (stage) => {
    const owner = await stage.app.merchant();
    const { body } = await stage.send(newRecipient(), owner);
    const { id } = body as { id: string };
    for (const button of ['confirm', 'unsubscribe']) {
      await press(`${await pageOf(stage.app, id)}/${button}`);
    }
    return stage.send({ method: 'POST', path: `${RECIPIENTS}/${id}/test` }, owner);
  },
  not_in_this_version: (stage, sent) => stage.send(withHeader(sent, 'api-version', '1.0')),
  not_acceptable: (stage, sent) => stage.send(withHeader(sent, 'accept', 'text/html')),
  request_timeout: (stage) => stage.timeOut(),
  order_already_exists: async (stage, sent) => {
    if (!sent.body) {
      const { body } = await stage.shop.read(TXID.exec(sent.path)![0]);
      await stage.order({ orderMerchantId: body.orderMerchantId });
      return stage.send(sent);
    }
    await stage.send(sent);
    return stage.send({ ...sent, body: { ...(sent.body as object), amount: 9990 } });
  },
  order_not_cancelable: async (stage, sent) => {
    await stage.shop.pay(TXID.exec(sent.path)![0]);
    return stage.send(sent);
  },
  order_not_changeable: async (stage, sent) => {
    await stage.shop.pay(TXID.exec(sent.path)![0]);
    return stage.send(sent);
  },
  order_changed: (stage, sent) => stage.send(withHeader(sent, 'if-match', '"0"')),
  order_finished: async (stage, sent) => {
    await stage.shop.pay(TXID.exec(sent.path)![0]);
    return stage.send(sent);
  },
  no_ended_payment: async (stage, sent) => {
    await stage.send(sent);
    return stage.send(sent);
  },
  order_not_acceptable: async (stage, sent) => {
    await stage.send(sent);
    return stage.send(sent);
  },
  order_not_payable: async (stage, sent) => {
    await stage.shop.cancel(TXID.exec(sent.path)![0]);
    return stage.send(sent);
  },
  order_not_refundable: async (stage, sent) => stage.send(at(sent, await stage.order())),
  refund_second_person: async (stage, sent) => {
    const { merchantId } = await stage.app.merchant();
    await enableLiveProvider(stage.app, merchantId);
    // A key of the command line.
    const client = await stage.app.key(merchantId, { mode: 'live' });
    return stage.send({ ...at(sent, await paidLive(stage.app, client, 8_990)), client });
  },
  refund_link_not_found: async (stage, sent) => {
    const [id] = TXID.exec(sent.path)!;
    await stage.send({ method: 'DELETE', path: `/api/refund/${id}` });
    return stage.send(sent);
  },
  refund_too_large: (stage, sent) => stage.send({ ...sent, body: { amount: 99_990 } }),
  refundable_changed: (stage, sent) => stage.send({ ...sent, body: { amountRefundable: 1 } }),
  refund_already_exists: async (stage, sent) => {
    await stage.send(sent);
    return stage.send({ ...sent, body: { ...(sent.body as object), amount: 990 } });
  },
  refund_not_cancelable: async (stage, sent) => {
    const [id] = TXID.exec(sent.path)!;
    const path = `/api/test-helpers/refund/${id}`;
    if (sent.path === path)
      await withoutTriggers(stage.app, `UPDATE refunds SET method = 'bank' WHERE id = $1`, [id]);
    else await stage.send({ method: 'POST', path, body: { outcome: 'succeeded' } });
    return stage.send(sent);
  },
  insufficient_balance: async (stage, sent) => {
    const cashier = await Cashier.of(stage.app, await stage.app.merchant());
    const { txid } = await cashier.shop.order({ amount: 8990 });
    await cashier.shop.pay(txid);
    await cashier.request(8990);
    return stage.send(at(sent, txid), cashier.shop);
  },
  payment_in_progress: async (stage, sent) => {
    await stage.shop.pay(TXID.exec(sent.path)![0], { outcome: 'pending', afterSeconds: 60 });
    return stage.send(sent);
  },
  body_too_large: (stage, sent) => stage.send({ ...sent, body: { padding: 'x'.repeat(70_000) } }),
  uri_too_long: (stage, sent) => stage.send(at(sent, 'x'.repeat(600))),
  unsupported_media_type: (stage, sent) => stage.send(withHeader(sent, 'content-type', 'text/xml')),
  validation_failed: (stage, sent) =>
    stage.send({ ...sent, body: { ...(sent.body as object), amount: 0, colour: 'red' } }),
  idempotency_key_reused: async (stage, sent) => {
    const key = nextOrderName();
    await stage.send(withHeader(sent, 'idempotency-key', key));
    const other = sent.body
      ? { ...sent, body: { ...(sent.body as object), amount: 9990 } }
      : at(sent, await stage.order());
    return stage.send(withHeader(other, 'idempotency-key', key));
  },
  no_payment_method: (stage, sent) => stage.send(sent, stage.live),
  rate_limited: async (stage, sent) => {
    let got: Got;
    do got = await stage.send(sent, stage.limitedShop);
    while (got.status !== 429);
    return got;
  },
  headers_too_large: (stage, { method, path }) =>
    raw(
      stage.app.url,
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nCookie: ${'x'.repeat(17_000)}\r\n\r\n`,
    ),
  internal_error: (stage, sent) => stage.withMistake(sent),
  unavailable: (stage, sent) => stage.withoutDatabase(sent),
};

/** Errors of requests that belong to no operation. */
export const ELSEWHERE: Readonly<Partial<Record<ErrorCode, (stage: Stage) => Promise<Got>>>> = {
  route_not_found: (stage) => stage.send({ method: 'GET', path: '/api/orders' }),
  method_not_allowed: (stage) => stage.send({ method: 'PUT', path: '/api/order', body: {} }),
  error_not_found: (stage) => stage.send({ method: 'GET', path: '/errors/no_such_code' }),
  invalid_signature: async (stage) => {
    const accounts = await select<{ id: string }>(stage.app, 'SELECT id FROM provider_accounts');
    const path = `/provider-callback/sandbox/${accounts[0]!.id}`;
    return stage.send({ method: 'POST', path, body: {} });
  },
};

/** Errors that the portal alone shows, as pages. */
export const IN_PORTAL: readonly ErrorCode[] = [
  'second_person_required',
  'approver_of_merchant',
  'second_factor_too_old',
  'payout_file_not_found',
  'bank_account_not_found',
  'payout_not_possible',
  'payout_changed',
  'payout_too_large',
  'too_many_api_keys',
  'bank_account_not_usable',
  'bank_account_in_use',
  'payout_file_withheld',
  'payout_file_changed',
  'nothing_to_export',
  'payout_account_missing',
];

/** What makes a field of a new order bad. */
const BAD_FIELDS: Readonly<Record<FieldErrorCode, Record<string, unknown>>> = {
  required: { amount: undefined },
  unknown_member: { colour: 'red' },
  wrong_type: { amount: '89.90' },
  wrong_format: { returnUrl: 'shop.example/thanks' },
  too_short: { orderMerchantId: '' },
  too_long: { description: 'x'.repeat(256) },
  out_of_range: { expiresInMinutes: 1 },
  control_character: { description: 'Two lamps\u0000' },
  not_well_formed: { description: 'Two lamps \ud83d' },
  unknown_currency: { currency: 'XAU' },
  card_data_refused: { description: 'Card 4111 1111 1111 1111' },
  https_required: { returnUrl: 'http://shop.example/thanks' },
  address_refused: {},
  field_not_in_this_version: { optionalFields: { table: '7' } },
};

export function sendBadField(stage: Stage, code: FieldErrorCode): Promise<Got> {
  const sent = { method: 'POST', path: '/api/order', body: newOrder(BAD_FIELDS[code]) };
  if (code === 'https_required') return stage.send(sent, stage.live);
  if (code === 'address_refused') {
    const body = { url: 'https://localhost/events' };
    return stage.send({ method: 'POST', path: ENDPOINTS, body });
  }
  if (code === 'field_not_in_this_version') {
    return stage.send(withHeader(sent, 'api-version', '1.0'));
  }
  return stage.send(sent);
}
