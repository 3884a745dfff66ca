import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Clock, SystemClock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { loadConfig } from '../config/config.module.js';
import { connectionOf } from '../database/data-source.js';
import { DatabaseModule } from '../database/database.module.js';
import { SeedRepository } from '../database/demo/seed.repository.js';
import { Doctor } from '../database/doctor/doctor.js';
import { LedgerRepository } from '../database/ledger/ledger.repository.js';
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
import { RefundsService } from '../payments/refunds.service.js';
import { AccountsService } from '../people/accounts.service.js';
import { PeopleModule } from '../people/people.module.js';
import { UsersService } from '../people/users.service.js';
import { ProviderRegistry } from '../providers/provider-registry.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { ErasureService } from '../retention/erasure.service.js';
import { RetentionModule } from '../retention/retention.module.js';
import { CommandError } from './command.js';

/** The service without its HTTP side. */
@Module({})
class CliModule {
  static with(config: Config): DynamicModule {
    return {
      module: CliModule,
      global: true,
      imports: [
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
  accounts: AccountsService,
  users: UsersService,
  fees: FeesService,
  orders: OrderRepository,
  corrections: CorrectionsService,
  refunds: RefundsService,
  transfers: LedgerRepository,
  providers: ProviderRegistry,
  erasure: ErasureService,
} as const;

export type Services = {
  readonly [Name in keyof typeof SERVICES]: InstanceType<(typeof SERVICES)[Name]>;
};

/** Opens the database, which brings its tables up to date, for as long as `work` lasts. */
export async function withServices<T>(work: (services: Services) => Promise<T>): Promise<T> {
  const config = { ...loadConfig(), jobs: 'off' as const, demo: false };
  const app = await NestFactory.createApplicationContext(CliModule.with(config), {
    logger: false,
    abortOnError: false,
  });
  try {
    const found = Object.entries(SERVICES).map(([name, type]) => [name, app.get<unknown>(type)]);
    return await work(Object.fromEntries(found) as Services);
  } finally {
    await app.close();
  }
}

/** @returns names of the migrations that ran */
export async function migrateAlone(): Promise<string[]> {
  const connection = await connectionOf(loadConfig());
  try {
    return await migrate(connection, MIGRATION_WAIT_MS.command);
  } finally {
    if (connection.kind === 'embedded') await connection.close();
  }
}

/**
 * The same for work on one merchant; null = on none.
 * @throws CommandError when there is no such merchant
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
