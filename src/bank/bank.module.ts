import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { PayoutsModule } from '../payouts/payouts.module.js';
import { PeopleModule } from '../people/people.module.js';
import { RefundLifecycleModule } from '../refund-lifecycle/refund-lifecycle.module.js';
import { BankBalanceService } from './import/balance.service.js';
import { FileTries } from './import/file-tries.js';
import { BankImportService } from './import/import.service.js';
import { ImportThrottle } from './import/import-throttle.js';
import { LineStore } from './recognition/line-store.js';
import { CsvProfilesService } from './import/csv-profiles.service.js';
import { LineTries } from './matching/line-tries.js';
import { ManualReconciliation } from './matching/manual-reconciliation.service.js';
import { MatcherService } from './matching/matcher.service.js';
import { PayingDoubtsService } from './matching/paying-doubts.service.js';
import { MissingStatements } from './import/missing-statements.js';
import { OrderFinder } from './matching/order-finder.js';
import { PayoutLines } from './matching/payout-lines.js';
import { UndoneReturnsService } from './matching/undone-returns.service.js';
import { PossibleDuplicatesService } from './matching/possible-duplicates.service.js';
import { UploadStore } from './import/upload-store.js';
import { BankProfiles } from './import/profiles.js';
import { WatchedFolder } from './import/watched-folder.js';

/** Services exported to other modules. */
const SERVICES = [
  BankBalanceService,
  BankImportService,
  BankProfiles,
  CsvProfilesService,
  ImportThrottle,
  ManualReconciliation,
  MatcherService,
  PayingDoubtsService,
  MissingStatements,
  PossibleDuplicatesService,
  UndoneReturnsService,
  UploadStore,
  WatchedFolder,
];

/** Bank statements, matching of payments, and reconciliation. */
@Module({
  imports: [LedgerModule, PaymentsModule, PayoutsModule, PeopleModule, RefundLifecycleModule],
  providers: [...SERVICES, FileTries, LineStore, LineTries, OrderFinder, PayoutLines],
  exports: SERVICES,
})
export class BankModule {}
