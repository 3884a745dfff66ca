import { Orders1763712000000 } from './migrations/1763712000000-orders.js';

/** In the order in which they run; timestamps strictly increase. */
export const MIGRATIONS = [Orders1763712000000];
