import { setTimeout as sleep } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { configureApp, httpAdapter } from './app.setup.js';
import { writePrivateFiles } from './common/private-folder.js';
import type { Config } from './config/config.js';
import type { DatabaseLocation } from './config/database-location.js';
import { loadConfig } from './config/config.module.js';
import { JsonLogger } from './operations/logger.js';
import { Readiness } from './operations/readiness.js';
import { explain } from './operations/start-fault.js';
import { UnhandledErrors } from './operations/unhandled-errors.js';

const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;
/** Milliseconds from the signal to the end at the latest, whatever still runs: 10 s with the exit. */
const STOP_LIMIT_MS = 9_500;
/** What runs at the end of the grace has this long, which is more than the longest query takes. */
const DRAIN_MIN_MS = 4_500;

async function start(): Promise<void> {
  writePrivateFiles();
  // Otherwise the signal opens a debugger, in which whoever reaches its port runs what he likes.
  process.on('SIGUSR1', () => undefined);
  // What rotates logs sends it, and it would end the process at once.
  process.on('SIGUSR2', () => undefined);
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
  let stop: Promise<void> | undefined;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      stop ??= stopGracefully(app, signal, config, logger).catch((error: unknown) => {
        logger.fatal({ err: error }, 'the stop has failed', 'main');
        // What has not been closed would keep the process alive.
        process.exit(1);
      });
    });
  }
  app.get(UnhandledErrors).watch();
  await app.listen(config.port, config.host);
  logger.log({ url: config.publicUrl }, 'listening', 'main');
}

/**
 * SIGTERM comes from a supervisor, behind a balancer that still sends requests until it has looked at
 * the readiness: they are served; so they are when a terminal goes. Ctrl-C comes from a person who waits.
 */
async function stopGracefully(
  app: NestFastifyApplication,
  signal: (typeof SIGNALS)[number],
  config: Config,
  logger: JsonLogger,
): Promise<void> {
  logger.log({ signal }, 'stopping', 'main');
  const isServing = signal !== 'SIGINT' && config.jobs !== 'only';
  const graceMs = isServing ? config.stopGraceMs : 0;
  limitStop(Math.max(STOP_LIMIT_MS, graceMs + DRAIN_MIN_MS), logger);
  app.get(Readiness).leave();
  await sleep(graceMs);
  await app.close();
  // A connection that a driver still holds would keep the process alive until its limit.
  process.exit(0);
}

/** Nest's own stop waits for the last request, however long that takes: only an exit ends it. */
function limitStop(limitMs: number, logger: JsonLogger): void {
  const end = () => {
    logger.warn('stopped with requests or jobs unfinished', 'main');
    process.exit(0);
  };
  setTimeout(end, limitMs).unref();
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
