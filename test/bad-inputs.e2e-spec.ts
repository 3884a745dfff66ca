import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { newOrder } from './support/client.js';
import { sendRaw } from './support/raw.js';
import { openShop } from './support/shop.js';

/** What an answer may never tell. */
const INTERNALS =
  /\n\s+at |node_modules|\.[jt]s:\d|TypeORM|QueryFailed|violates|syntax error|invalid (byte|input)|relation "|FST_ERR|"stack"/;

const UNKNOWN = randomUUID();
const order = (fields: Record<string, unknown> = {}): string => JSON.stringify(newOrder(fields));
/** An order whose text is written by hand: `"@"` becomes `raw`. */
const orderWith = (field: string, raw: string): string =>
  order({ [field]: '@' }).replace('"@"', raw);

type Bytes = (key: string) => string | Buffer;
type Row = readonly [what: string, bytes: Bytes, status: number, code?: string];

const head = (line: string, key: string, ...headers: string[]): string =>
  [
    `${line} HTTP/1.1`,
    'Host: x',
    'Connection: close',
    `Authorization: Bearer ${key}`,
    ...headers,
    '',
    '',
  ].join('\r\n');

const get =
  (path: string, ...headers: string[]): Bytes =>
  (key) =>
    head(`GET ${path}`, key, ...headers);

const call =
  (line: string, ...headers: string[]): Bytes =>
  (key) =>
    head(line, key, ...headers);

const postTo =
  (path: string, body: string | Buffer, ...headers: string[]): Bytes =>
  (key) => {
    const type = headers.some((header) => /^content-type:/i.test(header))
      ? []
      : ['Content-Type: application/json'];
    const length = `Content-Length: ${Buffer.byteLength(body)}`;
    const lines = head(`POST ${path}`, key, ...type, ...headers, length);
    return Buffer.concat([Buffer.from(lines, 'latin1'), Buffer.from(body)]);
  };

const post = (body: string | Buffer, ...headers: string[]): Bytes =>
  postTo('/api/order', body, ...headers);

/** A body whose framing is the case. */
const framed =
  (headers: readonly string[], body = ''): Bytes =>
  (key) =>
    head('POST /api/order', key, 'Content-Type: application/json', ...headers) + body;

const raw =
  (bytes: string | Buffer): Bytes =>
  () =>
    bytes;

const PATHS: readonly Row[] = [
  ['two slashes', get('//api/order?txid=1'), 404],
  ['a dot', get('/api/./order'), 404],
  ['two dots', get('/api/order/../order'), 404],
  ['encoded dots', get('/api/order/%2e%2e/%2e%2e/etc/passwd'), 404],
  ['an encoded slash', get(`/api/order/${UNKNOWN}%2fstatus`), 404, 'order_not_found'],
  ['a slash at the end', get('/api/order/'), 404],
  ['capitals', get('/API/order'), 404],
  ['a semicolon', get(`/api/order/${UNKNOWN};v=1`), 404],
  ['NUL', get('/api/order/%00'), 404, 'order_not_found'],
  ['a broken escape', get('/api/order/%zz'), 404],
  ['bytes that are not UTF-8', get('/api/order/%ff%fe'), 404],
  ['half a character', get('/api/order/%ed%a0%80'), 404],
  ['a UUID with a line break', get(`/api/order/${UNKNOWN}%0a`), 404, 'order_not_found'],
  ['a UUID in braces', get(`/api/order/%7b${UNKNOWN}%7d`), 404, 'order_not_found'],
  ['a UUID without dashes', get(`/api/order/${UNKNOWN.replaceAll('-', '')}`), 404],
  ['another host', get('http://evil.example/api/order?txid=1'), 400, 'malformed_request'],
  ['its own host', get('http://x/api/order?txid=1'), 404, 'order_not_found'],
  ['its own host and port', get('HTTP://X:80/api/order?txid=1'), 404, 'order_not_found'],
  ['its own host alone', get('http://x'), 200],
  ['its own host and a query', get('http://x?a=1'), 200],
  ['a public path of another host', get('http://evil.example/health/live'), 400],
  ['another port', get('http://x:81/health/live'), 400, 'malformed_request'],
  ['a user', get('http://user@x/health/live'), 400, 'malformed_request'],
  ['another scheme', get('ftp://x/health/live'), 400, 'malformed_request'],
  ['no slash', get('api/order'), 400, 'malformed_request'],
  ['an encoded letter', get('/%6detrics'), 400, 'malformed_request'],
  ['a fragment', get('/metrics#x'), 400, 'malformed_request'],
  ['an encoded digit', get('/api/order/%30'), 400, 'malformed_request'],
  ['an encoded letter of a query', get('/health/live?%61=1'), 200],
  ['raw UTF-8', get('/api/order/ü'), 400, 'malformed_request'],
  ['a path as long as a novel', get(`/${'a/'.repeat(7_000)}`), 404],
  ['the bank’s page with NUL', get('/sandbox-bank/%00'), 404],
  ['the bank’s page with a path', get('/sandbox-bank/..%2f..%2fetc'), 404],
  ['the payment page with NUL', get('/pay/%00'), 404],
  ['the payment page of nobody', get(`/pay/${'A'.repeat(32)}/continue`), 404],
  ['events of nobody', get(`/pay/${'A'.repeat(32)}/events`), 404],
  ['a stylesheet of strange colours', get('/pay/assets/pay.css?c=%7d*%7bx&c=1'), 200],
  ['an error of every object', get('/errors/constructor'), 404],
  ['an error with NUL', get('/errors/%00'), 404],
  ['a callback for every object', postTo(`/provider-callback/constructor/${UNKNOWN}`, '{}'), 404],
  ['a callback for nobody', postTo('/provider-callback/sandbox/%00', '{}'), 404],
];

const QUERIES: readonly Row[] = [
  ['nothing in it', get('/api/order?'), 400, 'selector_required'],
  ['ampersands', get(`/api/order?${'&'.repeat(2_000)}`), 400, 'selector_required'],
  ['a name without value', get('/api/order?txid'), 404, 'order_not_found'],
  ['no name', get('/api/order?=1'), 400, 'unknown_parameter'],
  ['NUL in the name', get('/api/order?tx%00id=1'), 400, 'unknown_parameter'],
  ['NUL in the value', get('/api/order?orderMerchantId=a%00'), 404, 'order_not_found'],
  ['a broken escape', get('/api/order?txid=%e0%a4%a'), 404, 'order_not_found'],
  ['a wildcard', get('/api/order?orderMerchantId=%25'), 404, 'order_not_found'],
  ['an injection', get("/api/order?orderMerchantId='%20OR%20'1'='1"), 404, 'order_not_found'],
  ['an object', get('/api/order?txid[$ne]=1'), 400, 'unknown_parameter'],
  ['a prototype', get('/api/order?__proto__[txid]=1'), 400, 'unknown_parameter'],
  ['what every object has', get('/api/order?hasOwnProperty=1&txid=1'), 400, 'unknown_parameter'],
  ['two of one', get('/api/order/status?orderTransactionId=1&orderTransactionId=2'), 400],
  ['other capitals', get(`/api/order?TxId=${UNKNOWN}`), 400, 'unknown_parameter'],
  ['12 kB', get(`/api/order?orderMerchantId=${'a'.repeat(12_000)}`), 404, 'order_not_found'],
  [
    'a thousand names',
    get(`/api/order?${Array.from({ length: 1_000 }, (_, n) => `p${n}=`).join('&')}`),
    400,
    'unknown_parameter',
  ],
];

const HEADERS: readonly Row[] = [
  [
    'no Host',
    raw('GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n'),
    400,
    'malformed_request',
  ],
  ['two Hosts', get('/health/live', 'Host: x'), 400, 'malformed_request'],
  ['two Hosts in other letters', get('/health/live', 'hOST: y'), 400, 'malformed_request'],
  ...[
    '',
    'user@x',
    'x/path',
    'x, y',
    'x y',
    'x:1:2',
    'x:port',
    'x?a',
    'x#a',
    '[::1',
    '\xe4',
    'x%00',
  ].map((host): Row => [
    `no host in it: ${JSON.stringify(host)}`,
    raw(
      Buffer.from(
        `GET /health/live HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
        'latin1',
      ),
    ),
    400,
    'malformed_request',
  ]),
  ...[
    '127.0.0.1:3000',
    '[::1]:3000',
    '[fe80::1%25eth0]',
    'orders_api.internal.',
    'PAY.example',
  ].map((host): Row => [
    `a good host: ${host}`,
    raw(`GET /health/live HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
    200,
  ]),
  ['no Host in HTTP/1.0', raw('GET /health/live HTTP/1.0\r\n\r\n'), 200],
  ['a space before the colon', get('/health/live', 'X-A : b'), 400, 'malformed_request'],
  ['a folded line', get('/health/live', 'X-A: b\r\n c'), 400, 'malformed_request'],
  ['NUL', get('/health/live', 'X-A: \0'), 400, 'malformed_request'],
  ['no name', get('/health/live', ': b'), 400, 'malformed_request'],
  ['no colon', get('/health/live', 'nonsense'), 400, 'malformed_request'],
  ['line feeds alone', raw('GET /health/live HTTP/1.1\nHost: x\n\n'), 400, 'malformed_request'],
  [
    'thousands of them',
    get('/health/live', ...Array.from({ length: 2_500 }, (_, n) => `x${n}: 1`)),
    431,
    'headers_too_large',
  ],
  ['a method of somebody else', get('/api/order?txid=1', 'X-HTTP-Method-Override: DELETE'), 404],
  [
    'an address of somebody else',
    get('/api/order?txid=1', `X-Forwarded-For: ${'1,'.repeat(5_000)}`),
    404,
  ],
  ['an expectation', get('/health/live', 'Expect: a miracle'), 200],
  ['a range', get('/health/live', 'Range: bytes=0-1'), 200],
  ['an upgrade', get('/health/live', 'Upgrade: websocket'), 200],
  ['a cookie of semicolons', get(`/pay/${'A'.repeat(32)}`, `Cookie: ${'; '.repeat(6_000)}`), 404],
  ['no language', get(`/pay/${'A'.repeat(32)}`, `Accept-Language: ${'x-;q=,'.repeat(2_000)}`), 404],
  ['an Accept of commas', get('/api/order?txid=1', `Accept: ${','.repeat(9_000)}`), 404],
  [
    'an Accept of spaces',
    get('/api/order?txid=1', `Accept: application/json${' '.repeat(9_000)};q=0`),
    406,
    'not_acceptable',
  ],
  [
    'two keys',
    get('/api/order?txid=1', 'Authorization: Bearer pos_test_other'),
    400,
    'malformed_request',
  ],
  [
    'two types',
    post(order(), 'Content-Type: application/json', 'content-type: application/json'),
    400,
    'malformed_request',
  ],
  ['two versions', get('/api/order?txid=1', 'Api-Version: 1.2', 'Api-Version: 1.2'), 400],
  ['12 kB of key', get('/api/order', `Authorization: Bearer ${'a'.repeat(12_000)}`), 400],
  ['a charset of nobody', post(order(), 'Content-Type: application/json; charset=klingon'), 415],
  ['half a type', post(order(), 'Content-Type: application/'), 415],
  ['no type', post(order(), 'Content-Type:'), 415],
  ['a longer type', post(order(), 'Content-Type: application/jsonp'), 415],
  ['files', post(order(), 'Content-Type: multipart/form-data; boundary=x'), 415],
  ['two keys to remember', post(order(), 'Idempotency-Key: a', 'Idempotency-Key: b'), 400],
  ['a key in Latin-1', post(order(), 'Idempotency-Key: caf\xe9'), 400, 'invalid_idempotency_key'],
  [
    'a key of backslashes',
    post(order(), `Idempotency-Key: "${'\\'.repeat(9_001)}"`),
    400,
    'invalid_idempotency_key',
  ],
];

const BODIES: readonly Row[] = [
  ['nothing', post(''), 400, 'malformed_json'],
  ['a byte order mark', post(`\ufeff${order()}`), 400, 'malformed_json'],
  ['two of them', post(order() + order()), 400, 'malformed_json'],
  ['a comma at the end', post('{"amount":1,}'), 400, 'malformed_json'],
  ['a comment', post('{/* 1 */}'), 400, 'malformed_json'],
  ['no number', post('{"amount":NaN}'), 400, 'malformed_json'],
  ['an octal number', post('{"amount":010}'), 400, 'malformed_json'],
  ['a line break in a text', post('{"description":"a\nb"}'), 400, 'malformed_json'],
  ['a text without end', post(`{"a":"${'\\'.repeat(999)}`), 400, 'malformed_json'],
  [
    'bytes that are not UTF-8',
    post(Buffer.from('7b2261223a22ff227d', 'hex')),
    400,
    'malformed_json',
  ],
  ['an overlong slash', post(Buffer.from('22c0af22', 'hex')), 400, 'malformed_json'],
  ['UTF-16', post(Buffer.from(order(), 'utf16le')), 400, 'malformed_json'],
  ['a member twice', post('{"amount":1,"amount":2}'), 400, 'malformed_json'],
  ['a member twice, in disguise', post('{"amount":1,"\\u0061mount":2}'), 400, 'malformed_json'],
  ['a prototype', post('{"__proto__":{"amount":1}}'), 400, 'malformed_json'],
  ['a prototype inside', post('{"optionalFields":{"__proto__":"x"}}'), 400, 'malformed_json'],
  ['30 000 brackets', post('['.repeat(30_000)), 400, 'malformed_json'],
  [
    '33 objects in each other',
    post(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`),
    400,
    'malformed_json',
  ],
  ['colons', post('[::::]'), 400, 'malformed_json'],
  ['null', post('null'), 422, 'validation_failed'],
  ['a number beyond all numbers', post('1e999'), 422, 'validation_failed'],
  ['a constructor', post(order({ constructor: { prototype: {} } })), 422, 'validation_failed'],
  ['a member with NUL', post(order({ 'a\0': 1 })), 422, 'validation_failed'],
  ['a member of half a character', post(orderWith('locale', '1,"\\ud800":1')), 422],
  [
    '5 000 members',
    post(order(Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [n, 1])))),
    400,
    'malformed_json',
  ],
  ['an amount of minus zero', post(order().replace('8990', '-0')), 422, 'validation_failed'],
  ['an amount beyond exact numbers', post(order().replace('8990', '9007199254740993')), 422],
  ['an amount without end', post(order().replace('8990', `1${'0'.repeat(400)}`)), 422],
  ['an exponent', post(order().replace('8990', '8.99e3')), 201],
  ['half a character', post(orderWith('description', '"\\udc00"')), 422, 'validation_failed'],
  ['NUL', post(orderWith('description', '"a\\u0000b"')), 422, 'validation_failed'],
  [
    'a pair whose name is half a character',
    post(orderWith('optionalFields', '{"\\ud800":""}')),
    422,
  ],
  [
    'names of every object',
    post(order({ optionalFields: { toString: 'x', constructor: 'y' } })),
    201,
  ],
  [
    'an e-mail address of dots',
    post(order({ customer: { email: `a@${'a.'.repeat(9_000)}` } })),
    422,
  ],
  ['a language of dashes', post(order({ locale: 'a-'.repeat(9_000) })), 422, 'validation_failed'],
  ['an address of slashes', post(order({ returnUrl: `https://${'/'.repeat(2_000)}` })), 422],
  ['an address of brackets', post(order({ returnUrl: `https://${'['.repeat(2_000)}` })), 422],
  ['digits and spaces', post(order({ description: '4 '.repeat(127) })), 201],
  [
    'a payment by nobody',
    postTo(`/api/test-helpers/order/${UNKNOWN}/payment`, '{"outcome":"paid"}'),
    404,
  ],
  [
    'a payment of everything',
    postTo('/api/test-helpers/order/%00/payment', '{"outcome":"paid"}'),
    404,
  ],
];

const FRAMING: readonly Row[] = [
  ['a length that is negative', framed(['Content-Length: -1']), 400, 'malformed_request'],
  ['a length with a sign', framed(['Content-Length: +2'], '{}'), 400, 'malformed_request'],
  ['a length in hexadecimal', framed(['Content-Length: 0x2'], '{}'), 400, 'malformed_request'],
  [
    'two lengths',
    framed(['Content-Length: 2', 'Content-Length: 3'], '{}'),
    400,
    'malformed_request',
  ],
  [
    'a length and chunks',
    framed(['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\nGET'),
    400,
    'malformed_request',
  ],
  ['an unknown encoding', framed(['Transfer-Encoding: identity'], '{}'), 400, 'malformed_request'],
  [
    'an encoding before chunks',
    framed(['Transfer-Encoding: gzip, chunked'], '2\r\n{}\r\n0\r\n\r\n'),
    400,
    'malformed_request',
  ],
  [
    'one in a header of its own',
    framed(['Transfer-Encoding: gzip', 'Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'),
    400,
    'malformed_request',
  ],
  [
    'chunks in HTTP/1.0',
    (key) =>
      `POST /api/order HTTP/1.0\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    400,
    'malformed_request',
  ],
  ['chunked twice', framed(['Transfer-Encoding: chunked, chunked'], '0\r\n\r\n'), 400],
  ['a chunk of no size', framed(['Transfer-Encoding: chunked'], 'x\r\n'), 400, 'malformed_request'],
  ['a chunk of every size', framed(['Transfer-Encoding: chunked'], `${'F'.repeat(20)}\r\n{`), 400],
  [
    'a long remark on a chunk',
    framed(['Transfer-Encoding: chunked'], `2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
    400,
    'malformed_request',
  ],
  [
    'a key after the body',
    (key) =>
      `POST /api/order HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    401,
    'unauthorized',
  ],
  ['a body of GET', (key) => head('GET /api/order?txid=1', key, 'Content-Length: 3') + '{{{', 404],
  ['a compressed body', framed(['Content-Encoding: br', 'Content-Length: 2'], '{}'), 415],
  ['small letters', call('get /api/order'), 400, 'malformed_request'],
  ['a method of nobody', call('BREW /api/order'), 400, 'malformed_request'],
  ['a method of WebDAV', call('PROPFIND /api/order'), 405, 'method_not_allowed'],
  ['TRACE', call('TRACE /api/order'), 405, 'method_not_allowed'],
  ['OPTIONS of everything', call('OPTIONS *'), 404],
  ['a tunnel', call('CONNECT x:443'), 0],
  ['HTTP/2', raw('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), 400, 'malformed_request'],
  ['HTTP/7.7', raw('GET / HTTP/7.7\r\nHost: x\r\n\r\n'), 400, 'malformed_request'],
  ['TLS', raw(Buffer.from('16030100a5010000a10303', 'hex')), 400, 'malformed_request'],
  ['zeros', raw(Buffer.alloc(200)), 400, 'malformed_request'],
];

const { app, shop } = await openShop();

/** The level of lines about what goes well. */
const INFO = 30;

describe('bad inputs', () => {
  async function check([, bytes, status, code]: Row): Promise<void> {
    const reply = await sendRaw(app.url, bytes(shop.secret));
    expect({ status: reply.status, body: reply.body }).toMatchObject({ status });
    expect(reply.ms).toBeLessThan(2_000);
    expect(reply.body).not.toMatch(INTERNALS);
    if (status < 400 || reply.headers['content-type']?.startsWith('text/html')) return;
    expect(reply.headers['content-type']).toMatch(/^application\/problem\+json/);
    const problem = JSON.parse(reply.body) as Record<string, unknown>;
    expect(problem).toMatchObject({ status, requestId: reply.headers['x-request-id'] });
    if (code) expect(problem['code']).toBe(code);
  }

  it.each(PATHS)('in the path: %s', (...row) => check(row));
  it.each(QUERIES)('in the query: %s', (...row) => check(row));
  it.each(HEADERS)('in the headers: %s', (...row) => check(row));
  it.each(BODIES)('in the body: %s', (...row) => check(row));
  it.each(FRAMING)('in the framing: %s', (...row) => check(row));

  it('smuggles no second request behind the first', async () => {
    const inner = `DELETE /api/order/${UNKNOWN} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const { body } = await sendRaw(
      app.url,
      framed(
        ['Transfer-Encoding:\tchunked', `Content-Length: ${inner.length}`],
        `0\r\n\r\n${inner}`,
      )(shop.secret),
    );
    expect(body.match(/HTTP\/1\.1 /g)).toBeNull();
  });

  it('leave the service well, and nothing in its log', async () => {
    expect((await shop.create()).status).toBe(201);
    const lines = app.log.map((line) => JSON.parse(line) as { level: number });
    expect(lines.filter(({ level }) => level > INFO)).toEqual([]);
  });
});
