import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';

/** Of the time that a step took, what follows is a rest. */
const REST_SHARE = 0.5;
/** Milliseconds: a step that took much longer has waited for others. */
const REST_MAX = 50;

/** How much of an import is done in one go. */
interface Steps {
  /** Lines that one transaction stores, or more if one entry has more. */
  readonly piece: number;
  /** Lines that are read and decided together. */
  readonly batch: number;
  /** Lines that are booked in one transaction: nobody waits long for one of their orders. */
  readonly group: number;
}

const SIDE_BY_SIDE: Steps = { piece: 500, batch: 250, group: 25 };
const ONE_SESSION: Steps = { piece: 5, batch: 20, group: 1 };

/** An import of thousands of lines goes on beside those who create and pay orders, and takes no more than its share. */
@Injectable()
export class ImportPace {
  constructor(private readonly database: Database) {}

  get steps(): Steps {
    return this.database.isOneSession ? ONE_SESSION : SIDE_BY_SIDE;
  }

  /** Where everybody waits for each of its steps, an import rests behind it: nobody waits for two. */
  async step<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await work();
    if (this.database.isOneSession)
      await sleep(Math.min((performance.now() - start) * REST_SHARE, REST_MAX));
    return result;
  }
}
