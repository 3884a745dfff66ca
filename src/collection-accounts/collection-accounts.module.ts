import { Module } from '@nestjs/common';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { CollectionAccountsService } from './collection-accounts.service.js';

/** Accounts of the platform on which transfers arrive. */
@Module({
  imports: [MerchantsModule],
  providers: [CollectionAccountsService],
  exports: [CollectionAccountsService],
})
export class CollectionAccountsModule {}
