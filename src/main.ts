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
/** Maximum milliseconds from the signal to the end: 10 s including the exit. */
const STOP_LIMIT_MS = 9_500;
/** Minimum time for requests that run at the end of the grace period; longer than the longest query. */
const DRAIN_MIN_MS = 4_500;

async function start(): Promise<void> {
  writePrivateFiles();
  // Ignore SIGUSR1, which would open a debugger port for arbitrary code.
  process.on('SIGUSR1', () => undefined);
  // Sent by log rotation; would end the process.
  process.on('SIGUSR2', () => undefined);
  const config = loadConfig();
  const logger = new JsonLogger(config.logLevel);
  logger.log({ node: process.version, database: nameOf(config.database) }, 'starting', 'main');
  if (config.database.kind !== 'postgres') {
    logger.warn(
      'the embedded database may lose data in a power failure: do not use it for real money',
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
        logger.fatal({ event: 'process.shutdown.failed', err: error }, 'shutdown failed', 'main');
        // Unclosed resources would keep the process alive.
        process.exit(1);
      });
    });
  }
  app.get(UnhandledErrors).watch();
  await app.listen(config.port, config.host);
  logger.log({ url: config.publicUrl }, 'listening', 'main');
}

/**
 * On SIGTERM (from a supervisor) and SIGHUP, requests are served during the grace period, since load balancers take
 * time to notice. Ctrl-C stops at once.
 */
async function stopGracefully(
  app: NestFastifyApplication,
  signal: (typeof SIGNALS)[number],
  config: Config,
  logger: JsonLogger,
): Promise<void> {
  logger.log({ signal }, 'stopping', 'main');
  const isServing = signal !== 'SIGINT' && config.role !== 'worker';
  const graceMs = isServing ? config.shutdownGraceMs : 0;
  limitStop(Math.max(STOP_LIMIT_MS, graceMs + DRAIN_MIN_MS), logger);
  app.get(Readiness).leave();
  await sleep(graceMs);
  await app.close();
  // A connection held by a driver would keep the process alive until the limit.
  process.exit(0);
}

/** Nest's shutdown waits for the last request without a limit; an exit ends it. */
function limitStop(limitMs: number, logger: JsonLogger): void {
  const end = () => {
    logger.warn('stopped before all requests and jobs had finished', 'main');
    process.exit(0);
  };
  setTimeout(end, limitMs).unref();
}

/** Location of the data without user and password. */
function nameOf(location: DatabaseLocation): string {
  if (location.kind === 'memory') return 'memory:';
  if (location.kind === 'folder') return `file:${location.path}`;
  const { host, pathname } = new URL(location.url);
  return `postgres://${host}${pathname}`;
}

start().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  // Resources opened before the error would keep the process alive.
  process.exit(1);
});
