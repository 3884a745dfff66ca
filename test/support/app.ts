import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { AppModule } from '../../src/app.module.js';
import { configureApp, httpAdapter } from '../../src/app.setup.js';
import { Clock } from '../../src/common/time/clock.js';
import { Config, readConfig } from '../../src/config/config.js';
import { ServerTime } from '../../src/database/connection/server-time.js';
import { SCOPES } from '../../src/database/merchants/api-key.entity.js';
import type { RouteTable } from '../../src/http/route-table.js';
import { ApiKeysService, type NewKey } from '../../src/merchants/api-keys.service.js';
import { MerchantsService } from '../../src/merchants/merchants.service.js';
import { JsonLogger } from '../../src/operations/logger.js';
import { Client } from './client.js';
import { TestClock } from './clock.js';
import { createTables, type TestDatabase } from './database.js';
import { leaked, secretsIn } from './secrets.js';

export interface AppOptions {
  /** Settings beside the tests' own: jobs and rate limits are off. */
  readonly env?: Record<string, string>;
  /** A database that another app of the test uses too; it is not dropped with this app. */
  readonly database?: TestDatabase;
  /** Puts a part of the test's own in the place of one of the service. */
  readonly replace?: (builder: TestingModuleBuilder) => void;
  /** The system's time instead of a clock that the test moves. */
  readonly realTime?: boolean;
  /** The database's time, where it is not that of the service. */
  readonly serverClock?: Clock;
}

/** A port that nobody listens on: the service must know its own address before it starts. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** The real service on a real database and a real port, with a clock that the test moves. */
export class TestApp {
  private readonly keys: string[] = [];

  private constructor(
    readonly nest: NestFastifyApplication,
    readonly url: string,
    readonly clock: TestClock,
    readonly database: TestDatabase,
    private readonly ownsDatabase: boolean,
    /** What the service logged, a JSON object a line. */
    readonly log: string[],
    readonly routes: RouteTable,
  ) {}

  static async start(options: AppOptions = {}): Promise<TestApp> {
    const database = options.database ?? (await createTables());
    const log: string[] = [];
    const port = await freePort();
    const config = readConfig({
      PORT: String(port),
      DATABASE_URL: database.url,
      RATE_LIMITS: 'off',
      ROLE: 'api',
      LIVE_ON_EMBEDDED: 'on',
      LOG_LEVEL: 'info',
      ...options.env,
    });
    const clock = new TestClock();
    const builder = Test.createTestingModule({ imports: [AppModule] })
      .overrideProvider(Config)
      .useValue(config);
    if (!options.realTime) {
      const there = options.serverClock ?? clock;
      builder.overrideProvider(Clock).useValue(clock);
      builder.overrideProvider(ServerTime).useValue({ now: async () => there.now() });
    }
    options.replace?.(builder);
    const module = await builder.compile();
    const logger = new JsonLogger(config.logLevel, { write: (line) => void log.push(line) });
    const nest = module.createNestApplication<NestFastifyApplication>(httpAdapter(config), {
      logger,
      bodyParser: false,
    });
    const routes = await configureApp(nest);
    await nest.listen(config.port, config.host);
    return new TestApp(nest, config.publicUrl, clock, database, !options.database, log, routes);
  }

  /** @throws Error when a secret of the test stands in the service's log */
  async stop(): Promise<void> {
    const secrets = await secretsIn(this.get(DataSource));
    await this.nest.close();
    if (this.ownsDatabase) await this.database.drop();
    const found = leaked([...this.keys, ...secrets], this.log);
    if (found.length > 0) throw new Error(`the log tells secrets: ${found.join(', ')}`);
  }

  get<T>(type: abstract new (...args: never[]) => T): T {
    return this.nest.get(type as never, { strict: false });
  }

  /** A new merchant with a key of its own. */
  async merchant(
    options: Partial<Omit<NewKey, 'merchantId'>> & { readonly name?: string } = {},
  ): Promise<Client> {
    const { name = 'Test Shop', ...key } = options;
    const merchant = await this.get(MerchantsService).create({ name });
    return this.key(merchant.id, key);
  }

  /** One more key of a merchant. */
  async key(
    merchantId: string,
    options: Partial<Omit<NewKey, 'merchantId'>> = {},
  ): Promise<Client> {
    const { mode = 'test', scopes = SCOPES, ...rest } = options;
    const { key, secret } = await this.get(ApiKeysService).create({
      name: 'Test',
      ...rest,
      merchantId,
      mode,
      scopes,
    });
    this.keys.push(secret);
    return new Client(this.url, secret, merchantId, key.id);
  }
}
