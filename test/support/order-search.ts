import type { OrderFilter } from '../../src/database/read-models/order-list/order-list.model.js';
import type { Client, OrderJson, Reply } from './client.js';

export interface OrderPageJson {
  data: OrderJson[];
  next: string | null;
  hasMore: boolean;
}

export type SearchParameters = Readonly<Record<string, string>>;

const SEARCH = '/api/order/search';

/** One part of what is found. */
export const search = (
  client: Client,
  parameters: SearchParameters = {},
  headers: Record<string, string> = {},
): Promise<Reply<OrderPageJson>> =>
  client.call('GET', `${SEARCH}?${new URLSearchParams(parameters)}`, undefined, headers);

/** Everything that is found, page by page. */
export async function searchAll(
  client: Client,
  parameters: SearchParameters = {},
  afterEach: () => Promise<void> = async () => {},
): Promise<OrderJson[]> {
  const found: OrderJson[] = [];
  for (let after: string | null = null; ;) {
    const { status, body, text } = await search(client, { ...parameters, ...(after && { after }) });
    if (status !== 200) throw new Error(`no page: ${status} ${text}`);
    found.push(...body.data);
    if (!body.hasMore) return found;
    after = body.next;
    await afterEach();
  }
}

/** What is found, as a file. */
export const searchFile = (client: Client, parameters: SearchParameters = {}) =>
  client.call<string>('GET', `${SEARCH}?${new URLSearchParams(parameters)}`, undefined, {
    accept: 'text/csv',
  });

/** A filter as a program writes it. */
export function parametersOf(filter: OrderFilter): SearchParameters {
  const { field, txids, orderMerchantIds } = filter;
  const escaped = field?.name.replace(/%/g, '%25').replace(/=/g, '%3D');
  const all: Record<string, string | number | null | undefined> = {
    basis: filter.basis,
    from: filter.from?.toISOString(),
    to: filter.until?.toISOString(),
    status: filter.statuses.join(',') || null,
    currency: filter.currency,
    amountFrom: filter.amountFrom,
    amountTo: filter.amountTo,
    provider: filter.provider,
    exception: filter.exception,
    field: field && `${escaped}=${field.value}`,
    payout: filter.payout,
    q: filter.search,
    payer: filter.payer,
    customerEmail: filter.customerEmail,
    txid: txids?.join(','),
    orderMerchantId: orderMerchantIds?.join(','),
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, String(value)]],
    ),
  );
}
