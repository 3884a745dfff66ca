import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource, type EntityManager } from 'typeorm';
import { Database } from '../src/database/database.js';
import { brokenIn, Doctor } from '../src/database/doctor/doctor.js';
import { OrderRepository } from '../src/database/orders/order.repository.js';
import { PaymentRepository } from '../src/database/payments/payment.repository.js';
import { MIGRATIONS } from '../src/database/schema/migrations.js';
import { ChangedOrders1765601000000 } from '../src/database/migrations/1765601000000-changed-orders.js';
import { EndpointsOfAShop1765610000000 } from '../src/database/migrations/1765610000000-endpoints-of-a-shop.js';
import { CollectionAccounts1765700000000 } from '../src/database/migrations/1765700000000-collection-accounts.js';
import { SandboxAnswers1765585000000 } from '../src/database/migrations/1765585000000-sandbox-answers.js';
import { KeyMakers1765490001000 } from '../src/database/migrations/1765490001000-key-makers.js';
import type { OrderJson } from './support/client.js';
import { LedgerService } from '../src/ledger/ledger.service.js';
import { StatusService } from '../src/status/status.service.js';
import type { SandboxMessage } from '../src/providers/sandbox/sandbox-message.js';
import { startPayment } from './support/bank.js';
import { select } from './support/facts.js';
import { person, type Person } from './support/people.js';
import { openShop } from './support/shop.js';

const { app, shop, bank } = await openShop();
const dataSource = app.get(DataSource);

const broken = async () =>
  brokenIn(await app.get(Doctor).examine({ overdue: false })).map(({ fact, violations }) => [
    fact.name,
    ...violations.map(({ subject }) => subject),
  ]);

interface Said extends Partial<SandboxMessage> {
  readonly as: 'applied' | 'ignored';
}

/** A message about the payment that an earlier version let pass. @returns its id */
async function passed(order: OrderJson, payment: string, { as, ...changes }: Said) {
  app.clock.advance(1_000);
  const { id } = await bank.receive(bank.message(order, payment, 'booked', changes));
  const sql = 'UPDATE provider_events SET applied_at = $2, result = $3 WHERE id = $1';
  await select(app, sql, [id, app.clock.now(), as]);
  return id;
}

async function booked(order: OrderJson, payment: string, amount: number): Promise<void> {
  app.clock.advance(1_000);
  await bank.send(bank.message(order, payment, 'booked', { amount }));
  await bank.settled();
}

/** A key, and what the audit log has of it, as programs write them that know no makers. */
async function madeBy(tx: EntityManager, { id: user }: Person, scope: string, action: string) {
  const id = randomUUID();
  await tx.query(
    `INSERT INTO api_keys (merchant_id, id, name, mode, key_hash, hint, scopes, api_version,
       allowed_ips, created_at)
     VALUES ($1, $2::uuid, 'Earlier', 'live', sha256($2::uuid::text::bytea), 'abcd', ARRAY[$3], '1.2', '{}', now())`,
    [shop.merchantId, id, scope],
  );
  await tx.query(
    `INSERT INTO audit_entries (id, merchant_id, user_id, action, subject, data, address, created_at)
     VALUES (gen_random_uuid(), $1, $2, $3, $4, '{}', '192.0.2.1', now())`,
    [shop.merchantId, user, action, id],
  );
  return id;
}

/** Migrations whose columns this version writes and reads while it plays the earlier one. */
const COLUMNS_SINCE = [
  new SandboxAnswers1765585000000(),
  new ChangedOrders1765601000000(),
  new EndpointsOfAShop1765610000000(),
  new CollectionAccounts1765700000000(),
];

/** Such columns of migrations that also need tables, or triggers, that the earlier version has not. */
const SINGLE_COLUMNS = {
  up: `ALTER TABLE orders ADD COLUMN amount_charged_back bigint NOT NULL DEFAULT 0;
    ALTER TABLE merchants ADD COLUMN transfers_allowed_by uuid`,
  down: `ALTER TABLE merchants DROP COLUMN transfers_allowed_by;
    ALTER TABLE orders DROP COLUMN amount_charged_back`,
};

async function columnsSince(turn: 'up' | 'down'): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    for (const migration of COLUMNS_SINCE) await migration[turn](runner);
    await runner.query(SINGLE_COLUMNS[turn]);
  } finally {
    await runner.release();
  }
}

const makerOf = async (key: string) => {
  const sql = 'SELECT created_by AS maker FROM api_keys WHERE id = $1';
  return (await select<{ maker: string | null }>(app, sql, [key]))[0]!.maker;
};

/** Late money that does not cover the order was accepted all the same. */
function acceptedShort({ txid }: OrderJson, amount: number): Promise<unknown> {
  return app.get(Database).transaction(async (tx) => {
    const order = (await app.get(OrderRepository).lock(tx, shop.merchantId, txid))!;
    const arrived = await app.get(PaymentRepository).arrived(tx, order);
    await app.get(LedgerService).moneyAccepted(tx, order, arrived, { amount, fee: 0 });
    const change = { to: 'paid', reason: 'manual', paymentId: arrived[0]!.id, fee: 0 } as const;
    return app.get(StatusService).move(tx, order, change, app.clock.now());
  });
}

/** As the demo made one: told of when it was added, without a mail. */
async function demoAccount(mode: 'test' | 'live', owner: Person): Promise<string> {
  const [{ id }] = (await select<{ id: string }>(
    app,
    `INSERT INTO bank_accounts (merchant_id, id, mode, holder, iban, created_by, created_at, usable_from,
       noticed_at, confirmed_by, confirmed_at)
     SELECT $1, gen_random_uuid(), $2, 'Demo', 'DE02120300000000202051', $3, at,
       at + interval '1 day', at, $3, at FROM (SELECT now() - interval '2 days' AS at) t RETURNING id`,
    [shop.merchantId, mode, owner.id],
  )) as [{ id: string }];
  return id;
}

describe('what earlier versions left behind', () => {
  let order: OrderJson;
  let payment: string;
  let owner: Person;
  let developer: Person;
  let short: OrderJson;
  let shortPayment: string;

  beforeAll(async () => {
    owner = await person(app, 'owner', shop.merchantId);
    developer = await person(app, 'developer', shop.merchantId);
    order = await shop.order({ amount: 1_000 });
    payment = await startPayment(app, order);
    for (const _ of MIGRATIONS.slice(MIGRATIONS.indexOf(KeyMakers1765490001000))) {
      await dataSource.undoLastMigration();
    }
    await columnsSince('up');
    // The column with which this version, which plays the earlier one, stores messages.
    await select(app, 'ALTER TABLE provider_events ADD COLUMN next_attempt_at timestamptz(3)');
    short = await shop.order({ amount: 1_000 });
    shortPayment = await startPayment(app, short);
    await shop.cancel(short.txid);
    await booked(short, shortPayment, 400);
    await acceptedShort(short, 400);
    await demoAccount('test', owner);
  });

  it('is named by the upgrade: reports that the books contradict, keys that may too much', async () => {
    await booked(order, payment, 400);
    const kept = [await passed(order, payment, { as: 'ignored', amount: 400 })];
    await booked(order, payment, 1_000);
    kept.push(await passed(order, payment, { as: 'ignored' }));
    const odd = [
      await passed(order, payment, { as: 'ignored', amount: 9_000 }),
      await passed(order, payment, { as: 'applied', amount: 9_000 }),
      await passed(order, payment, { as: 'ignored', currency: 'USD', amount: 7_000 }),
      await passed(order, payment, { as: 'ignored', amount: 700 }),
      await passed(order, payment, { as: 'ignored', result: 'refused' }),
    ];
    const { manager } = dataSource;
    const keys = {
      tooMuch: await madeBy(manager, developer, 'payouts:read', 'key.created'),
      rolled: await madeBy(manager, developer, 'payouts:read', 'key.rolled'),
      owners: await madeBy(manager, owner, 'payouts:read', 'key.created'),
      less: await madeBy(manager, developer, 'orders:read', 'key.created'),
      unknown: await madeBy(manager, developer, 'payouts:read', 'key.seen'),
    };

    await columnsSince('down');
    await dataSource.runMigrations();
    const results = `SELECT id FROM provider_events WHERE result = 'mismatch' ORDER BY id`;
    expect((await select<{ id: string }>(app, results)).map(({ id }) => id)).toEqual(odd);
    expect(kept).toHaveLength(2);
    expect(await Promise.all(Object.values(keys).map(makerOf))).toEqual([
      developer.id,
      developer.id,
      owner.id,
      developer.id,
      null,
    ]);
    expect(await broken()).toEqual([
      ['provider-event-handled', ...odd.map((id) => `provider event ${id}`)],
      ['key-maker', ...[keys.tooMuch, keys.rolled].toSorted().map((id) => `API key ${id}`)],
    ]);
    await select(app, `UPDATE provider_events SET handled_at = now() WHERE result = 'mismatch'`);
    await select(app, `UPDATE api_keys SET revoked_at = now() WHERE created_by = $1`, [
      developer.id,
    ]);
    expect(await broken()).toEqual([]);
  });

  it('is as it was: an order that was accepted with less, the account of the demo', async () => {
    const [{ accepted }] = (await select<{ accepted: string }>(
      app,
      'SELECT accepted_amount AS accepted FROM orders WHERE txid = $1',
      [short.txid],
    )) as [{ accepted: string }];
    expect(Number(accepted)).toBe(400);
    await bank.send(bank.message(short, shortPayment, 'booked', { amount: 700 }));
    await bank.settled();
    expect((await shop.read(short.txid)).body).toMatchObject({
      status: 'paid',
      amountReceived: 700,
    });
    expect(await broken()).toEqual([]);
    await expect(
      select(app, 'UPDATE orders SET accepted_amount = 1 WHERE txid = $1', [short.txid]),
    ).rejects.toThrow();
  });

  it('is no excuse: an account of live mode of which nobody was told', async () => {
    const id = await demoAccount('live', owner);
    expect(await broken()).toEqual([['bank-account-day', `bank account ${id}`]]);
    await select(app, 'DELETE FROM bank_accounts WHERE id = $1', [id]);
  });

  it('is seen while their processes still run: reports, until the provider repeats them', async () => {
    const id = await passed(order, payment, { as: 'ignored', amount: 9_000 });
    expect(await broken()).toEqual([['provider-event-booked', `provider event ${id}`]]);
    await booked(order, payment, 9_000);
    expect(await broken()).toEqual([]);
  });

  it('is refused while their processes still run: keys that may more than their makers', async () => {
    for (const action of ['key.created', 'key.rolled']) {
      const make = (somebody: Person, scope: string) =>
        dataSource.transaction((tx) => madeBy(tx, somebody, scope, action));
      await expect(make(developer, 'payouts:read')).rejects.toThrow('may not make a key');
      expect(await makerOf(await make(developer, 'orders:read'))).toBe(developer.id);
      expect(await makerOf(await make(owner, 'payouts:read'))).toBe(owner.id);
    }
  });
});
