import { Module } from '@nestjs/common';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { StatusModule } from '../status/status.module.js';
import { BankAccountsModule } from './bank-accounts/bank-accounts.module.js';
import { DemoSeed } from './demo-seed.js';
import { DownloadModule } from './download/download.module.js';
import { DownloadPagesService } from './download/download-pages.service.js';
import { DownloadsController } from './download/downloads.controller.js';
import { HistoryController } from './history/history.controller.js';
import { HistoryService } from './history/history.service.js';
import { SavedViewsService } from './history/saved-views.service.js';
import { HomeController } from './home/home.controller.js';
import { HomeService } from './home/home.service.js';
import { OrderPageController } from './order/order-page.controller.js';
import { OrderPageService } from './order/order-page.service.js';
import { PayoutPagesModule } from './payouts/payout-pages.module.js';
import { PeopleModule } from './people/people.module.js';
import { PlatformModule } from './platform/platform.module.js';
import { PortalController } from './portal.controller.js';
import { SettingsModule } from './settings/settings.module.js';

const ORDERS = [HomeService, OrderPageService];

const HISTORY = [DownloadPagesService, HistoryService, SavedViewsService];

/** The pages on which merchants and the platform's staff see and do what the API does not show. */
@Module({
  imports: [
    BankAccountsModule,
    DownloadModule,
    MerchantsModule,
    NotificationsModule,
    OrdersModule,
    StatusModule,
    PayoutPagesModule,
    PeopleModule,
    PlatformModule,
    SettingsModule,
  ],
  controllers: [
    PortalController,
    HistoryController,
    DownloadsController,
    HomeController,
    OrderPageController,
  ],
  providers: [DemoSeed, ...HISTORY, ...ORDERS],
  exports: [PeopleModule],
})
export class PortalModule {}
