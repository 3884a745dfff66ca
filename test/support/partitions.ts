import pg from 'pg';

/** Parts of a table; a sharding engine would put each on a machine of its own. */
const PARTS = 4;

/** All but the references of transfers: one of a payer tells no merchant, and is unique over all of them. */
const OWNED = `
  SELECT c.table_name AS name FROM information_schema.columns c
  JOIN information_schema.tables t USING (table_schema, table_name)
  WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
    AND c.column_name = 'merchant_id' AND c.is_nullable = 'NO'
    AND t.table_name <> 'transfer_references'
  ORDER BY 1`;

/** Everything that stands around the tables and does not move with their columns. */
const FOREIGN_KEYS = `
  SELECT conrelid::regclass AS "table", conname AS name, pg_get_constraintdef(oid) AS definition
  FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`;
const KEYS = `
  SELECT conname AS name, pg_get_constraintdef(oid) AS definition
  FROM pg_constraint WHERE contype IN ('p', 'u') AND conrelid = $1::regclass`;
/** But the one that payouts have without the merchant: on parts, ids are unique because they are random. */
const INDEXES = `
  SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index i
  WHERE indrelid = $1::regclass AND indexrelid IS DISTINCT FROM to_regclass('payouts_id')
    AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid AND contype <> 'f')`;
const TRIGGERS = `
  SELECT pg_get_triggerdef(oid) AS definition FROM pg_trigger
  WHERE tgrelid = $1::regclass AND NOT tgisinternal`;
const STATISTICS = `
  SELECT pg_get_statisticsobjdef(oid) AS definition FROM pg_statistic_ext
  WHERE stxrelid = $1::regclass`;

interface Part {
  readonly name: string;
  readonly definition: string;
}

interface ForeignKey extends Part {
  readonly table: string;
}

/**
 * Cuts every table that a merchant owns into parts by the merchant, with all its keys, indexes,
 * triggers and foreign keys. PostgreSQL refuses each unique key that does not hold the merchant.
 * @returns the names of the tables
 */
export async function cutByMerchant(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const ask = async <T>(sql: string, values: unknown[] = []): Promise<T[]> =>
    (await client.query(sql, values)).rows;
  try {
    const tables = (await ask<Part>(OWNED)).map(({ name }) => name);
    const links = await ask<ForeignKey>(FOREIGN_KEYS);
    for (const { table, name } of links) {
      await ask(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    }
    for (const table of tables) await cut(ask, table);
    for (const { table, name, definition } of links) {
      await ask(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
    }
    return tables;
  } finally {
    await client.end();
  }
}

type Ask = <T>(sql: string, values?: unknown[]) => Promise<T[]>;

async function cut(ask: Ask, table: string): Promise<void> {
  const keys = await ask<Part>(KEYS, [table]);
  const around = [];
  for (const sql of [INDEXES, STATISTICS, TRIGGERS])
    around.push(...(await ask<Part>(sql, [table])));
  await ask(`ALTER TABLE ${table} RENAME TO whole`);
  await ask(
    `CREATE TABLE ${table} (LIKE whole INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING CONSTRAINTS)
     PARTITION BY HASH (merchant_id)`,
  );
  await ask('DROP TABLE whole');
  for (let part = 0; part < PARTS; part++) {
    await ask(
      `CREATE TABLE ${table}_${part} PARTITION OF ${table}
       FOR VALUES WITH (MODULUS ${PARTS}, REMAINDER ${part})`,
    );
  }
  for (const { name, definition } of keys) {
    await ask(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  }
  for (const { definition } of around) await ask(definition);
}
