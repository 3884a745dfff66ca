import { CollectionAccountChangesService } from '../../src/collection-accounts/collection-account-changes.service.js';
import { CollectionAccountsService } from '../../src/collection-accounts/collection-accounts.service.js';
import { uuidv7 } from '../../src/common/ids.js';
import type { BankLine } from '../../src/database/bank/lines/bank-line.entity.js';
import { camtFile, csvProfileOf } from './bank-file.js';
import { bookedLine, collectionAccount, credited, told } from './bank-lines.js';
import type { OrderJson } from './client.js';
import { proposer } from './live-accounts.js';
import { awaitingTransfer, offerTransfers, TRANSFER_ACCOUNT } from './transfers.js';
import { type Asked, sent, type Visits, type World } from './visits.js';

const PATH = '/portal/platform/bank';
const ACCOUNTS = '/portal/platform/collection-accounts/test';
const NOBODY = { accountNumber: null, accountType: null, accountName: null } as const;
/** What each visit adds is called so, to be told from what was there. */
const VISITOR = 'visit';
const REMOVE_PROFILES = `UPDATE csv_profiles SET removed_by = created_by, removed_at = now()
  WHERE name LIKE '${VISITOR}-%' AND removed_at IS NULL`;

/** Transfers: what payers are told of them, and what operators do about them. */
export const visitsOfBank = (world: World): Visits => ({
  ...payers(world),
  ...lists(world),
  ...lines(world),
  ...uploads(world),
  ...profiles(world),
  ...accounts(world),
});

/** Nothing that the service remembers of an account is true of the one that payers are told of now. */
export async function anotherAccount({ app, iban }: World): Promise<void> {
  const service = app.get(CollectionAccountsService);
  const all = await service.list('test');
  for (const { id, holder } of all) if (holder === VISITOR) await service.disable(id);
  const { id } = await offerTransfers(app, { holder: VISITOR, account: iban() });
  await service.prefer(id);
}

/** Its payer has chosen to transfer the money. */
export async function awaited(world: World): Promise<OrderJson> {
  await collectionAccount(world.app);
  return awaitingTransfer(world.shop);
}

function payers(world: World): Visits {
  const { shop } = world;
  const page = async (order: Promise<OrderJson>, method: string, way = '', fields = {}) => {
    const { pathname } = new URL((await order).paymentPageUrl);
    return world.anyone(method, pathname + way, method === 'POST' ? fields : undefined);
  };
  const atOther = async () => {
    await anotherAccount(world);
    return awaited(world);
  };
  return {
    'GET /pay/:token # while a transfer is waited for': () => page(atOther(), 'GET'),
    'POST /pay/:token/start # by bank transfer': async () => {
      await collectionAccount(world.app);
      const order = shop.order();
      await order;
      await anotherAccount(world);
      return page(order, 'POST', '/start', { method: 'bank_transfer' });
    },
    'POST /pay/:token/start # by bank transfer, for the rest': async () => {
      const order = await shop.order({ amount: 1_000 });
      await told(world.app, shop, order);
      await credited(world.app, shop, order, 400);
      return page(Promise.resolve(order), 'POST', '/start', { method: 'bank_transfer' });
    },
    'POST /pay/:token/start # in another way than by transfer': () =>
      page(awaited(world), 'POST', '/start', { method: 'sandbox' }),
    'POST /pay/:token/cancel # while a transfer is waited for': () =>
      page(awaited(world), 'POST', '/cancel'),
    'PATCH /api/order/:txid # with a part of a transfer': async () => {
      const order = await shop.order({ amount: 1_000 });
      await told(world.app, shop, order);
      await credited(world.app, shop, order, 400);
      return world.api('PATCH', `/api/order/${order.txid}`, { expiresInMinutes: 1_440 });
    },
  };
}

function lists(world: World): Visits {
  const { teller } = world;
  const get = (path: string) => () => world.get(PATH + path, teller);
  return {
    [`GET ${PATH}`]: get(''),
    [`GET ${PATH}/:mode`]: get('/test'),
    [`GET ${PATH}/:mode # looked for`]: get('/test?tab=matched&q=Paula&amount=10.00'),
    [`GET ${PATH}/balance`]: get('/balance'),
    [`GET ${PATH}/:mode/balance`]: get('/test/balance'),
  };
}

function lines(world: World): Visits {
  const { app, teller, shop } = world;
  const route = `${PATH}/:mode/lines/:id`;
  const pathOf = ({ id }: BankLine) => `${PATH}/test/lines/${id}`;
  const waiting = async (amount = 500, more: Partial<BankLine> = {}): Promise<BankLine> =>
    bookedLine(app, { lookedAt: app.clock.now(), ...more, amount });
  const post = async (line: BankLine, what: string, fields: Record<string, string> = {}) =>
    world.post(`${pathOf(line)}/${what}`, fields, teller);
  const ignored = async () => {
    const line = await waiting();
    await sent(app, await post(line, 'ignore', { reason: 'Ours' }));
    return line;
  };
  /** A line that may be one that is there. */
  const duplicate = async () =>
    waiting(500, { duplicateOf: (await waiting()).id, reason: 'possible_duplicate' });
  /** A line that may be the total of two payments that are there. */
  const total = async () => {
    const [key, batchId] = [world.word('total'), uuidv7(app.clock.now().getTime())];
    const part = () => waiting(250, { batchKey: key, batchId });
    const [{ id: duplicateOf }] = [await part(), await part()];
    return waiting(500, { key, batchId, duplicateOf, reason: 'possible_total' });
  };
  const noLongerSame = async (line: BankLine) => {
    await sent(app, await post(line, 'same'));
    return post(line, 'same/undo');
  };
  /** Money that left, and that no rule explains. */
  const left = () => {
    const unknown = { state: 'not_a_payment', reason: 'unknown_money_out' } as const;
    const lookedAt = app.clock.now();
    return bookedLine(app, { amount: 200, direction: 'out', lookedAt, ...unknown });
  };
  /** What a line has paid, and nobody knows who sent it. */
  const paid = async (what: string) => {
    const order = await shop.order({ amount: 500 });
    const { line, payment } = await credited(app, shop, order, 500, { payer: NOBODY });
    return `${pathOf(line)}/payments/${payment.id}/${what}`;
  };
  return {
    [`GET ${route}`]: async () => {
      const amount = 300 + Number(world.word().split('-')[1]);
      await told(app, shop, await shop.order({ amount }));
      const text = world.word('INVOICE');
      const line = await bookedLine(app, { amount, text, lookedAt: app.clock.now() });
      await sent(app, await post(line, 'notes', { text: 'Somebody asks the bank' }));
      return world.get(pathOf(line), teller);
    },
    [`GET ${route} # that has paid`]: async () =>
      world.get((await paid('')).replace(/\/payments.*/, ''), teller),
    [`POST ${route}/match`]: async () => {
      const { txid } = await shop.order({ amount: 500 });
      return post(await waiting(), 'match', { order0: txid, amount0: '5.00', note: 'Invoice' });
    },
    [`POST ${route}/match # with several orders`]: async () => {
      const order0 = (await shop.order({ amount: 300 })).txid;
      const order1 = (await awaited(world)).txid;
      return post(await waiting(), 'match', { order0, order1, amount1: '1.00' });
    },
    [`POST ${route}/match # that asks which order is meant`]: async () => {
      const order0 = world.word('order');
      await shop.order({ amount: 300, orderMerchantId: order0 });
      return post(await waiting(), 'match', { order0 });
    },
    [`POST ${route}/ignore`]: async () => post(await waiting(), 'ignore', { reason: 'Ours' }),
    [`POST ${route}/reopen`]: async () => post(await ignored(), 'reopen'),
    [`POST ${route}/return`]: async () => {
      const order = await shop.order({ amount: 500 });
      await credited(app, shop, order, 500);
      return post(await left(), 'return', { order: order.txid, amount: '2.00' });
    },
    [`POST ${route}/same`]: async () => post(await duplicate(), 'same'),
    [`POST ${route}/same # of a total`]: async () => post(await total(), 'same'),
    [`POST ${route}/same/undo`]: async () => noLongerSame(await duplicate()),
    [`POST ${route}/same/undo # of a total`]: async () => noLongerSame(await total()),
    [`POST ${route}/returns/:paymentId/undo`]: async () => {
      const order = await shop.order({ amount: 500 });
      const { payment } = await credited(app, shop, order, 500);
      const line = await left();
      await sent(app, await post(line, 'return', { order: order.txid, amount: '2.00' }));
      return post(line, `returns/${payment.id}/undo`);
    },
    [`POST ${route}/another`]: async () => post(await duplicate(), 'another'),
    [`POST ${route}/another/undo`]: async () => {
      const line = await duplicate();
      await sent(app, await post(line, 'another'));
      return post(line, 'another/undo');
    },
    [`POST ${route}/notes`]: async () => post(await waiting(), 'notes', { text: 'A note' }),
    [`GET ${route}/payments/:paymentId/undo`]: async () => world.get(await paid('undo'), teller),
    [`POST ${route}/payments/:paymentId/undo`]: async () =>
      world.post(await paid('undo'), { reason: 'Another order' }, teller),
    [`POST ${route}/payments/:paymentId/undo # while a refund waits for its payer`]: async () => {
      const path = await paid('undo');
      const id = path.split('/').at(-2);
      const [row] = await world.select<{ txid: string }>(
        'SELECT txid FROM payments WHERE id = $1',
        [id],
      );
      await shop.call('POST', `/api/order/${row!.txid}/refund`, { amount: 1 });
      return world.post(path, { reason: 'Another order' }, teller);
    },
    [`GET ${route}/payments/:paymentId/payer`]: async () => world.get(await paid('payer'), teller),
    [`POST ${route}/payments/:paymentId/payer`]: async () =>
      world.post(await paid('payer'), { name: 'Ada' }, teller),
  };
}

function uploads(world: World): Visits {
  const { app, teller } = world;
  const path = `${PATH}/test/uploads`;
  const route = `${PATH}/:mode/uploads`;
  const statement = () =>
    camtFile('053', {
      account: world.iban(),
      day: app.clock.now().toISOString().slice(0, 10),
      entries: [{ amount: 500, e2e: world.word('upload') }],
    });
  const upload = async (text = statement(), profile = ''): Promise<Asked> => {
    const asked = await world.post(path, { profile, account: '' }, teller);
    const body = new FormData();
    for (const [name, value] of asked.body as URLSearchParams) body.append(name, value);
    body.append('file', new Blob([text]), 'statement');
    return { ...asked, body };
  };
  /** Where a file waits. */
  const brought = async (): Promise<string> => {
    const { method, headers = {}, body } = await upload();
    const init = { method, headers, body: body!, redirect: 'manual' } as const;
    const reply = await fetch(app.url + path, init);
    const place = reply.headers.get('location');
    if (!place) throw new Error(`not uploaded: ${reply.status} ${await reply.text()}`);
    return place;
  };
  return {
    [`GET ${route}`]: () => world.get(path, teller),
    [`POST ${route}`]: () => upload(),
    [`POST ${route} # of CSV`]: async () => {
      const name = await keptProfile(world);
      return upload('Booked;Valued;Amount;Currency\n01.11.2026;01.11.2026;1,00;EUR\n', name);
    },
    [`GET ${route}/:id`]: async () => world.get(await brought(), teller),
    [`POST ${route}/:id/import`]: async () => world.post(`${await brought()}/import`, {}, teller),
    [`POST ${route}/:id/discard`]: async () => world.post(`${await brought()}/discard`, {}, teller),
  };
}

const newProfile = (world: World) => ({
  ...csvProfileOf(world.iban()),
  name: world.word(VISITOR),
});

/** Only those of a visit are kept. @returns its name */
export async function keptProfile(world: World): Promise<string> {
  await world.select(REMOVE_PROFILES);
  const profile = newProfile(world);
  const fields = { profile: JSON.stringify(profile) };
  await sent(world.app, await world.post(`${PATH}/profiles/new`, fields, world.teller));
  return profile.name;
}

function profiles(world: World): Visits {
  const { operator } = world;
  const path = `${PATH}/profiles`;
  const kept = async () => {
    const name = await keptProfile(world);
    const sql =
      'SELECT id FROM csv_profiles WHERE $1::text IS NOT NULL AND name = $2 AND removed_at IS NULL';
    return `${path}/${(await world.one(sql, name)).id}`;
  };
  return {
    [`GET ${path}`]: () => world.get(path, operator),
    [`GET ${path}/new`]: () => world.get(`${path}/new`, operator),
    [`POST ${path}/new`]: async () => {
      await world.select(REMOVE_PROFILES);
      return world.post(`${path}/new`, { profile: JSON.stringify(newProfile(world)) }, operator);
    },
    [`GET ${path}/:id/remove`]: async () => world.get(`${await kept()}/remove`, operator),
    [`POST ${path}/:id/remove`]: async () => world.post(`${await kept()}/remove`, {}, operator),
  };
}

function accounts(world: World): Visits {
  const { app, operator, shop } = world;
  const route = '/portal/platform/collection-accounts/:mode';
  const fields = () => ({ account: world.iban(), currency: 'EUR', holder: VISITOR });
  const added = async () => {
    const { id } = await offerTransfers(app, { account: world.iban(), currency: 'CHF' });
    return `${ACCOUNTS}/${id}`;
  };
  const live = '/portal/platform/collection-accounts/live';
  const liveFields = () => ({ ...fields(), currency: 'CHF' });
  /** A change that waits for the operator. */
  const change = async (what: string) => {
    const account = { ...TRANSFER_ACCOUNT, mode: 'live', account: world.iban() } as const;
    const proposed = await app
      .get(CollectionAccountChangesService)
      .proposeAdd(await proposer(app), account);
    return `${live}/changes/${proposed!.id}/${what}`;
  };
  const decided = (what: 'confirm' | 'withdraw'): Visits => ({
    [`GET ${live}/changes/:id/${what}`]: async () => world.get(await change(what), operator),
    [`POST ${live}/changes/:id/${what}`]: async () => world.post(await change(what), {}, operator),
  });
  return {
    ...decided('confirm'),
    ...decided('withdraw'),
    [`GET ${route} # in live mode`]: () => world.get(live, operator),
    [`POST ${route}/new # in live mode`]: () => world.post(`${live}/new`, liveFields(), operator),
    [`GET ${route}`]: () => world.get(ACCOUNTS, operator),
    [`GET ${route}/new`]: () => world.get(`${ACCOUNTS}/new`, operator),
    [`POST ${route}/new`]: () => world.post(`${ACCOUNTS}/new`, fields(), operator),
    [`POST ${route}/:id/prefer`]: async () => world.post(`${await added()}/prefer`, {}, operator),
    [`GET ${route}/:id/disable`]: async () => world.get(`${await added()}/disable`, operator),
    [`POST ${route}/:id/disable`]: async () => world.post(`${await added()}/disable`, {}, operator),
    'POST /portal/platform/merchants/:merchantId/transfers': () =>
      world.post(
        `/portal/platform/merchants/${shop.merchantId}/transfers`,
        { takes: 'yes' },
        operator,
      ),
  };
}
