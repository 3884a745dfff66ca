import { BIN, PostgresServer } from '../test/support/postgres-server.js';

const NOT_INSTALLED =
  'The bench needs PostgreSQL: install it so that pg_config or /usr/lib/postgresql has it, or name a ' +
  'server with DATABASE_URL; --on embedded measures without.';

/** The server that the environment names, else one of the bench's own with PostgreSQL's own settings. */
export async function serverUrl(stack: AsyncDisposableStack): Promise<string> {
  const named = process.env['TEST_DATABASE_URL'] ?? process.env['DATABASE_URL'];
  if (named?.startsWith('postgres')) return named;
  if (BIN === '') throw new Error(NOT_INSTALLED);
  const server = await PostgresServer.start({ fsync: 'on' });
  stack.defer(() => server.remove());
  return server.url;
}
