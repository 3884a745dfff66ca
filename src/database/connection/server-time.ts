import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database.js';

const NOW: Statement = { name: 'server_time', text: 'SELECT clock_timestamp() AS now' };

/** The database's time: the clock that all processes share. */
@Injectable()
export class ServerTime {
  constructor(private readonly database: Database) {}

  async now(): Promise<Date> {
    const [row] = await this.database.query<{ now: Date }>(NOW, []);
    return row!.now;
  }
}
