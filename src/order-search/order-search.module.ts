import { Module } from '@nestjs/common';
import { ExportsModule } from '../exports/exports.module.js';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { OrderSearchController } from './order-search.controller.js';
import { OrderSearchService } from './order-search.service.js';

/** Order search API. */
@Module({
  imports: [ExportsModule, MerchantsModule, ProvidersModule],
  controllers: [OrderSearchController],
  providers: [OrderSearchService],
})
export class OrderSearchModule {}
