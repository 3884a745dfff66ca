import { Module } from '@nestjs/common';
import { MerchantsModule } from '../../merchants/merchants.module.js';
import { PeopleModule } from '../people/people.module.js';
import { PlatformAuditController } from './audit.controller.js';
import { HealthPageController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { PlatformMerchantsController } from './merchants.controller.js';
import { PeopleAccessService } from './people-access.service.js';
import { PlatformPeopleController } from './people.controller.js';

/** What the platform's own staff look after. */
@Module({
  imports: [MerchantsModule, PeopleModule],
  controllers: [
    PlatformMerchantsController,
    PlatformPeopleController,
    HealthPageController,
    PlatformAuditController,
  ],
  providers: [HealthService, PeopleAccessService],
})
export class PlatformModule {}
