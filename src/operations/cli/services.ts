import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Clock, SystemClock } from '../../common/clock.js';
import { Config } from '../../config/config.js';
import { loadConfig } from '../../config/config.module.js';
import { migrateWithoutLimit } from '../../database/data-source.js';
import { DatabaseModule } from '../../database/database.module.js';
import { ApiKeysService } from '../../merchants/api-keys.service.js';
import { MerchantsModule } from '../../merchants/merchants.module.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import { NotificationsModule } from '../../notifications/notifications.module.js';
import { RecipientsService } from '../../notifications/recipients/recipients.service.js';

/** The service without its HTTP side. */
@Module({})
class CliModule {
  static with(config: Config): DynamicModule {
    return {
      module: CliModule,
      global: true,
      imports: [DatabaseModule, MerchantsModule, NotificationsModule],
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
    });
  } finally {
    await app.close();
  }
}

/** @returns names of the migrations that ran */
export const migrate = (): Promise<string[]> => migrateWithoutLimit(loadConfig());
