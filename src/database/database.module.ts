import { Global, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../config/config.js';
import { CONNECTION, Database } from './database.js';
import { DatabaseCopy } from './copy.js';
import { type Connection, connectionOf, dataSourceOptions } from './data-source.js';
import { Doctor } from './doctor/doctor.js';
import { Durability } from './durability.js';
import { Fitness } from './fitness.js';
import { JobQueue } from './job-queue.js';
import { migrate, PATIENCE_MS } from './migrate.js';
import { ServerTime } from './server-time.js';
import { ApiKeyRepository } from './repositories/api-key.repository.js';
import { AskedMailboxRepository } from './repositories/asked-mailbox.repository.js';
import { AuditRepository } from './repositories/audit.repository.js';
import { BankAccountRepository } from './repositories/bank-account.repository.js';
import { BankAccountNoticeRepository } from './repositories/bank-account-notice.repository.js';
import { DeliveryRepository } from './repositories/delivery.repository.js';
import { DeliveryLogRepository } from './repositories/delivery-log.repository.js';
import { DoctorReportRepository } from './repositories/doctor-report.repository.js';
import { DownloadRepository } from './repositories/download.repository.js';
import { EventRepository } from './repositories/event.repository.js';
import { ExportRepository } from './repositories/export.repository.js';
import { FeeRateRepository } from './repositories/fee-rate.repository.js';
import { GuessRepository } from './repositories/guess.repository.js';
import { HistoryRepository } from './repositories/history.repository.js';
import { HomeRepository } from './repositories/home.repository.js';
import { IdempotencyRepository } from './repositories/idempotency.repository.js';
import { LedgerRepository } from './repositories/ledger.repository.js';
import { MembershipRepository } from './repositories/membership.repository.js';
import { MerchantRepository } from './repositories/merchant.repository.js';
import { NotificationRecipientRepository } from './repositories/notification-recipient.repository.js';
import { OrderRepository } from './repositories/order.repository.js';
import { OrderPageRepository } from './repositories/order-page.repository.js';
import { PageOpeningRepository } from './repositories/page-opening.repository.js';
import { PaymentRepository } from './repositories/payment.repository.js';
import { PayoutHandRepository } from './repositories/payout-hand.repository.js';
import { PayoutRepository } from './repositories/payout.repository.js';
import { PayoutDeskRepository } from './repositories/payout-desk.repository.js';
import { PayoutDownloadRepository } from './repositories/payout-download.repository.js';
import { PayoutFileRepository } from './repositories/payout-file.repository.js';
import { PayoutLineRepository } from './repositories/payout-line.repository.js';
import { PayoutPageRepository } from './repositories/payout-page.repository.js';
import { PayoutScheduleRepository } from './repositories/payout-schedule.repository.js';
import { PlatformRepository } from './repositories/platform.repository.js';
import { ProviderEventRepository } from './repositories/provider-event.repository.js';
import { RetentionRepository } from './repositories/retention.repository.js';
import { SandboxRepository } from './repositories/sandbox.repository.js';
import { SavedViewRepository } from './repositories/saved-view.repository.js';
import { SeedRepository } from './repositories/seed.repository.js';
import { UserRepository } from './repositories/user.repository.js';
import { UserLinkRepository } from './repositories/user-link.repository.js';
import { UserNoticeRepository } from './repositories/user-notice.repository.js';
import { UserSessionRepository } from './repositories/user-session.repository.js';
import { WebhookEndpointRepository } from './repositories/webhook-endpoint.repository.js';

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
  DownloadRepository,
  EventRepository,
  ExportRepository,
  FeeRateRepository,
  GuessRepository,
  HistoryRepository,
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
  PayoutDeskRepository,
  AskedMailboxRepository,
  PayoutDownloadRepository,
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
      useFactory: (connection: Connection) => migrate(connection, PATIENCE_MS.start),
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
  providers: PROVIDERS,
  exports: PROVIDERS,
})
export class DatabaseModule {}
