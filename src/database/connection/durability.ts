import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Connection } from '../data-source.js';
import { CONNECTION } from '../database.js';

/**
 * Condition for rows of `pg_settings` with which PostgreSQL can lose confirmed commits, or its files, in a power
 * failure.
 */
export const UNSAFE_SETTING = `
  name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off'`;

/** Checks whether confirmed commits survive a power failure, according to the settings. */
@Injectable()
export class Durability {
  constructor(@Inject(CONNECTION) private readonly connection: Connection) {}

  /**
   * Settings that are off but should be on, including those of the role and the database. Empty for the embedded
   * database, which never waits for the disk and logs that itself.
   */
  async unsafeSettings(manager: EntityManager): Promise<string[]> {
    if (this.connection.kind === 'embedded') return [];
    const sql = `SELECT name FROM pg_settings WHERE ${UNSAFE_SETTING} ORDER BY name`;
    return (await manager.query<{ name: string }[]>(sql)).map(({ name }) => name);
  }
}
