import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DataSource, EntityManager } from 'typeorm';
import { readConfig } from '../src/config/config.js';
import { type Connection, connectionOf, dataSourceOptions } from '../src/database/data-source.js';
import { CONNECTION, Database } from '../src/database/database.js';
import { ApiKeyRepository } from '../src/database/merchants/api-key.repository.js';
import { EventRepository } from '../src/database/notifications/event.repository.js';
import { OrderRepository } from '../src/database/orders/order.repository.js';
import { Sweeper } from '../src/payments/sweeper.js';
import { BankQueueService } from '../src/portal/platform/bank/bank-queue.service.js';
import { readQueueQuery, TABS } from '../src/portal/platform/bank/line-filter.js';
import { RetentionJob } from '../src/retention/retention-job.js';
import { SandboxCallbacksService } from '../src/sandbox-bank/sandbox-callbacks.service.js';
import { TestApp } from './support/app.js';
import { startPayment } from './support/bank.js';
import { createDatabase, type TestDatabase } from './support/database.js';
import { readEvents } from './support/feed.js';
import { removeFolder, temporaryFolder } from './support/program.js';
import { together } from './support/race.js';

const SCHEMA = `
  SELECT 'column' AS kind, table_name || '.' || column_name AS name,
    concat_ws(' ', udt_name, datetime_precision, is_nullable,
      regexp_replace(column_default, '''(\\d+)''::(bigint|smallint)', '\\1')) AS definition
  FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT 'constraint', conname, pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 't'
  UNION ALL SELECT 'trigger', tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT 'function', proname, prosrc
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  ORDER BY 1, 2, 3`;

interface Part {
  readonly kind: string;
  readonly name: string;
  readonly definition: string;
}

/** An embedded database as PGlite makes it: others begin as the template, in which all migrations have run. */
async function emptyFolder(): Promise<TestDatabase> {
  const folder = temporaryFolder();
  const database = await PGlite.create(path.join(folder, 'pgdata'));
  await database.close();
  return { url: `file:${folder}`, isPostgres: false, drop: async () => removeFolder(folder) };
}

/** A database without anything in it. */
class EmptyDatabase {
  private constructor(
    private readonly database: TestDatabase,
    private readonly connection: Connection,
    readonly dataSource: DataSource,
  ) {}

  static async open(): Promise<EmptyDatabase> {
    const created = await createDatabase();
    const database = created.isPostgres ? created : await emptyFolder();
    const connection = await connectionOf(readConfig({ DATABASE_URL: database.url }));
    const dataSource = await new DataSource(dataSourceOptions(connection, 2)).initialize();
    return new EmptyDatabase(database, connection, dataSource);
  }

  /** What is in it; TypeORM's own table of migrations is left out. */
  async schema(): Promise<Part[]> {
    const parts = await this.dataSource.query<Part[]>(SCHEMA);
    return parts.filter(({ name }) => !/^(schema_migrations|migrations_id_seq|PK_)/.test(name));
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
    if (this.connection.kind === 'embedded') await this.connection.close();
    await this.database.drop();
  }
}

describe('migrations', () => {
  let migrated: EmptyDatabase;

  beforeAll(async () => {
    migrated = await EmptyDatabase.open();
    await migrated.dataSource.runMigrations();
  });
  afterAll(() => migrated.close());

  it('make what the entities say', async () => {
    const { upQueries } = await migrated.dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('make every column, index and rule as the entities spell it', async () => {
    const synchronized = await EmptyDatabase.open();
    await synchronized.dataSource.synchronize();
    const entities = await synchronized.schema();
    await synchronized.close();
    // Indexes over expressions have a name in their entity; what they hold, only a migration can say.
    const named = migrated.dataSource.entityMetadatas
      .flatMap(({ indices }) => indices)
      .filter(({ synchronize }) => !synchronize)
      .map(({ name }) => name);
    const { length } = (await migrated.schema()).filter(({ name }) => named.includes(name));
    expect(length).toBe(named.length);
    const isOfEntities = ({ kind, name }: Part) =>
      kind !== 'trigger' && kind !== 'function' && !named.includes(name);
    expect((await migrated.schema()).filter(isOfEntities)).toEqual(entities);
  });
});

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly Plan[];
}

/** What a plan reads: names of indexes, or tables read from end to end. */
const scansOf = (plan: Plan): string[] => [
  ...(plan['Node Type'].endsWith('Scan') && plan['Relation Name']
    ? [plan['Index Name'] ?? `all of ${plan['Relation Name']}`]
    : []),
  ...(plan.Plans ?? []).flatMap(scansOf),
];

interface Ran {
  readonly text: string;
  readonly parameters: number;
}

describe('indexes', () => {
  let app: TestApp;
  /** Every statement that ran alone, by its name. */
  const ran = new Map<string, Ran>();

  beforeAll(async () => {
    app = await TestApp.start();
    const database = app.get(Database);
    const query = database.query.bind(database);
    jest.spyOn(database, 'query').mockImplementation((statement, values) => {
      ran.set(statement.name, { text: statement.text, parameters: values.length });
      return query(statement, values);
    });
    const shop = await app.merchant();
    const order = await shop.order();
    await shop.create({ ...order, orderMerchantId: order.orderMerchantId });
    await shop.create({ orderMerchantId: order.orderMerchantId }, { 'idempotency-key': 'k' });
    await shop.cancel(order.txid, { 'idempotency-key': 'k' });
    for (const selector of ['txid', 'orderMerchantId'] as const) {
      await shop.call('GET', `/api/order?${selector}=${order[selector]}`);
    }
    await shop.call('GET', `/api/order/status?orderTransactionId=${order.txid}`);
    await shop.call('GET', `/api/order/status?orderMerchantId=${order.orderMerchantId}`);
    const orders = app.get(OrderRepository);
    const owner = { merchantId: shop.merchantId, mode: 'test' } as const;
    for (const selector of [{ txid: order.txid }, { orderMerchantId: order.orderMerchantId }]) {
      await together(() => orders.find(owner, selector));
      await together(() => orders.findStatus(owner, selector));
    }
    await together(() => app.get(ApiKeyRepository).findByHash(Buffer.alloc(32)));
    await together(() => orders.findByPageToken(order.paymentPageUrl.split('/').at(-1)!));
    const paid = await shop.order();
    await startPayment(app, paid);
    await shop.pay(paid.txid);
    await orders.versionsOf([paid.paymentPageUrl.split('/').at(-1)!]);
    await app.get(SandboxCallbacksService).sendDue();
    await app.get(Sweeper).run();
    await app.get(RetentionJob).run();
    const transacted = jest.spyOn(EntityManager.prototype, 'query');
    const { body } = await readEvents(shop, { after: 'latest' });
    for (const [text, values = []] of transacted.mock.calls) {
      if (text.includes('fresh')) ran.set('publish', { text, parameters: values.length });
    }
    await readEvents(shop, { after: body.next!, type: 'order.paid' });
    await app.get(EventRepository).find(shop.merchantId, body.next!);
    const queue = app.get(BankQueueService);
    for (const tab of Object.keys(TABS)) await queue.look('test', readQueueQuery({ tab }));
  });
  afterAll(() => app.stop());

  /** The plan that PostgreSQL keeps for a prepared statement, whatever its values are, of tables that are nearly empty. */
  const explain = ({ text, parameters }: Ran): Promise<string[]> =>
    app.get(DataSource).transaction(async (tx) => {
      await tx.query('SET LOCAL enable_bitmapscan = off');
      // The embedded database, which keeps no plans, takes no options from who connects.
      if (app.nest.get<Connection>(CONNECTION).kind === 'embedded')
        await tx.query('SET LOCAL enable_seqscan = off');
      await tx.query('SET LOCAL plan_cache_mode = force_generic_plan');
      await tx.query(`PREPARE explained AS ${text}`);
      const nulls = Array.from({ length: parameters }, () => 'NULL').join(', ');
      const execute = parameters === 0 ? 'EXECUTE explained' : `EXECUTE explained (${nulls})`;
      const [row] = await tx.query(`EXPLAIN (FORMAT JSON) ${execute}`);
      await tx.query('DEALLOCATE explained');
      return scansOf(row['QUERY PLAN'][0].Plan);
    });

  it.each([
    ['order_by_txid', 'orders_pk'],
    ['order_by_txid_each', 'orders_pk'],
    ['order_by_merchant_id', 'orders_order_merchant_id'],
    ['order_by_merchant_id_each', 'orders_order_merchant_id'],
    ['status_by_txid', 'orders_pk'],
    ['status_by_txid_each', 'orders_pk'],
    ['status_by_merchant_id', 'orders_order_merchant_id'],
    ['status_by_merchant_id_each', 'orders_order_merchant_id'],
    ['order_by_page_token', 'orders_page_token'],
    ['order_by_page_token_each', 'orders_page_token'],
    ['order_versions', 'orders_page_token'],
    ['idempotency_find', 'idempotency_records_pk'],
    ['idempotency_purge', 'idempotency_records_age'],
    ['api_key_by_hash', 'api_keys_hash'],
    ['api_key_by_hash_each', 'api_keys_hash'],
    ['orders_due', 'orders_expiring'],
    ['orders_next_due', 'orders_expiring'],
    ['orders_next_due', 'payments_due'],
    ['payments_to_poll', 'payments_due'],
    ['provider_events_claim', 'provider_events_attempts'],
    ['sandbox_take_due', 'sandbox_transactions_unsent'],
    ['retention_unpaid', 'orders_kept_without_money'],
    ['retention_payers', 'orders_kept_with_money'],
    ['retention_reports', 'provider_events_kept'],
    ['retention_notes', 'order_notes_kept'],
    ['event_feed_end', 'events_unpublished'],
    ['event_feed_end', 'event_feeds_pk'],
    ['publish', 'events_unpublished'],
    ['publish', 'events_pk'],
    ['event_position', 'events_pk'],
    ['event_at', 'events_feed'],
    ['events_page', 'events_feed'],
    ['event_by_id', 'events_pk'],
    ['bank_queue_unknown_money_out', 'bank_lines_unknown_money_out'],
    ['bank_queue_oldest', 'bank_lines_state'],
    ['bank_queue_newest', 'bank_lines_state'],
  ])('serve %s by %s', async (name, index) => {
    expect(await explain(ran.get(name)!)).toContain(index);
  });

  it('serve every statement, so that none reads a whole table', async () => {
    expect(ran.size).toBeGreaterThan(20);
    const bad: string[] = [];
    for (const [name, statement] of ran) {
      const scans = (await explain(statement)).filter((scan) => scan.startsWith('all of'));
      bad.push(...scans.map((scan) => `${name}: ${scan}`));
    }
    expect(bad).toEqual([]);
  });
});
