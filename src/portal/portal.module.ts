import { Module } from '@nestjs/common';
import { ExportsModule } from '../exports/exports.module.js';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { PeopleModule } from '../people/people.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { RefundsModule } from '../refunds/refunds.module.js';
import { BankAccountsModule } from './bank-accounts/bank-accounts.module.js';
import { ExportPagesService } from './exports/export-pages.service.js';
import { ExportsController } from './exports/exports.controller.js';
import { HomeController } from './home/home.controller.js';
import { HomeService } from './home/home.service.js';
import { AssetsController } from './layout/assets.controller.js';
import { OrderListController } from './order-list/order-list.controller.js';
import { OrderListService } from './order-list/order-list.service.js';
import { SavedViewsController } from './order-list/saved-views.controller.js';
import { SavedViewsService } from './order-list/saved-views.service.js';
import { OrderPageController } from './order/order-page.controller.js';
import { OrderPageService } from './order/order-page.service.js';
import { PayoutPagesModule } from './payouts/payout-pages.module.js';
import { PeoplePagesModule } from './people/people-pages.module.js';
import { PlatformModule } from './platform/platform.module.js';
import { RefundListController } from './refunds/refund-list.controller.js';
import { RefundListService } from './refunds/refund-list.service.js';
import { RefundPagesService } from './refunds/refund-pages.service.js';
import { RefundPagesController } from './refunds/refunds.controller.js';
import { SettingsModule } from './settings/settings.module.js';
import { StartController } from './start.controller.js';

const ORDERS = [HomeService, OrderPageService, RefundListService, RefundPagesService];

const ORDER_LIST = [ExportPagesService, OrderListService, SavedViewsService];

/** Web pages for merchants and the platform's staff. */
@Module({
  imports: [
    BankAccountsModule,
    ExportsModule,
    MerchantsModule,
    NotificationsModule,
    OrdersModule,
    PaymentsModule,
    PayoutPagesModule,
    PeopleModule,
    PeoplePagesModule,
    PlatformModule,
    ProvidersModule,
    RefundsModule,
    SettingsModule,
  ],
  controllers: [
    StartController,
    AssetsController,
    OrderListController,
    SavedViewsController,
    ExportsController,
    HomeController,
    OrderPageController,
    RefundPagesController,
    RefundListController,
  ],
  providers: [...ORDER_LIST, ...ORDERS],
})
export class PortalModule {}
