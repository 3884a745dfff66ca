import { OPERATIONS } from './operations.js';
import { type CallOptions, send, type Settings } from './transport.js';
import type { Answer, Arguments, Item, OperationId, PagedId } from './types.js';
import { sleep } from './waiting.js';

/** What an operation needs nothing of may be left out. */
type Call<Id extends OperationId> =
  Partial<Arguments<Id>> extends Arguments<Id>
    ? (given?: Arguments<Id>, options?: CallOptions) => Promise<Answer<Id>>
    : (given: Arguments<Id>, options?: CallOptions) => Promise<Answer<Id>>;

type Operations = { readonly [Id in OperationId]: Call<Id> };

export interface PageOptions extends CallOptions {
  /** Goes on for ever: milliseconds between two looks once everything was read. */
  readonly followMs?: number;
}

export interface PaymentOrders extends Operations {
  /**
   * Page after page of what an operation lists. Keep `next` of a page that you have worked on, and pass it as
   * `after` another time.
   */
  pages<Id extends PagedId>(
    id: Id,
    given?: Arguments<Id>,
    options?: PageOptions,
  ): AsyncGenerator<Answer<Id>, void, undefined>;
  /** The same, one by one. */
  each<Id extends PagedId>(
    id: Id,
    given?: Arguments<Id>,
    options?: PageOptions,
  ): AsyncGenerator<Item<Id>, void, undefined>;
}

interface Page {
  readonly data: readonly unknown[];
  readonly next: string | null;
  readonly hasMore: boolean;
}

/**
 * A client of the service: each operation of its reference under its name there, with the parameters and the
 * members of the body in one object.
 *
 * Every call rejects with an `ApiError` when the service refuses, and with a `ConnectionError` when no
 * answer came.
 */
export function paymentOrders(settings: Settings): PaymentOrders {
  const call = (id: OperationId, given: object = {}, options: CallOptions = {}) =>
    send(settings, id, given as Record<string, unknown>, options);

  async function* pages(
    id: OperationId,
    given: object = {},
    { followMs, ...options }: PageOptions = {},
  ) {
    let position: { after?: string } = {};
    for (;;) {
      const page = (await call(id, { ...given, ...position }, options)) as Page;
      yield page;
      if (page.next !== null) position = { after: page.next };
      if (page.hasMore) continue;
      if (followMs === undefined) return;
      await sleep(followMs, options.signal);
    }
  }

  async function* each(id: OperationId, given?: object, options?: PageOptions) {
    for await (const { data } of pages(id, given, options)) yield* data;
  }

  const ids = Object.keys(OPERATIONS) as OperationId[];
  const operations = Object.fromEntries(
    ids.map((id) => [id, (given?: object, options?: CallOptions) => call(id, given, options)]),
  );
  return { ...operations, pages, each } as unknown as PaymentOrders;
}
