import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { configureApp, httpAdapter } from './app.setup.js';
import { JsonLogger } from './common/logger.js';
import { ConfigError } from './config/config.js';
import { loadConfig } from './config/config.module.js';

async function start(): Promise<void> {
  const config = loadConfig();
  const logger = new JsonLogger(config.logLevel);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule, httpAdapter(config), {
    logger,
    bodyParser: false,
    abortOnError: false,
  });
  await configureApp(app);
  app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
  await app.listen(config.port, config.host);
  logger.log({ url: config.publicUrl }, 'listening', 'main');
}

start().catch((error: unknown) => {
  // A fault in the settings is the operator's to read: plain text, no stack.
  process.stderr.write(
    `${error instanceof ConfigError ? error.message : String((error as Error).stack)}\n`,
  );
  process.exit(1);
});
