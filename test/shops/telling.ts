import assert from 'node:assert/strict';
import type { OrderJson } from '../support/client.js';
import { until } from '../support/race.js';
import type { ShopOrder } from './shopper.js';
import type { StaffOrder } from './staff.js';
import type { World } from './world.js';

type Tell = (world: World) => Promise<void>;

/** Each with what it shows, in the words of its line. */
export type Stories = readonly (readonly [name: string, tell: Tell])[];

/** Some of an order's money, in minor units. */
export const PART = 1_000;
export const UNDER_WAY = /under way/;

/** The service's order of the payment that a Vendure order got last. */
export async function ordered(world: World, { id }: Pick<ShopOrder, 'id'>): Promise<OrderJson> {
  const { payments } = await world.staff.order(id);
  return (await world.service.read(payments.at(-1)!.transactionId!)).body;
}

/** All orders that the service has for one of Vendure, the oldest first. */
export async function allOrdered({ service }: World, { code }: ShopOrder): Promise<OrderJson[]> {
  const path = `/api/order/search?orderMerchantId=${code}-1,${code}-2&sort=oldest`;
  return (await service.call<{ data: OrderJson[] }>('GET', path)).body.data;
}

/** A deed of the service's test helpers. */
export async function help({ service }: World, txid: string, deed: string): Promise<void> {
  const { status, text } = await service.call(
    'POST',
    `/api/test-helpers/order/${txid}/${deed}`,
    {},
  );
  assert.equal(status, 200, text);
}

/** Waits until staff see what is said, and returns what they see. */
export async function seen(
  { staff }: World,
  { id }: Pick<ShopOrder, 'id'>,
  what: string,
  is: (order: StaffOrder) => boolean,
  seconds?: number,
): Promise<StaffOrder> {
  let order = await staff.order(id);
  const ask = async (): Promise<boolean> => is((order = await staff.order(id)));
  await until(what, ask, seconds).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${JSON.stringify(order)}`);
  });
  return order;
}

export const states = ({ payments }: StaffOrder): string =>
  payments.map(({ state }) => state).join();

export const settled = (world: World, order: ShopOrder, seconds?: number): Promise<StaffOrder> =>
  seen(world, order, 'paid', ({ state }) => state === 'PaymentSettled', seconds);

export const ended = (world: World, order: ShopOrder, all: string): Promise<StaffOrder> =>
  seen(world, order, `payments are ${all}`, (now) => states(now) === all);

export const noted = (world: World, order: ShopOrder, words: RegExp): Promise<StaffOrder> =>
  seen(world, order, `a note of ${words}`, ({ notes }) => notes.some((note) => words.test(note)));

/** Every delivery so far has arrived, so that what has not changed by now will not. */
export async function allDelivered({ service, endpointId }: World): Promise<void> {
  const path = `/api/webhook-endpoint/${endpointId}/delivery?status=pending`;
  await until(
    'all webhooks have arrived',
    async () => {
      const { body, text } = await service.call<{ data: unknown[] }>('GET', path);
      assert.ok(body.data, text);
      return body.data.length === 0;
    },
    60,
  );
}
