import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database, type Statement } from '../database.js';
import { JobScheduler } from '../jobs/job-scheduler.js';

/** A smaller table is read as fast by any index. */
const PAGES_MIN = 10;
/** Plans of larger tables no longer depend on doubling, and sampling them takes longer: autovacuum's work. */
const PAGES_MAX = 12_800;

const DOUBLED: Statement = {
  name: 'tables_doubled',
  text: `SELECT relname AS "table" FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relpages < $2
      AND pg_relation_size(oid) >= greatest(2 * relpages, $1) * current_setting('block_size')::bigint`,
};

/**
 * Updates the statistics of tables that have doubled, once a minute. This discards the plans that every connection has
 * cached for them, also those of foreign key checks. A plan for a nearly empty table may find a row by any index that
 * begins with the merchant, because all cost the same, and would read all of a merchant's rows once there are many.
 * Autovacuum does this too, where it is on; the embedded database has none.
 */
@Injectable()
export class TableStatistics implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobScheduler,
  ) {}

  onModuleInit(): void {
    this.jobs.register('table-statistics', () => this.run());
  }

  async run(): Promise<void> {
    for (const { table } of await this.database.query<{ table: string }>(DOUBLED, [
      PAGES_MIN,
      PAGES_MAX,
    ]))
      await this.database.query({ name: `analyze_${table}`, text: `ANALYZE "${table}"` }, []);
  }
}
