import { Global, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../config/config.js';
import { Durability } from './connection/durability.js';
import { ServerTime } from './connection/server-time.js';
import { DatabaseCopy } from './copy/copy.js';
import { type Connection, connectionOf, dataSourceOptions } from './data-source.js';
import { CONNECTION, Database } from './database.js';
import { SeedRepository } from './demo/seed.repository.js';
import { ENTITIES } from './entities.js';
import { gatedRepository } from './gated-repository.js';
import { DoctorReportRepository } from './doctor/doctor-report.repository.js';
import { Doctor } from './doctor/doctor.js';
import { ExportSourceRepository } from './exports/export-source.repository.js';
import { ExportRepository } from './exports/export.repository.js';
import { JobQueue } from './job-queue.js';
import { FeeRateRepository } from './ledger/fee-rate.repository.js';
import { LedgerRepository } from './ledger/ledger.repository.js';
import { ApiKeyRepository } from './merchants/api-key.repository.js';
import { MerchantRepository } from './merchants/merchant.repository.js';
import { AskedMailboxRepository } from './notifications/asked-mailbox.repository.js';
import { DeliveryLogRepository } from './notifications/delivery-log.repository.js';
import { DeliveryRepository } from './notifications/delivery.repository.js';
import { EventRepository } from './notifications/event.repository.js';
import { NotificationRecipientRepository } from './notifications/notification-recipient.repository.js';
import { WebhookEndpointRepository } from './notifications/webhook-endpoint.repository.js';
import { HomeRepository } from './order-list/home.repository.js';
import { OrderListRepository } from './order-list/order-list.repository.js';
import { SavedViewRepository } from './order-list/saved-view.repository.js';
import { IdempotencyRepository } from './orders/idempotency.repository.js';
import { OrderPageRepository } from './orders/order-page.repository.js';
import { OrderRepository } from './orders/order.repository.js';
import { PageOpeningRepository } from './orders/page-opening.repository.js';
import { PaymentRepository } from './payments/payment.repository.js';
import { BankAccountNoticeRepository } from './payouts/bank-account-notice.repository.js';
import { BankAccountRepository } from './payouts/bank-account.repository.js';
import { PayoutExportRepository } from './payouts/payout-export.repository.js';
import { PayoutFileRepository } from './payouts/payout-file.repository.js';
import { PayoutHandRepository } from './payouts/payout-hand.repository.js';
import { PayoutLineRepository } from './payouts/payout-line.repository.js';
import { PayoutPageRepository } from './payouts/payout-page.repository.js';
import { PayoutScheduleRepository } from './payouts/payout-schedule.repository.js';
import { PayoutRepository } from './payouts/payout.repository.js';
import { PlatformPayoutRepository } from './payouts/platform-payout.repository.js';
import { AuditRepository } from './people/audit.repository.js';
import { GuessRepository } from './people/guess.repository.js';
import { MembershipRepository } from './people/membership.repository.js';
import { PlatformRepository } from './people/platform.repository.js';
import { UserLinkRepository } from './people/user-link.repository.js';
import { UserNoticeRepository } from './people/user-notice.repository.js';
import { UserSessionRepository } from './people/user-session.repository.js';
import { UserRepository } from './people/user.repository.js';
import { ProviderEventRepository } from './providers/provider-event.repository.js';
import { RetentionRepository } from './retention/retention.repository.js';
import { SandboxRepository } from './sandbox-bank/sandbox.repository.js';
import { Fitness } from './schema/fitness.js';
import { migrate, MIGRATION_WAIT_MS } from './schema/migrate.js';

const PROVIDERS = [
  Database,
  DatabaseCopy,
  Doctor,
  Durability,
  Fitness,
  JobQueue,
  ServerTime,
  ApiKeyRepository,
  AuditRepository,
  BankAccountNoticeRepository,
  BankAccountRepository,
  DeliveryLogRepository,
  DeliveryRepository,
  DoctorReportRepository,
  ExportSourceRepository,
  EventRepository,
  ExportRepository,
  FeeRateRepository,
  GuessRepository,
  OrderListRepository,
  HomeRepository,
  IdempotencyRepository,
  LedgerRepository,
  MembershipRepository,
  MerchantRepository,
  NotificationRecipientRepository,
  OrderPageRepository,
  OrderRepository,
  PageOpeningRepository,
  PaymentRepository,
  PlatformPayoutRepository,
  AskedMailboxRepository,
  PayoutExportRepository,
  PayoutFileRepository,
  PayoutLineRepository,
  PayoutPageRepository,
  PayoutHandRepository,
  PayoutRepository,
  PayoutScheduleRepository,
  PlatformRepository,
  ProviderEventRepository,
  RetentionRepository,
  SandboxRepository,
  SavedViewRepository,
  SeedRepository,
  UserLinkRepository,
  UserRepository,
  UserNoticeRepository,
  UserSessionRepository,
  WebhookEndpointRepository,
];

/** What `@InjectRepository` gives. */
const TABLES = ENTITIES.map((entity) => ({
  provide: getRepositoryToken(entity),
  inject: [Database],
  useFactory: (database: Database) => gatedRepository<object>(database, entity),
}));

/** The embedded database, when there is one, ends last: everything else still writes while it stops. */
@Injectable()
class ConnectionOwner implements OnApplicationShutdown {
  constructor(@Inject(CONNECTION) private readonly connection: Connection) {}

  async onApplicationShutdown(): Promise<void> {
    if (this.connection.kind === 'embedded') await this.connection.close();
  }
}

/** Whoever asks for it finds the tables up to date. */
const MIGRATED = Symbol('migrated');

@Global()
@Module({
  providers: [
    { provide: CONNECTION, inject: [Config], useFactory: connectionOf },
    {
      provide: MIGRATED,
      inject: [CONNECTION],
      useFactory: (connection: Connection) => migrate(connection, MIGRATION_WAIT_MS.start),
    },
    ConnectionOwner,
  ],
  exports: [CONNECTION, MIGRATED],
})
class ConnectionModule {}

/** The repository layer that all modules share. */
@Global()
@Module({
  imports: [
    ConnectionModule,
    TypeOrmModule.forRootAsync({
      inject: [CONNECTION, MIGRATED, Config],
      useFactory: (connection: Connection, _migrated: unknown, config: Config) => ({
        ...dataSourceOptions(connection, config.databasePool),
        toRetry: () => false,
      }),
    }),
  ],
  providers: [...PROVIDERS, ...TABLES],
  exports: PROVIDERS,
})
export class DatabaseModule {}
