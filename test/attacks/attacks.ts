import { randomBytes, randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Ask, ask, FROM, openSocket } from './wire.js';

/** What the attackers know: a service, a payer's link, and a merchant's own key and owner. */
export interface Target {
  readonly url: string;
  readonly payPath: string;
  readonly merchantId: string;
  readonly key: string;
  readonly owner: { readonly email: string; readonly password: string };
}

/** Answers of an attack by status; 0 is none. */
export type OrderMetrics = Map<string, number>;

export type Attack = (target: Target, tally: OrderMetrics, end: AbortSignal) => Promise<void>;

const UNREAD_SOCKETS = 200;
const SLOW_SOCKETS = 100;
const DOWNLOADS = 6;

function note(tally: OrderMetrics, { status, retryAfter }: Answer): void {
  const word = status >= 500 && !retryAfter ? `${status} without Retry-After` : String(status);
  tally.set(word, (tally.get(word) ?? 0) + 1);
}

/** Does something so many times a second, whether or not the last is done; at most 100 at once. */
async function each(end: AbortSignal, perSecond: number, work: () => Promise<void>): Promise<void> {
  const running = new Set<Promise<void>>();
  while (!end.aborted) {
    if (running.size < 100) {
      const one = work()
        .catch(() => undefined)
        .finally(() => running.delete(one));
      running.add(one);
    }
    await sleep(1_000 / perSecond);
  }
  await Promise.all(running);
}

/** Keeps so many connections open, each treated so; whatever the service closes is opened again. */
async function hold(
  end: AbortSignal,
  { url }: Target,
  many: number,
  treat: (socket: Socket) => void,
  from: string = FROM.sockets,
): Promise<void> {
  const open = new Set<Socket>();
  await each(end, 50, async () => {
    if (open.size >= many) return;
    const socket = openSocket(url, from);
    open.add(socket);
    socket.once('connect', () => treat(socket)).once('close', () => open.delete(socket));
  });
  for (const socket of open) socket.destroy();
}

const head = (method: string, path: string, more = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

const asMerchant = (target: Target, more: Partial<Ask> = {}): Ask => ({
  from: FROM.attacker,
  ...more,
  headers: {
    authorization: `Bearer ${target.key}`,
    ...(more.body ? { 'content-type': 'application/json' } : {}),
    ...more.headers,
  },
});

const unreadPipelines: Attack = (target, _tally, end) =>
  hold(end, target, UNREAD_SOCKETS, (socket) => {
    const documents = head('GET', '/docs/assets/swagger-ui-bundle.js').repeat(6);
    socket.write(documents + head('GET', `${target.payPath}/events`));
  });

const manyAhead: Attack = (target, _tally, end) =>
  hold(end, target, 20, (socket) => socket.write(head('GET', '/docs/openapi.json').repeat(400)));

const resetStreams: Attack = (target, _tally, end) =>
  each(end, 50, async () => {
    const socket = openSocket(target.url, FROM.sockets);
    socket.once('connect', () => socket.write(head('GET', `${target.payPath}/events`)));
    await sleep(Math.random() * 20);
    socket.resetAndDestroy();
  });

/** A byte now and then, of headers or of a body. */
const slowly =
  (start: string): Attack =>
  (target, _tally, end) =>
    hold(end, target, SLOW_SOCKETS, (socket) => {
      socket.write(start);
      const drip = setInterval(() => socket.write('x'), 1_000);
      socket.once('close', () => clearInterval(drip));
    });

const guessedKeys: Attack = (target, tally, end) =>
  each(end, 50, async () => {
    const authorization = `Bearer pos_test_${randomBytes(32).toString('base64url')}`;
    const url = `${target.url}/api/order?txid=${randomUUID()}`;
    note(tally, await ask(url, { from: FROM.keys, headers: { authorization } }));
  });

const guessedPasswords: Attack = async (target, tally, end) => {
  const url = `${target.url}/portal/sign-in`;
  const { body, cookie } = await ask(url, { from: FROM.signIns });
  const csrf = /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? '';
  await each(end, 10, async () => {
    const form = { csrf, email: `${randomUUID()}@people.example`, password: 'six wet herons' };
    const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
    const sent = new URLSearchParams(form).toString();
    note(tally, await ask(url, { from: FROM.signIns, method: 'POST', headers, body: sent }));
  });
};

const conflicts: Attack = (target, tally, end) =>
  each(end, 15, async () => {
    const amount = 1 + Math.floor(Math.random() * 10_000);
    const order = JSON.stringify({ orderMerchantId: 'the-same', amount, currency: 'EUR' });
    const headers = { 'idempotency-key': `k${Math.floor(Math.random() * 20)}` };
    const sent = asMerchant(target, { method: 'POST', body: order, headers });
    note(tally, await ask(`${target.url}/api/order`, sent));
  });

const slowNames: Attack = async (target, tally, end) => {
  const at = `${target.url}/api/webhook-endpoint`;
  const body = () => JSON.stringify({ url: `https://n${randomUUID()}.slow.example/` });
  const made = await ask(at, asMerchant(target, { method: 'POST', body: body() }));
  const { id } = JSON.parse(made.body || '{}') as { id?: string };
  const [method, url] = id ? ['PATCH', `${at}/${id}`] : ['POST', at];
  await each(end, 5, async () =>
    note(tally, await ask(url, asMerchant(target, { method, body: body() }))),
  );
};

const mails: Attack = (target, tally, end) =>
  each(end, 3, async () => {
    const at = `${target.url}/api/notification-recipient`;
    const body = JSON.stringify({ email: 'stranger@people.example' });
    const made = await ask(at, asMerchant(target, { method: 'POST', body }));
    note(tally, made);
    const { id } = JSON.parse(made.body || '{}') as { id?: string };
    if (id) note(tally, await ask(`${at}/${id}`, asMerchant(target, { method: 'DELETE' })));
  });

/** The owner of the attacking merchant asks for his whole history, and reads none of it. */
const unreadDownloads: Attack = async (target, tally, end) => {
  const at = `${target.url}/portal/sign-in`;
  const first = await ask(at, { from: FROM.attacker });
  const csrf = /name="csrf" value="([^"]+)"/.exec(first.body)?.[1] ?? '';
  const form = new URLSearchParams({ csrf, ...target.owner }).toString();
  const headers = {
    cookie: first.cookie,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const signedIn = await ask(at, { from: FROM.attacker, method: 'POST', headers, body: form });
  note(tally, signedIn);
  const path = `/portal/m/${target.merchantId}/test/orders/download.csv`;
  const cookie = `Cookie: ${signedIn.cookie}\r\n`;
  const treat = (socket: Socket): void => void socket.write(head('GET', path, cookie));
  await hold(end, target, DOWNLOADS, treat, FROM.attacker);
};

/** Each class of what strangers and one merchant can hold that others need. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  'unread answers': unreadPipelines,
  'requests ahead': manyAhead,
  'streams reset': resetStreams,
  'slow headers': slowly('GET / HTTP/1.1\r\nx-'),
  'slow bodies': slowly(
    'POST /portal/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9999\r\n\r\n',
  ),
  'guessed keys': guessedKeys,
  'guessed passwords': guessedPasswords,
  'conflicting repeats': conflicts,
  'slow names': slowNames,
  'mails to strangers': mails,
  'unread downloads': unreadDownloads,
};
