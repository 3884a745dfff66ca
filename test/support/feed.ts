import type { Client, OrderJson, Reply } from './client.js';

export interface EventJson {
  id: string;
  type: string;
  timestamp: string;
  sequence: number;
  data: OrderJson;
}

export interface EventPage {
  data: EventJson[];
  next: string | null;
  hasMore: boolean;
}

type Query = Readonly<Record<string, string | number>>;

/** One part of the feed. */
export const readEvents = (
  client: Client,
  query: Query = {},
  headers: Record<string, string> = {},
): Promise<Reply<EventPage>> => {
  const parameters = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const text = new URLSearchParams(parameters).toString();
  return client.call('GET', `/api/event?${text}`, undefined, headers);
};

/** Reads as a program does: from `after` on until there is no more. */
export async function readOn(
  client: Client,
  after: string | null,
  query: Query = {},
): Promise<{ readonly pages: readonly EventPage[]; readonly next: string | null }> {
  const pages: EventPage[] = [];
  let next = after;
  for (;;) {
    const { status, body, text } = await readEvents(client, {
      ...query,
      ...(next === null ? {} : { after: next }),
    });
    if (status !== 200) throw new Error(`no page: ${status} ${text}`);
    pages.push(body);
    next = body.next;
    if (!body.hasMore) return { pages, next };
  }
}

/** The whole feed. */
export const readAll = async (client: Client, query: Query = {}): Promise<EventJson[]> =>
  (await readOn(client, null, query)).pages.flatMap(({ data }) => data);
