import { UNSAFE_SETTING } from '../connection/durability.js';
import type { Fact } from './fact.js';

export const SERVER_FACTS: readonly Fact[] = [
  {
    name: 'server-durability',
    says: 'The database waits for its disk, so that no loss of power takes back what it has confirmed.',
    // The embedded database never does, and says so at each start.
    sql: `SELECT NULL::uuid AS "merchantId", 'setting ' || name AS subject, setting AS detail
      FROM pg_settings WHERE ${UNSAFE_SETTING}
        AND NOT (name = 'fsync' AND version() LIKE '%PGlite%')`,
  },
];
