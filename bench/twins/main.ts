/**
 * The twin of the service: the same durable work for the same requests, written by hand with Fastify
 * and `pg` alone. It knows none of the service's rules for what is wrong, rare or late.
 */
import Fastify from 'fastify';
import { Callers } from './callers.js';
import { orderRoutes } from './orders.js';
import { payerRoutes } from './payers.js';
import { embeddedStore, postgresStore } from './store.js';

const { PORT, DATABASE_URL = '' } = process.env;
/** As many as the service has when nobody says otherwise. */
const CONNECTIONS = 10;

const FOLDER = 'file:';
const embedded = DATABASE_URL.startsWith(FOLDER)
  ? await embeddedStore(DATABASE_URL.slice(FOLDER.length))
  : undefined;
const store = embedded ?? postgresStore(DATABASE_URL, CONNECTIONS);

const app = Fastify();
const FORM = 'application/x-www-form-urlencoded';
app.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, text, done) => done(null, text));
const callers = new Callers(store);
orderRoutes(app, store, callers, `http://127.0.0.1:${PORT}`);
payerRoutes(app, store, callers);
for (const path of ['/health/live', '/health/ready']) app.get(path, async () => ({ status: 'up' }));
await app.listen({ port: Number(PORT), host: '127.0.0.1' });

async function stop(): Promise<void> {
  await app.close();
  await embedded?.close();
  process.exit();
}
process.once('SIGTERM', () => {
  stop().catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
