import { Module } from '@nestjs/common';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { PeopleModule } from '../people/people.module.js';
import { CollectionAccountChangesService } from './collection-account-changes.service.js';
import { CollectionAccountsService } from './collection-accounts.service.js';

/** Accounts of the platform on which transfers arrive. */
@Module({
  imports: [MerchantsModule, PeopleModule],
  providers: [CollectionAccountChangesService, CollectionAccountsService],
  exports: [CollectionAccountChangesService, CollectionAccountsService],
})
export class CollectionAccountsModule {}
