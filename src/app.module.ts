import { Module } from '@nestjs/common';
import { BankModule } from './bank/bank.module.js';
import { ConfigModule } from './config/config.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DemoModule } from './demo/demo.module.js';
import { MerchantsModule } from './merchants/merchants.module.js';
import { NotificationsModule } from './notifications/notifications.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { OrderSearchModule } from './order-search/order-search.module.js';
import { OrdersModule } from './orders/orders.module.js';
import { PaymentPageModule } from './payment-page/payment-page.module.js';
import { PaymentsModule } from './payments/payments.module.js';
import { PayoutsModule } from './payouts/payouts.module.js';
import { PortalModule } from './portal/portal.module.js';
import { ReferenceModule } from './reference/reference.module.js';
import { RefundPageModule } from './refund-page/refund-page.module.js';
import { RefundsModule } from './refunds/refunds.module.js';
import { RetentionModule } from './retention/retention.module.js';
import { SandboxBankModule } from './sandbox-bank/sandbox-bank.module.js';
import { StatusModule } from './status/status.module.js';

@Module({
  imports: [
    ConfigModule,
    DatabaseModule,
    MerchantsModule,
    NotificationsModule,
    OrdersModule,
    OrderSearchModule,
    StatusModule,
    PaymentsModule,
    PaymentPageModule,
    RefundsModule,
    RefundPageModule,
    SandboxBankModule,
    PayoutsModule,
    BankModule,
    PortalModule,
    DemoModule,
    RetentionModule,
    OperationsModule,
    ReferenceModule,
  ],
})
export class AppModule {}
