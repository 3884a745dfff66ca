import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Clock, SystemClock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { loadConfig } from '../config/config.module.js';
import { connectionOf } from '../database/data-source.js';
import { Database } from '../database/database.js';
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

export interface Services {
  readonly merchants: MerchantsService;
  readonly keys: ApiKeysService;
  readonly recipients: RecipientsService;
  readonly seeds: SeedRepository;
  readonly doctor: Doctor;
  readonly accounts: AccountsService;
  readonly users: UsersService;
  readonly database: Database;
  readonly fees: FeesService;
  readonly orders: OrderRepository;
  readonly corrections: CorrectionsService;
  readonly refunds: RefundsService;
  readonly transfers: LedgerRepository;
  readonly providers: ProviderRegistry;
  readonly erasure: ErasureService;
}

/** Opens the database, which brings its tables up to date, for as long as `work` lasts. */
export async function withServices<T>(work: (services: Services) => Promise<T>): Promise<T> {
  const config = { ...loadConfig(), jobs: 'off' as const, demo: false };
  const app = await NestFactory.createApplicationContext(CliModule.with(config), {
    logger: false,
    abortOnError: false,
  });
  try {
    return await work({
      merchants: app.get(MerchantsService),
      keys: app.get(ApiKeysService),
      recipients: app.get(RecipientsService),
      seeds: app.get(SeedRepository),
      doctor: app.get(Doctor),
      accounts: app.get(AccountsService),
      users: app.get(UsersService),
      database: app.get(Database),
      fees: app.get(FeesService),
      orders: app.get(OrderRepository),
      corrections: app.get(CorrectionsService),
      refunds: app.get(RefundsService),
      transfers: app.get(LedgerRepository),
      providers: app.get(ProviderRegistry),
      erasure: app.get(ErasureService),
    });
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

/** @throws CommandError */
export async function assertMerchant({ merchants }: Services, id: string): Promise<void> {
  if (!(await merchants.find(id))) throw new CommandError(`There is no merchant ${id}.`);
}
