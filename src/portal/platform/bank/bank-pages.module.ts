import { Module } from '@nestjs/common';
import { BankModule } from '../../../bank/bank.module.js';
import { CollectionAccountsModule } from '../../../collection-accounts/collection-accounts.module.js';
import { PeopleModule } from '../../../people/people.module.js';
import { CollectionAccountChangesController } from '../collection-accounts/changes.controller.js';
import { CollectionAccountsController } from '../collection-accounts/collection-accounts.controller.js';
import { BankBalanceController } from './balance.controller.js';
import { BankQueueController } from './bank-queue.controller.js';
import { BankQueueService } from './bank-queue.service.js';
import { DuplicateActionsService } from './duplicate-actions.service.js';
import { LineActionsService } from './line-actions.service.js';
import { LinePageService } from './line-page.service.js';
import { LineController } from './line.controller.js';
import { CsvProfilesController } from './files/profiles.controller.js';
import { UploadsController } from './files/uploads.controller.js';
import { UploadsService } from './files/uploads.service.js';

/** Bank statements, reconciliation and collection accounts. */
@Module({
  imports: [BankModule, CollectionAccountsModule, PeopleModule],
  controllers: [
    BankBalanceController,
    BankQueueController,
    CollectionAccountChangesController,
    CollectionAccountsController,
    CsvProfilesController,
    LineController,
    UploadsController,
  ],
  providers: [
    BankQueueService,
    DuplicateActionsService,
    LineActionsService,
    LinePageService,
    UploadsService,
  ],
})
export class BankPagesModule {}
