import { Module } from '@nestjs/common';
import { BankModule } from '../bank/bank.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { PaymentPageModule } from '../payment-page/payment-page.module.js';
import { PeopleModule } from '../people/people.module.js';
import { StatusModule } from '../status/status.module.js';
import { Admission } from './admission.js';
import { BankMetrics } from './bank-metrics.js';
import { Connections } from './connections.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { DoctorJob } from './doctor-job.js';
import { DoctorMetrics } from './doctor-metrics.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';
import { Metrics } from './metrics.js';
import { OperatingRulesAtStart } from './operating-rules.js';
import { Readiness } from './readiness.js';
import { SpareMemory } from './spare-memory.js';
import { UnhandledErrors } from './unhandled-errors.js';

/** Health, metrics, logs and consistency checks for operators. */
@Module({
  imports: [BankModule, NotificationsModule, PaymentPageModule, PeopleModule, StatusModule],
  controllers: [HealthController, MetricsController],
  providers: [
    Admission,
    BankMetrics,
    Connections,
    DeliveryMetrics,
    DoctorJob,
    DoctorMetrics,
    Metrics,
    OperatingRulesAtStart,
    Readiness,
    SpareMemory,
    UnhandledErrors,
  ],
})
export class OperationsModule {}
