import { cursorText } from '../../src/order-search/order-cursor.js';
import { bytesOf } from '../load/request.js';
import type { Supplies } from '../sides/supplies.js';
import type { Work } from './work.js';

type HashRequester = 'merchant' | 'reader' | 'person' | 'nobody';
type Listed = Supplies['listed'][number];

/** The same paths again and again, in an order that no index has. */
const reading = (
  name: string,
  pathsOf: (supplies: Supplies) => readonly string[],
  {
    as = 'nobody',
    isMain = false,
  }: { readonly as?: HashRequester; readonly isMain?: boolean } = {},
): Work => ({
  name,
  expected: 200,
  isMain,
  errand: async ({ side, supplies }) => {
    const { shop, feed } = supplies;
    const headers: Record<HashRequester, Record<string, string>> = {
      merchant: { authorization: `Bearer ${shop.apiKey}` },
      reader: { authorization: `Bearer ${feed.shop.apiKey}` },
      person: as === 'person' ? { cookie: await side.signIn() } : {},
      nobody: {},
    };
    const paths = shuffled(pathsOf(supplies));
    if (paths.length === 0) throw new Error(`there is nothing to ask for: ${name}`);
    const requests = paths.map((path) => bytesOf({ method: 'GET', path, headers: headers[as] }));
    return { requests, circular: true };
  },
});

/** A prime: a step through all paths, the same on every run. */
const STEP = 7_919;
const shuffled = (paths: readonly string[]): string[] =>
  paths.map((_, n) => paths[(n * STEP) % paths.length]!);

const order =
  (path: (listed: Listed) => string) =>
  ({ listed }: Supplies) =>
    listed.map(path);

const history = ({ shop }: Supplies): string => `/portal/m/${shop.merchantId}/test/orders`;

const MERCHANT = { as: 'merchant' } as const;
const MAIN = { isMain: true } as const;

export const READING: readonly Work[] = [
  reading(
    'status by txid',
    order(({ txid }) => `/api/order/status?orderTransactionId=${txid}`),
    { ...MERCHANT, ...MAIN },
  ),
  reading(
    'status by merchant’s id',
    order(({ orderMerchantId }) => `/api/order/status?orderMerchantId=${orderMerchantId}`),
    MERCHANT,
  ),
  reading(
    'read',
    order(({ txid }) => `/api/order?txid=${txid}`),
    { ...MERCHANT, ...MAIN },
  ),
  reading('payment page', ({ pages }) => pages.map((token) => `/pay/${token}`), MAIN),
  reading('event feed', ({ feed }) => feed.ids.map((id) => `/api/event?limit=25&after=${id}`), {
    as: 'reader',
  }),
  reading('history, first page', (supplies) => [history(supplies)], { as: 'person', ...MAIN }),
  reading(
    'history, deepest page',
    (supplies) => [`${history(supplies)}?older=${cursorText(supplies.deepest)}`],
    { as: 'person', ...MAIN },
  ),
  reading('empty route', () => ['/health/live'], MAIN),
];
