import { Orders1763712000000 } from './migrations/1763712000000-orders.js';
import { IdempotencyClaims1763798400000 } from './migrations/1763798400000-idempotency-claims.js';
import { Notifications1763884800000 } from './migrations/1763884800000-notifications.js';

/** In the order in which they run; timestamps strictly increase. */
export const MIGRATIONS = [
  Orders1763712000000,
  IdempotencyClaims1763798400000,
  Notifications1763884800000,
];
