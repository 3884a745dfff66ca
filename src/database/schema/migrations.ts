import { Orders1763712000000 } from '../migrations/1763712000000-orders.js';
import { IdempotencyClaims1763798400000 } from '../migrations/1763798400000-idempotency-claims.js';
import { Notifications1763884800000 } from '../migrations/1763884800000-notifications.js';
import { People1763971200000 } from '../migrations/1763971200000-people.js';
import { History1764057600000 } from '../migrations/1764057600000-history.js';
import { Exports1764144000000 } from '../migrations/1764144000000-exports.js';
import { LinkMails1764230400000 } from '../migrations/1764230400000-link-mails.js';
import { OrderPage1764316800000 } from '../migrations/1764316800000-order-page.js';
import { Ledger1764403200000 } from '../migrations/1764403200000-ledger.js';
import { Payouts1764489600000 } from '../migrations/1764489600000-payouts.js';
import { Doctor1764576000000 } from '../migrations/1764576000000-doctor.js';
import { SavedViews1764662400000 } from '../migrations/1764662400000-saved-views.js';
import { OrderNotes1764748800000 } from '../migrations/1764748800000-order-notes.js';
import { PageOpenings1764835200000 } from '../migrations/1764835200000-page-openings.js';
import { MailTurns1764921600000 } from '../migrations/1764921600000-mail-turns.js';
import { AskedMailboxes1764925200000 } from '../migrations/1764925200000-asked-mailboxes.js';
import { OneSide1765008000000 } from '../migrations/1765008000000-one-side.js';
import { Guesses1765011600000 } from '../migrations/1765011600000-guesses.js';
import { Access1765015200000 } from '../migrations/1765015200000-access.js';
import { AccountNoticed1765018800000 } from '../migrations/1765018800000-account-noticed.js';
import { TransferOccurrences1765094400000 } from '../migrations/1765094400000-transfer-occurrences.js';
import { Refunds1765094401000 } from '../migrations/1765094401000-refunds.js';
import { ProviderReports1765094402000 } from '../migrations/1765094402000-provider-reports.js';
import { TwoPeople1765180800000 } from '../migrations/1765180800000-two-people.js';
import { PayoutIds1765180860000 } from '../migrations/1765180860000-payout-ids.js';
import { SchemaFence1765267200000 } from '../migrations/1765267200000-schema-fence.js';
import { KeysByMerchant1765353600000 } from '../migrations/1765353600000-keys-by-merchant.js';
import { Retention1765353601000 } from '../migrations/1765353601000-retention.js';
import { DeedsOfSessions1765440000000 } from '../migrations/1765440000000-deeds-of-sessions.js';
import { PayoutEnds1765450000000 } from '../migrations/1765450000000-payout-ends.js';
import { ErasedOrders1765450001000 } from '../migrations/1765450001000-erased-orders.js';
import { AskedDeliveries1765460000000 } from '../migrations/1765460000000-asked-deliveries.js';
import { EndpointMakers1765460001000 } from '../migrations/1765460001000-endpoint-makers.js';
import { AccountDay1765470000000 } from '../migrations/1765470000000-account-day.js';
import { UnreadableReports1765470000001 } from '../migrations/1765470000001-unreadable-reports.js';
import { SessionsRenewed1765480000000 } from '../migrations/1765480000000-sessions-renewed.js';
import { OneInvitation1765480001000 } from '../migrations/1765480001000-one-invitation.js';
import { LiveAnswers1765480002000 } from '../migrations/1765480002000-live-answers.js';
import { FeesOfAll1765490000000 } from '../migrations/1765490000000-fees-of-all.js';
import { KeyMakers1765490001000 } from '../migrations/1765490001000-key-makers.js';
import { UnbookedReports1765490002000 } from '../migrations/1765490002000-unbooked-reports.js';
import { ReportsStillTried1765500000000 } from '../migrations/1765500000000-reports-still-tried.js';
import { AcceptedInFull1765505000000 } from '../migrations/1765505000000-accepted-in-full.js';
import { KeptPeople1765510000000 } from '../migrations/1765510000000-kept-people.js';
import { Turns1765511000000 } from '../migrations/1765511000000-turns.js';
import { NoticesOfMerchants1765512000000 } from '../migrations/1765512000000-notices-of-merchants.js';
import { EndpointHearers1765520000000 } from '../migrations/1765520000000-endpoint-hearers.js';
import { AccountNews1765530000000 } from '../migrations/1765530000000-account-news.js';
import { ResentDeliveries1765540000000 } from '../migrations/1765540000000-resent-deliveries.js';
import { SeasonedOwners1765550000000 } from '../migrations/1765550000000-seasoned-owners.js';
import { UnpaidOrders1765561000000 } from '../migrations/1765561000000-unpaid-orders.js';
import { NotSentFiles1765562000000 } from '../migrations/1765562000000-not-sent-files.js';
import { EarlierRules1765563000000 } from '../migrations/1765563000000-earlier-rules.js';
import { CallbackAttempts1765565000000 } from '../migrations/1765565000000-callback-attempts.js';
import { TurnsOfModes1765564000000 } from '../migrations/1765564000000-turns-of-modes.js';
import { AccountClock1765560000000 } from '../migrations/1765560000000-account-clock.js';

/** In the order in which they run; timestamps strictly increase. */
export const MIGRATIONS = [
  Orders1763712000000,
  IdempotencyClaims1763798400000,
  Notifications1763884800000,
  People1763971200000,
  History1764057600000,
  Exports1764144000000,
  LinkMails1764230400000,
  OrderPage1764316800000,
  Ledger1764403200000,
  Payouts1764489600000,
  Doctor1764576000000,
  SavedViews1764662400000,
  OrderNotes1764748800000,
  PageOpenings1764835200000,
  MailTurns1764921600000,
  AskedMailboxes1764925200000,
  OneSide1765008000000,
  Guesses1765011600000,
  Access1765015200000,
  AccountNoticed1765018800000,
  TransferOccurrences1765094400000,
  Refunds1765094401000,
  ProviderReports1765094402000,
  TwoPeople1765180800000,
  PayoutIds1765180860000,
  SchemaFence1765267200000,
  KeysByMerchant1765353600000,
  Retention1765353601000,
  DeedsOfSessions1765440000000,
  PayoutEnds1765450000000,
  ErasedOrders1765450001000,
  AskedDeliveries1765460000000,
  EndpointMakers1765460001000,
  AccountDay1765470000000,
  UnreadableReports1765470000001,
  SessionsRenewed1765480000000,
  OneInvitation1765480001000,
  LiveAnswers1765480002000,
  FeesOfAll1765490000000,
  KeyMakers1765490001000,
  UnbookedReports1765490002000,
  ReportsStillTried1765500000000,
  AcceptedInFull1765505000000,
  KeptPeople1765510000000,
  Turns1765511000000,
  NoticesOfMerchants1765512000000,
  EndpointHearers1765520000000,
  AccountNews1765530000000,
  ResentDeliveries1765540000000,
  SeasonedOwners1765550000000,
  AccountClock1765560000000,
  UnpaidOrders1765561000000,
  NotSentFiles1765562000000,
  EarlierRules1765563000000,
  TurnsOfModes1765564000000,
  CallbackAttempts1765565000000,
];
