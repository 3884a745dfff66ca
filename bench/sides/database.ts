import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';

/** Runs SQL in a session of its own, without the limits of requests. */
export type Query = <Row>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;

/** Where one side keeps its data. */
export interface SideDatabase {
  readonly kind: 'PostgreSQL' | 'embedded';
  /** As the side is told where it is; a folder for the embedded one. */
  readonly url: string;
  /** Whether `use` has to wait until nobody else has it open. */
  readonly isAlone: boolean;
  use<T>(run: (query: Query) => Promise<T>): Promise<T>;
}

/** A new database on a server, dropped with the stack. */
export async function postgresDatabase(
  stack: AsyncDisposableStack,
  serverUrl: string,
): Promise<SideDatabase> {
  const name = `orders_bench_${randomBytes(6).toString('hex')}`;
  const server = await connect(stack, serverUrl);
  await server.query(`CREATE DATABASE ${name}`);
  stack.defer(async () => void (await server.query(`DROP DATABASE ${name} WITH (FORCE)`)));
  const { href } = Object.assign(new URL(serverUrl), { pathname: `/${name}` });
  const client = await connect(stack, href);
  const query: Query = async <Row>(sql: string, values: readonly unknown[] = []) =>
    (await client.query(sql, values.length > 0 ? [...values] : undefined)).rows as Row[];
  return { kind: 'PostgreSQL', url: href, isAlone: false, use: (run) => run(query) };
}

async function connect(stack: AsyncDisposableStack, url: string): Promise<pg.Client> {
  const client = stack.adopt(new pg.Client({ connectionString: url }), (each) => each.end());
  // A server that ends before its clients is told by the next query.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** The folder of the embedded database, in which the service keeps this. */
const DATA = 'pgdata';

/** PGlite's own folder, for who opens it without the service. */
export const dataFolder = (url: string): string => path.join(url.slice('file:'.length), DATA);

export function embeddedDatabase(folder: string): SideDatabase {
  const url = `file:${folder}`;
  return {
    kind: 'embedded',
    url,
    isAlone: true,
    use: async (run) => {
      const database = await PGlite.create(dataFolder(url));
      try {
        return await run(async <Row>(sql: string, values?: readonly unknown[]) => {
          if (values) return (await database.query<Row>(sql, [...values])).rows;
          await database.exec(sql);
          return [];
        });
      } finally {
        await database.close();
      }
    },
  };
}
