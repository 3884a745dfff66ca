import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Connection } from '../data-source.js';
import { CONNECTION } from '../database.js';

/** Which rows of `pg_settings` let PostgreSQL lose what it has confirmed, or its files, with the power. */
export const UNSAFE_SETTING = `
  name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off'`;

/** Whether the database keeps what it has confirmed, as far as its settings tell. */
@Injectable()
export class Durability {
  constructor(@Inject(CONNECTION) private readonly connection: Connection) {}

  /**
   * Settings that are off though they should be on, those of the role and the database included.
   * None of the embedded database, which never waits for the disk and says so itself.
   */
  async unsafeSettings(manager: EntityManager): Promise<string[]> {
    if (this.connection.kind === 'embedded') return [];
    const sql = `SELECT name FROM pg_settings WHERE ${UNSAFE_SETTING} ORDER BY name`;
    return (await manager.query<{ name: string }[]>(sql)).map(({ name }) => name);
  }
}
