import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { PayoutsModule } from '../payouts/payouts.module.js';
import { PeopleModule } from '../people/people.module.js';
import { BankBalanceService } from './balance.service.js';
import { FileTries } from './file-tries.js';
import { BankImportService } from './import.service.js';
import { ImportThrottle } from './import-throttle.js';
import { LineStore } from './line-store.js';
import { CsvProfilesService } from './csv-profiles.service.js';
import { LineTries } from './line-tries.js';
import { ManualReconciliation } from './manual-reconciliation.service.js';
import { MatcherService } from './matcher.service.js';
import { MissingStatements } from './missing-statements.js';
import { OrderFinder } from './order-finder.js';
import { PayoutLines } from './payout-lines.js';
import { UndoneReturnsService } from './undone-returns.service.js';
import { PossibleDuplicatesService } from './possible-duplicates.service.js';
import { UploadStore } from './upload-store.js';
import { BankProfiles } from './profiles.js';
import { WatchedFolder } from './watched-folder.js';

/** Services exported to other modules. */
const SERVICES = [
  BankBalanceService,
  BankImportService,
  BankProfiles,
  CsvProfilesService,
  ManualReconciliation,
  MatcherService,
  MissingStatements,
  PossibleDuplicatesService,
  UndoneReturnsService,
  UploadStore,
  WatchedFolder,
];

/** Bank statements, matching of payments, and reconciliation. */
@Module({
  imports: [LedgerModule, PaymentsModule, PayoutsModule, PeopleModule],
  providers: [
    ...SERVICES,
    FileTries,
    ImportThrottle,
    LineStore,
    LineTries,
    OrderFinder,
    PayoutLines,
  ],
  exports: SERVICES,
})
export class BankModule {}
