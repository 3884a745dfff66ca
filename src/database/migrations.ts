import { Orders1763712000000 } from './migrations/1763712000000-orders.js';
import { IdempotencyClaims1763798400000 } from './migrations/1763798400000-idempotency-claims.js';
import { Notifications1763884800000 } from './migrations/1763884800000-notifications.js';
import { People1763971200000 } from './migrations/1763971200000-people.js';
import { History1764057600000 } from './migrations/1764057600000-history.js';
import { Exports1764144000000 } from './migrations/1764144000000-exports.js';
import { LinkMails1764230400000 } from './migrations/1764230400000-link-mails.js';
import { OrderPage1764316800000 } from './migrations/1764316800000-order-page.js';
import { Ledger1764403200000 } from './migrations/1764403200000-ledger.js';
import { Payouts1764489600000 } from './migrations/1764489600000-payouts.js';
import { Doctor1764576000000 } from './migrations/1764576000000-doctor.js';
import { SavedViews1764662400000 } from './migrations/1764662400000-saved-views.js';
import { OrderNotes1764748800000 } from './migrations/1764748800000-order-notes.js';
import { PageOpenings1764835200000 } from './migrations/1764835200000-page-openings.js';

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
];
