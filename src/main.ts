import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { configureApp, httpAdapter } from './app.setup.js';
import { JsonLogger } from './common/logger.js';
import type { DatabaseLocation } from './config/config.js';
import { loadConfig } from './config/config.module.js';
import { explain } from './operations/start-fault.js';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
/** Milliseconds from the signal to the end at the latest, whatever still runs: 10 s with the exit. */
const STOP_LIMIT_MS = 9_500;

async function start(): Promise<void> {
  const config = loadConfig();
  const logger = new JsonLogger(config.logLevel);
  logger.log({ node: process.version, database: nameOf(config.database) }, 'starting', 'main');
  if (config.database.kind !== 'postgres') {
    logger.warn(
      'the embedded database may lose data with a power loss: no real money here',
      'main',
    );
  }
  const app = await NestFactory.create<NestFastifyApplication>(AppModule, httpAdapter(config), {
    logger,
    bodyParser: false,
    abortOnError: false,
  });
  await configureApp(app);
  app.enableShutdownHooks([...SIGNALS], { useProcessExit: true });
  for (const signal of SIGNALS) process.once(signal, () => limitStop(signal, logger));
  await app.listen(config.port, config.host);
  logger.log({ url: config.publicUrl }, 'listening', 'main');
}

/** Nest's own stop waits for the last request, however long that takes. */
function limitStop(signal: string, logger: JsonLogger): void {
  logger.log({ signal }, 'stopping', 'main');
  const end = () => {
    logger.warn('stopped with requests or jobs unfinished', 'main');
    process.exit(0);
  };
  setTimeout(end, STOP_LIMIT_MS).unref();
}

/** Where the data lives, without user and password. */
function nameOf(location: DatabaseLocation): string {
  if (location.kind === 'memory') return 'memory:';
  if (location.kind === 'folder') return `file:${location.path}`;
  const { host, pathname } = new URL(location.url);
  return `postgres://${host}${pathname}`;
}

start().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  // What had been opened before the fault would keep the process alive.
  process.exit(1);
});
