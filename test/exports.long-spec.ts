import { createHash, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DatabaseCopy } from '../src/database/copy/copy.js';
import { ExportRepository } from '../src/database/exports/export.repository.js';
import { ExportNotice } from '../src/exports/export-notice.js';
import { EXPORT_LEASE_MS } from '../src/exports/export-run.js';
import { EXPORT_ATTEMPTS_MAX, ExportWorker, RUNNING_MAX } from '../src/exports/export-worker.js';
import { type ExportRequest, ExportsService, KEPT_MAX } from '../src/exports/exports.service.js';
import { Connections, UNREAD_MAX_MS } from '../src/operations/connections.js';
import { freePort, TestApp } from './support/app.js';
import type { Client } from './support/client.js';
import { onPostgres } from './support/database.js';
import { exported, EVERYTHING, requestOf, rowsIn, writeOrders } from './support/exports.js';
import { count, select } from './support/facts.js';
import { MailServer } from './support/mail-server.js';
import { person, signedIn } from './support/people.js';
import { Program, removeFolder, temporaryFolder } from './support/program.js';
import { until } from './support/race.js';

/** Enough for several pieces of the file. */
const MANY = 20_000;
const USER = randomUUID();

let app: TestApp;
let server: MailServer;
let exports: ExportsService;
let worker: ExportWorker;
let repository: ExportRepository;

beforeAll(async () => {
  server = await MailServer.start();
  app = await TestApp.start({ env: { SMTP_URL: server.url } });
  exports = app.get(ExportsService);
  worker = app.get(ExportWorker);
  repository = app.get(ExportRepository);
});
afterAll(async () => {
  await app.stop();
  await server.stop();
});

const ownerOf = ({ merchantId }: Pick<Client, 'merchantId'>) =>
  ({ merchantId, mode: 'test' }) as const;

const exportOf = (
  shop: Pick<Client, 'merchantId'>,
  overrides: Partial<ExportRequest> = {},
): ExportRequest => ({
  ...requestOf(shop),
  query: 'status=open&from=2026-01-01',
  requestedBy: USER,
  ...overrides,
});

const view = async (shop: Client, id: string) => (await exports.find(ownerOf(shop), id))!;
const fileOf = async (shop: Client, id: string): Promise<Buffer> =>
  buffer((await exports.file(ownerOf(shop), id))!.stream);
const sha256 = (file: Buffer): string => createHash('sha256').update(file).digest('hex');
const claim = (perMerchant = RUNNING_MAX) => {
  const now = app.clock.now();
  return repository.claim(now, new Date(now.getTime() + EXPORT_LEASE_MS), perMerchant);
};

describe('an export', () => {
  it('ends in the file that a download gives, with a manifest', async () => {
    const shop = await app.merchant();
    app.clock.set(new Date('2026-04-01T10:00:00.000Z'));
    await shop.pay((await shop.order({ amount: 8990, optionalFields: { a: '=1' } })).txid);
    await shop.order({ amount: 99_999_999_999 });
    await shop.order({ amount: 1500, currency: 'KWD' });
    await shop.order({ amount: 700, currency: 'JPY' });
    const from = new Date('2026-03-31T22:00:00.000Z');
    const request = { filter: { ...EVERYTHING, from }, preset: 'excel', locale: 'de' } as const;
    const id = await exports.request(exportOf(shop, request));
    expect(await view(shop, id)).toMatchObject({ status: 'queued', rowsDone: 0, manifest: null });
    expect(await exports.file(ownerOf(shop), id)).toBeNull();

    app.clock.advance(5_000);
    await worker.drain();
    const ready = await view(shop, id);
    expect(ready).toMatchObject({ status: 'ready', rowsDone: 4, rowsTotal: 4, requestedBy: USER });
    const file = await fileOf(shop, id);
    expect(file.equals(await exported(app, requestOf(shop, request)))).toBe(true);
    expect(ready.manifest).toEqual({
      file: 'orders-test-2026-04-01.csv',
      merchantId: shop.merchantId,
      mode: 'test',
      filter: 'status=open&from=2026-01-01',
      cutOff: '2026-04-01T10:00:05.000Z',
      timeZone: 'Europe/Berlin',
      preset: 'excel',
      locale: 'de',
      payerMasked: false,
      columns: Object.keys(rowsIn(file, ';')[0]!),
      rows: 4,
      totals: [
        { ...total('EUR', 2, '1000000089.89', '89.90', '0.00'), fee: '0.00', net: '89.90' },
        { ...total('JPY', 1, '700', '0', '0'), fee: '0', net: '0' },
        { ...total('KWD', 1, '1.500', '0.000', '0.000'), fee: '0.000', net: '0.000' },
      ],
      bytes: file.length,
      sha256: sha256(file),
      requestedBy: USER,
      requestedAt: '2026-04-01T10:00:00.000Z',
      madeAt: '2026-04-01T10:00:05.000Z',
    });
  });

  const total = (
    currency: string,
    orders: number,
    amount: string,
    amountReceived: string,
    amountRefunded: string,
  ) => ({ currency, orders, amount, amountReceived, amountRefunded });

  it('without any row has its first line', async () => {
    const shop = await app.merchant();
    const id = await exports.request(exportOf(shop, { columns: ['txid'] }));
    await worker.drain();
    expect(String(await fileOf(shop, id))).toBe('txid\n');
    expect((await view(shop, id)).manifest).toMatchObject({ rows: 0, totals: [] });
  });

  it('of many orders is whole, and has the sums of its rows', async () => {
    const shop = await app.merchant();
    await writeOrders(app, shop, MANY);
    const id = await exports.request(exportOf(shop));
    await worker.drain();
    expect(await count(app, 'export_chunks', 'export_id = $1', [id])).toBeGreaterThan(1);
    const file = await fileOf(shop, id);
    const { manifest } = await view(shop, id);
    expect(manifest).toMatchObject({ rows: MANY, sha256: sha256(file), bytes: file.length });
    expect(manifest!.totals).toMatchObject([{ orders: MANY, amount: '2000100.00' }]);
    expect(file.equals(await exported(app, requestOf(shop)))).toBe(true);
  });

  it('is nobody else’s', async () => {
    const [shop, other] = [await app.merchant(), await app.merchant()];
    await other.order();
    const id = await exports.request(exportOf(shop));
    await worker.drain();
    for (const owner of [
      ownerOf(other),
      { merchantId: shop.merchantId, mode: 'live' } as const,
      { merchantId: null, mode: 'test' } as const,
    ]) {
      expect(await exports.find(owner, id)).toBeNull();
      expect(await exports.file(owner, id)).toBeNull();
      expect(await exports.cancel(owner, id)).toBe(false);
      expect((await exports.list(owner)).map((each) => each.id)).not.toContain(id);
    }
    expect((await exports.list(ownerOf(shop))).map((each) => each.id)).toEqual([id]);
    expect((await view(shop, id)).manifest).toMatchObject({ rows: 0 });
  });

  it('across merchants has the merchant in front', async () => {
    const shop = await app.merchant({ name: 'Anna' });
    const from = app.clock.now();
    await shop.order();
    const scope = { merchantId: null, mode: 'test' } as const;
    const id = await exports.request(
      exportOf(shop, { scope, filter: { ...EVERYTHING, from }, columns: ['amount'] }),
    );
    await worker.drain();
    const file = await buffer((await exports.file(scope, id))!.stream);
    expect(rowsIn(file)).toContainEqual({ merchant: 'Anna', amount: '89.90' });
  });

  it('is refused for columns and zones that do not exist', async () => {
    const shop = await app.merchant();
    for (const wrong of [{ columns: ['secret'] }, { timeZone: 'Mars' }]) {
      const asked = exports.request(exportOf(shop, wrong));
      await expect(asked).rejects.toMatchObject({ code: 'invalid_parameter' });
    }
  });
});

describe('a worker', () => {
  let shop: Client;
  beforeAll(async () => {
    shop = await app.merchant();
    await writeOrders(app, shop, MANY);
  });

  /** The first piece of the file is written. */
  const untilRunning = (id: string): Promise<void> =>
    until('a chunk is written', async () => {
      return (await count(app, 'export_chunks', 'export_id = $1', [id])) > 0;
    });

  it('tells how far it is', async () => {
    const id = await exports.request(exportOf(shop));
    const drained = worker.drain();
    await untilRunning(id);
    const { status, rowsDone, rowsTotal } = await view(shop, id);
    expect(status).toBe('running');
    expect(rowsTotal).toBe(MANY);
    expect(rowsDone).toBeGreaterThan(0);
    await drained;
    expect(await view(shop, id)).toMatchObject({ status: 'ready', rowsDone: MANY });
  });

  it('stops when the export is cancelled', async () => {
    const id = await exports.request(exportOf(shop));
    const drained = worker.drain();
    await untilRunning(id);
    expect(await exports.cancel(ownerOf(shop), id)).toBe(true);
    await drained;
    expect(await view(shop, id)).toMatchObject({ status: 'cancelled', manifest: null });
    expect((await view(shop, id)).rowsDone).toBeLessThan(MANY);
    expect(await exports.file(ownerOf(shop), id)).toBeNull();
    expect(await exports.cancel(ownerOf(shop), id)).toBe(false);
    const late = { rowsDone: 1, rowsTotal: 1, leaseUntil: app.clock.now() };
    expect(await repository.progress({ id, attempts: 1 }, late)).toBe(false);
  });

  it('that waits begins no cancelled export', async () => {
    const id = await exports.request(exportOf(shop));
    expect(await exports.cancel(ownerOf(shop), id)).toBe(true);
    expect(await claim()).toBeNull();
    expect(await view(shop, id)).toMatchObject({ status: 'cancelled' });
  });

  it('that lost its lease writes nothing more, and the next one begins anew', async () => {
    const id = await exports.request(exportOf(shop));
    const drained = worker.drain();
    await untilRunning(id);
    let taken: Awaited<ReturnType<typeof claim>> = null;
    while (!taken) {
      // The worker may have prolonged its lease in between.
      app.clock.advance(EXPORT_LEASE_MS);
      taken = await claim();
    }
    expect(taken).toMatchObject({ id, attempts: 2, rowsDone: 0, rowsTotal: null });
    await drained;
    expect(await view(shop, id)).toMatchObject({ status: 'running' });
    const progress = { rowsDone: 1, rowsTotal: 1, leaseUntil: app.clock.now() };
    const first = { id, attempts: 1 };
    expect(await repository.writeChunk(first, progress, 99, Buffer.from('late'))).toBe(false);
    const ending = { rowsDone: 1, rowsTotal: 1, finishedAt: app.clock.now(), manifest: null };
    const late = { ...ending, expiresAt: app.clock.now() };
    expect(await repository.finish(first, late)).toBe(false);

    app.clock.advance(EXPORT_LEASE_MS);
    await worker.drain();
    const file = await fileOf(shop, id);
    expect(file.equals(await exported(app, requestOf(shop)))).toBe(true);
    expect((await view(shop, id)).manifest).toMatchObject({ rows: MANY, sha256: sha256(file) });
  });

  it('that stops gives its export back', async () => {
    const id = await exports.request(exportOf(shop));
    const drained = worker.drain();
    await untilRunning(id);
    await worker.beforeApplicationShutdown();
    await drained;
    expect(await view(shop, id)).toMatchObject({ status: 'ready', rowsDone: MANY });
    expect(await select(app, 'SELECT attempts FROM exports WHERE id = $1', [id])).toEqual([
      { attempts: 2 },
    ]);
  });

  it('gives up an export that fails again and again', async () => {
    const id = await exports.request(exportOf(shop));
    await select(app, 'UPDATE exports SET attempts = $2 WHERE id = $1', [id, EXPORT_ATTEMPTS_MAX]);
    await worker.drain();
    expect(await view(shop, id)).toMatchObject({ status: 'failed', manifest: null });
  });

  it('tries again what failed once', async () => {
    const id = await exports.request(exportOf(shop, { timeZone: 'Europe/Berlin' }));
    const broken = { timeZone: 'UTC', scope: null };
    const [row] = await select<{ request: object }>(
      app,
      'SELECT request FROM exports WHERE id = $1',
      [id],
    );
    const set = 'UPDATE exports SET request = $2 WHERE id = $1';
    await select(app, set, [id, JSON.stringify(broken)]);
    await worker.drain();
    expect(await view(shop, id)).toMatchObject({ status: 'running' });
    await select(app, set, [id, JSON.stringify(row!.request)]);
    app.clock.advance(EXPORT_LEASE_MS);
    await worker.drain();
    expect(await view(shop, id)).toMatchObject({ status: 'ready' });
  });

  onPostgres(it, 'a process that dies needs a database that stays')(
    'that is killed in the middle leaves a file to the next one that is right',
    async () => {
      const id = await exports.request(exportOf(shop));
      const folder = temporaryFolder();
      const port = String(await freePort());
      const env = {
        DATABASE_URL: app.database.url,
        ROLE: 'worker',
        LOG_LEVEL: 'error',
        PORT: port,
      };
      const program = new Program('main.js', [], env, folder);
      while ((await count(app, 'export_chunks', 'export_id = $1', [id])) === 0) {
        expect(program.child.exitCode).toBeNull();
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await program.kill();
      removeFolder(folder);
      expect(await view(shop, id)).toMatchObject({ status: 'running' });
      expect(await claim()).toBeNull();

      app.clock.set(new Date(Date.now() + 2 * EXPORT_LEASE_MS));
      await worker.drain();
      const file = await fileOf(shop, id);
      expect(file.equals(await exported(app, requestOf(shop)))).toBe(true);
      expect((await view(shop, id)).manifest).toMatchObject({ rows: MANY, sha256: sha256(file) });
    },
  );
});

describe('limits', () => {
  // Leases never reach beyond the database's own time, so the service's clock goes with it.
  beforeEach(() => app.clock.set(new Date()));

  it('let one of a merchant’s exports run at a time, and merchants take turns', async () => {
    const [shop, other] = [await app.merchant(), await app.merchant()];
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push(await exports.request(exportOf(shop)));
    app.clock.advance(1_000);
    const others = await exports.request(exportOf(other));
    const claimed = [await claim(), await claim(), await claim()];
    expect(claimed.map((row) => row?.id)).toEqual([ids[0], others, undefined]);
    await repository.release(claimed[0]!);
    const all = await Promise.all(Array.from({ length: 8 }, () => claim()));
    const [again] = all.filter((row) => row !== null);
    expect(all.filter(Boolean).map((row) => row!.id)).toEqual([ids[0]]);
    // Whoever has just got a file stands behind those who wait for their first.
    const third = await app.merchant();
    const waits = await exports.request(exportOf(third));
    const finishedAt = app.clock.now();
    const ending = { rowsDone: 0, rowsTotal: 0, manifest: null, finishedAt, expiresAt: finishedAt };
    await repository.finish(again!, ending);
    expect([(await claim())?.id, (await claim())?.id]).toEqual([waits, ids[1]]);
    ids.shift();
    app.clock.advance(EXPORT_LEASE_MS);
    await worker.drain();
    for (const id of ids) expect(await view(shop, id)).toMatchObject({ status: 'ready' });
  });

  it('hold for the platform’s own exports too', async () => {
    const shop = await app.merchant();
    const scope = { merchantId: null, mode: 'test' } as const;
    for (let n = 0; n < 3; n++) await exports.request(exportOf(shop, { scope, columns: ['txid'] }));
    expect([await claim(), await claim(), await claim()].filter(Boolean)).toHaveLength(1);
    app.clock.advance(EXPORT_LEASE_MS);
    await worker.drain();
  });

  it('let so many wait', async () => {
    const shop = await app.merchant();
    for (let n = 0; n < KEPT_MAX; n++) await exports.request(exportOf(shop));
    await expect(exports.request(exportOf(shop))).rejects.toMatchObject({ code: 'rate_limited' });
    await worker.drain();
    await exports.request(exportOf(shop));
    await worker.drain();
  });

  it('let as many stand together: the oldest finished one goes for the next, without a file first', async () => {
    const shop = await app.merchant();
    for (const scope of [ownerOf(shop), { merchantId: null, mode: 'live' } as const]) {
      const ids: string[] = [];
      const ask = async () => {
        app.clock.advance(1_000);
        ids.push(await exports.request(exportOf(shop, { scope, columns: ['txid'] })));
      };
      const stand = async () => (await exports.list(scope)).map(({ id }) => id).reverse();
      for (let n = 0; n < KEPT_MAX; n++) await ask();
      await exports.cancel(scope, ids[3]!);
      await worker.drain();
      await ask();
      ids.splice(3, 1);
      expect(await stand()).toEqual(ids);
      await ask();
      expect(await stand()).toEqual(ids.slice(1));
      expect(await count(app, 'export_chunks', 'export_id = $1', [ids[0]])).toBe(0);
      expect(await count(app, 'export_chunks', 'export_id = $1', [ids[1]])).toBe(1);
      await worker.drain();
    }
  });

  it('hold for those who ask at the same moment', async () => {
    const shop = await app.merchant();
    const asked = Array.from({ length: 3 * KEPT_MAX }, () => exports.request(exportOf(shop)));
    const done = (await Promise.allSettled(asked)).filter(({ status }) => status === 'fulfilled');
    expect(await exports.list(ownerOf(shop))).toHaveLength(done.length);
    expect(done.length).toBeLessThanOrEqual(KEPT_MAX);
    await worker.drain();
  });
});

describe('readers of a file', () => {
  const LANES = 4;
  const open = () => app.get(DatabaseCopy).count('stored');
  let shop: Client;
  let id: string;

  beforeAll(async () => {
    shop = await app.merchant();
    await writeOrders(app, shop, 2 * MANY);
    id = await exports.request(exportOf(shop));
    await worker.drain();
  });

  it('have four places for a merchant, which they give back; the others are for others', async () => {
    const other = await app.merchant();
    const others = await exports.request(exportOf(other));
    await worker.drain();
    const start = async () => (await exports.file(ownerOf(shop), id))!.stream;
    const unread = await Promise.all(Array.from({ length: LANES }, start));
    expect(await (await fetch(`${app.url}/metrics`)).text()).toContain(
      `payment_orders_exports_reading ${LANES}`,
    );
    const busy = { name: 'OverloadedError' };
    await expect(start()).rejects.toMatchObject(busy);
    expect((await fileOf(other, others)).length).toBeGreaterThan(0);
    unread.pop()!.destroy();
    await until('a place is free', async () => open() < LANES);
    expect((await fileOf(shop, id)).length).toBeGreaterThan(0);
    for (const stream of unread) stream.destroy();
    await until('no place is taken', async () => open() === 0);
  });

  it('have no place when the file cannot be read', async () => {
    const broken = jest.spyOn(repository, 'chunk').mockRejectedValue(new Error('away'));
    await expect(exports.file(ownerOf(shop), id)).rejects.toThrow('away');
    broken.mockRestore();
    await until('no place is taken', async () => open() === 0);
  });

  it('who stop reading are cut off, and those beyond the places wait', async () => {
    const browser = await signedIn(app, await person(app, 'owner', shop.merchantId));
    const path = `/portal/m/${shop.merchantId}/test/exports/${id}/file.csv`;
    const { hostname, port } = new URL(app.url);
    const cookie = `portal=${browser.cookie()}`;
    const stops = () => {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      socket.once('data', () => socket.pause());
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${cookie}\r\n\r\n`,
      );
      return socket;
    };
    const sockets = Array.from({ length: LANES }, stops);
    await until('all places are taken', async () => open() === LANES);
    const refused = await fetch(app.url + path, { headers: { cookie } });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    // The system takes some of it; then nothing more.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(open()).toBe(LANES);
    const connections = app.get(Connections);
    await until('no place is taken', async () => {
      const now = performance.now();
      connections.cutStalled(now);
      connections.cutStalled(now + UNREAD_MAX_MS);
      return open() === 0;
    });
    for (const socket of sockets) socket.destroy();
  });
});

describe('the upkeep', () => {
  it('forgets an export and its file after seven days', async () => {
    const shop = await app.merchant();
    const id = await exports.request(exportOf(shop));
    await worker.drain();
    const cancelled = await exports.request(exportOf(shop));
    await exports.cancel(ownerOf(shop), cancelled);
    app.clock.advance(7 * 24 * 3_600_000 - 1);
    await worker.upkeep();
    expect(await fileOf(shop, id)).not.toHaveLength(0);
    app.clock.advance(1);
    await worker.upkeep();
    expect(await exports.list(ownerOf(shop))).toEqual([]);
    expect(await count(app, 'export_chunks', 'export_id = $1', [id])).toBe(0);
  });

  it('tells whoever asked, until that has worked', async () => {
    const shop = await app.merchant();
    const notice = app.get(ExportNotice);
    const send = jest.spyOn(notice, 'send').mockRejectedValueOnce(new Error('no mail server'));
    const id = await exports.request(exportOf(shop));
    await worker.drain();
    expect(await view(shop, id)).toMatchObject({ status: 'ready' });
    await worker.upkeep();
    await worker.upkeep();
    expect(send.mock.calls.map(([row]) => row.id)).toEqual([id, id]);
    send.mockRestore();
  });

  it('sends support to the downloads of the merchant whose orders they are', async () => {
    const shop = await app.merchant();
    const asker = await person(app, 'support');
    const owner = { merchantId: null, mode: 'test', requestedBy: asker.id } as const;
    await exports.request(exportOf(shop, { requestedBy: asker.id, owner }));
    await worker.drain();
    await worker.upkeep();
    const mail = server.mails.find(({ envelope }) => envelope.to.includes(asker.email));
    expect(mail!.text).toContain(`${app.url}/portal/m/${shop.merchantId}/test/exports`);
    expect(await exports.list(ownerOf(shop))).toEqual([]);
  });

  it('sends a link to the downloads, and never the file', async () => {
    const shop = await app.merchant();
    await writeOrders(app, shop, 1_234);
    const asker = await person(app, 'owner', shop.merchantId);
    const id = await exports.request(exportOf(shop, { requestedBy: asker.id }));
    await worker.drain();
    await worker.upkeep();
    const mails = server.mails.filter(({ envelope }) => envelope.to.includes(asker.email));
    expect(mails.map(({ subject }) => subject)).toEqual(['Your file of orders is ready']);
    const [mail] = mails;
    expect(mail!.text).toContain('It has 1,234 orders');
    expect(mail!.text).toContain(`${app.url}/portal/m/${shop.merchantId}/test/exports`);
    expect(mail!.attachments).toEqual([]);
    expect(mail!.raw).toContain(id);
  });
});
