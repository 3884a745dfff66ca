import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { BankBalanceService } from '../bank/import/balance.service.js';
import { BankModule } from '../bank/bank.module.js';
import { BankImportService } from '../bank/import/import.service.js';
import { BankProfiles } from '../bank/import/profiles.js';
import { CollectionAccountsModule } from '../collection-accounts/collection-accounts.module.js';
import { CollectionAccountsService } from '../collection-accounts/collection-accounts.service.js';
import { Clock, SystemClock } from '../common/time/clock.js';
import { Config } from '../config/config.js';
import type { DatabaseLocation } from '../config/database-location.js';
import { loadConfig } from '../config/config.module.js';
import { type Connection, connectionOf } from '../database/data-source.js';
import { CONNECTION } from '../database/database.js';
import { DatabaseModule } from '../database/database.module.js';
import { SeedRepository } from '../database/demo/seed.repository.js';
import { Doctor } from '../database/doctor/doctor.js';
import { AccountLookRepository } from '../database/bank/collection-accounts/account-look.repository.js';
import { BankLineRepository } from '../database/bank/lines/bank-line.repository.js';
import { LedgerRepository } from '../database/ledger/ledger.repository.js';
import { OperatingRulesRepository } from '../database/people/operating-rules.repository.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import { migrate, MIGRATION_WAIT_MS } from '../database/schema/migrate.js';
import { FeesService } from '../ledger/fees.service.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { ApiKeysService } from '../merchants/api-keys.service.js';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { MerchantsService } from '../merchants/merchants.service.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { RecipientsService } from '../notifications/recipients/recipients.service.js';
import { CorrectionsService } from '../payments/corrections.service.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { RecordedRefundsService } from '../payments/recorded-refunds.service.js';
import { AccountsService } from '../people/accounts.service.js';
import { PeopleModule } from '../people/people.module.js';
import { UsersService } from '../people/users.service.js';
import { ProviderRegistry } from '../providers/provider-registry.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { ErasureService } from '../retention/erasure.service.js';
import { RetentionModule } from '../retention/retention.module.js';
import { CommandError } from './command.js';

/** Milliseconds for the answer of a local service. */
const PROBE_MS = 1_000;

/** The service without its HTTP part. */
@Module({})
class CliModule {
  static with(config: Config): DynamicModule {
    return {
      module: CliModule,
      global: true,
      imports: [
        BankModule,
        CollectionAccountsModule,
        DatabaseModule,
        LedgerModule,
        MerchantsModule,
        NotificationsModule,
        PaymentsModule,
        PeopleModule,
        ProvidersModule,
        RetentionModule,
      ],
      providers: [
        { provide: Config, useValue: config },
        { provide: Clock, useClass: SystemClock },
      ],
      exports: [Config, Clock],
    };
  }
}

const SERVICES = {
  merchants: MerchantsService,
  keys: ApiKeysService,
  recipients: RecipientsService,
  seeds: SeedRepository,
  doctor: Doctor,
  operatingRules: OperatingRulesRepository,
  accounts: AccountsService,
  users: UsersService,
  fees: FeesService,
  orders: OrderRepository,
  corrections: CorrectionsService,
  refunds: RecordedRefundsService,
  transfers: LedgerRepository,
  providers: ProviderRegistry,
  erasure: ErasureService,
  bankImport: BankImportService,
  bankProfiles: BankProfiles,
  accountLooks: AccountLookRepository,
  bankLines: BankLineRepository,
  collectionAccounts: CollectionAccountsService,
  bankBalances: BankBalanceService,
} as const;

export type Services = {
  readonly [Name in keyof typeof SERVICES]: InstanceType<(typeof SERVICES)[Name]>;
};

/** Settings of the service for a command that runs beside it. */
function loadOwnConfig(): Config {
  const config = loadConfig();
  const database: DatabaseLocation =
    config.database.kind === 'folder' ? { ...config.database, viaSocket: true } : config.database;
  return { ...config, database };
}

/**
 * Warns if the command opened an embedded database exclusively although a service answers at the configured address:
 * that service then uses another database.
 */
async function warnOfOtherDatabase({ host, port, database }: Config, connection: Connection) {
  if (connection.kind === 'postgres' || connection.isGuest) return;
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const url = `${address}/health/live`;
  const reply = await fetch(url, { signal: AbortSignal.timeout(PROBE_MS) })
    .then((response) => response.json())
    .catch(() => undefined);
  if ((reply as { status?: unknown } | undefined)?.status !== 'live') return;
  const place = database.kind === 'folder' ? `file:${database.path}` : 'memory:';
  console.error(
    `The service at ${address} does not use this database, ${place}: ` +
      'set DATABASE_URL to the one that it was started with.',
  );
}

/** Runs work with an open, migrated database. */
export async function withServices<T>(work: (services: Services) => Promise<T>): Promise<T> {
  const config = { ...loadOwnConfig(), jobs: 'off' as const, demo: false };
  const app = await NestFactory.createApplicationContext(CliModule.with(config), {
    logger: false,
    abortOnError: false,
  });
  try {
    await warnOfOtherDatabase(config, app.get<Connection>(CONNECTION));
    const found = Object.entries(SERVICES).map(([name, type]) => [name, app.get<unknown>(type)]);
    return await work(Object.fromEntries(found) as Services);
  } finally {
    await app.close();
  }
}

/** @returns names of the migrations that ran */
export async function migrateAlone(): Promise<string[]> {
  const config = loadOwnConfig();
  const connection = await connectionOf(config);
  try {
    await warnOfOtherDatabase(config, connection);
    return await migrate(connection, MIGRATION_WAIT_MS.command);
  } finally {
    if (connection.kind === 'embedded') await connection.close();
  }
}

/**
 * Runs work on one merchant; null = on none.
 * @throws CommandError for an unknown merchant
 */
export const withMerchant = <T>(
  id: string | null,
  work: (services: Services) => Promise<T>,
): Promise<T> =>
  withServices(async (services) => {
    if (id !== null && !(await services.merchants.find(id))) {
      throw new CommandError(`There is no merchant ${id}.`);
    }
    return work(services);
  });
