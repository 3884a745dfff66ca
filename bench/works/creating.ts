import { randomToken } from '../../src/common/ids.js';
import { bytesOf } from '../load/request.js';
import { Client } from '../../test/support/client.js';
import type { Furnished, Work } from './work.js';

const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });

const orderCalled = (orderMerchantId: string): string =>
  JSON.stringify({
    orderMerchantId,
    amount: 1_999,
    currency: 'EUR',
    description: 'Two tickets for the show',
    customer: { name: 'Ann Example', email: 'ann@example.com' },
    optionalFields: { cart: 'c-77', channel: 'web' },
    returnUrl: `https://shop.example/return?order=${orderMerchantId}`,
    locale: 'en',
  });

function create(apiKey: string, id: string, hasKey: boolean): string {
  const headers = { ...bearer(apiKey), ...(hasKey ? { 'idempotency-key': id } : {}) };
  return bytesOf({ method: 'POST', path: '/api/order', headers, body: orderCalled(id) });
}

/** New orders of these programs in turn. */
function creates(apiKeys: readonly string[], count: number, hasKey: boolean): string[] {
  const run = randomToken(6);
  return Array.from({ length: count }, (_, n) =>
    create(apiKeys[n % apiKeys.length]!, `b-${run}-${n}`, hasKey),
  );
}

const oneShop = ({ supplies }: Furnished) => [supplies.shop.apiKey];
const allShops = ({ supplies }: Furnished) => supplies.shops.map(({ apiKey }) => apiKey);

const creating = (
  name: string,
  shopsOf: (furnished: Furnished) => readonly string[],
  { hasKey, isMain = false }: { readonly hasKey: boolean; readonly isMain?: boolean },
): Work => ({
  name,
  expected: 201,
  isMain,
  errand: (furnished, count) => ({
    requests: creates(shopsOf(furnished), count, hasKey),
    circular: false,
  }),
});

/** Orders that are sent again. */
const REPEATED = 200;

export const CREATING: readonly Work[] = [
  creating('create', oneShop, { hasKey: false, isMain: true }),
  creating('create with a key', oneShop, { hasKey: true, isMain: true }),
  creating('create, 100 merchants', allShops, { hasKey: true }),
  {
    name: 'repeat of a create',
    expected: 201,
    errand: async ({ side, supplies }) => {
      const { apiKey } = supplies.shop;
      const client = new Client(side.url, apiKey, supplies.shop.merchantId, '');
      const ids = Array.from({ length: REPEATED }, () => `r-${randomToken(6)}`);
      for (const id of ids) {
        const headers = { 'idempotency-key': id };
        const { status } = await client.call('POST', '/api/order', orderCalled(id), headers);
        if (status !== 201) throw new Error(`no order to repeat: ${status}`);
      }
      return { requests: ids.map((id) => create(apiKey, id, true)), circular: true };
    },
  },
];
