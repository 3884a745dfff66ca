import { UNSAFE_SETTING } from '../connection/durability.js';
import type { Fact } from './fact.js';

export const SERVER_FACTS: readonly Fact[] = [
  {
    name: 'server-durability',
    description:
      'The database confirms a commit only after it is on disk, so that a power failure loses nothing.',
    // The embedded database never waits, and logs that at each start.
    sql: `SELECT NULL::uuid AS "merchantId", 'setting ' || name AS subject, setting AS detail
      FROM pg_settings WHERE ${UNSAFE_SETTING}
        AND NOT (name = 'fsync' AND version() LIKE '%PGlite%')`,
  },
];
