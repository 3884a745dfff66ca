/** What a shop does with an order in its life; each generated client does it with its own functions. */
export interface Shop {
  create(orderMerchantId: string, idempotencyKey: string): Promise<Seen>;
  status(txid: string): Promise<string>;
  pay(txid: string): Promise<Seen>;
  read(txid: string): Promise<Seen>;
  /** The types of the order's events, the oldest first. */
  events(txid: string): Promise<readonly string[]>;
  /** The orders among these two that are in these two statuses. */
  search(txids: readonly [string, string]): Promise<readonly string[]>;
  cancel(txid: string): Promise<Seen>;
}

/** What the story looks at in an order. */
export interface Seen {
  readonly txid: string;
  readonly status: string;
  readonly provider: string | null;
}

interface Order {
  readonly txid: string;
  readonly status: 'open' | 'processing' | 'paid' | 'failed' | 'cancelled' | 'expired';
  readonly payment: { readonly provider: string } | null;
}

export const seen = ({ txid, status, payment }: Order): Seen => ({
  txid,
  status,
  provider: payment?.provider ?? null,
});

function expectSame(actual: unknown, expected: unknown): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== should) throw new Error(`expected ${should}, got ${is}`);
}

/** @throws Error when anything is not as the service promises */
export async function live(shop: Shop, name: string): Promise<void> {
  const first = await shop.create(`${name}-1`, `${name}-key`);
  expectSame(first, { txid: first.txid, status: 'open', provider: null });
  expectSame(await shop.create(`${name}-1`, `${name}-key`), first);
  expectSame(await shop.status(first.txid), 'open');
  const paid = { txid: first.txid, status: 'paid', provider: 'sandbox' };
  expectSame(await shop.pay(first.txid), paid);
  expectSame(await shop.read(first.txid), paid);
  expectSame(await shop.status(first.txid), 'paid');
  const types = ['order.created', 'order.processing', 'order.paid'];
  expectSame(await shop.events(first.txid), types);
  const second = await shop.create(`${name}-2`, `${name}-other`);
  const both = [first.txid, second.txid] as const;
  expectSame((await shop.search(both)).toSorted(), both.toSorted());
  const cancelled = { txid: second.txid, status: 'cancelled', provider: null };
  expectSame(await shop.cancel(second.txid), cancelled);
  expectSame(await shop.search(both), [first.txid]);
}
