import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Bulkhead } from '../../overload/bulkhead.js';
import { Database } from '../../database/database.js';

/** Rest after a step, as a share of the step's duration. */
const REST_SHARE = 0.5;
/** Milliseconds. A step that took much longer was itself waiting for others. */
const REST_MAX = 50;

/** Imports of a process at a time. Each may hold the lines of an entry with 30,000 transactions. */
const IMPORTS_MAX = 2;

/** Sizes of the steps of an import. */
interface Steps {
  /** Lines per store transaction; more if a single entry has more. */
  readonly piece: number;
  /** Lines that are read and decided together. */
  readonly batch: number;
  /** Lines booked per transaction. Small, so that locks on their orders are short. */
  readonly group: number;
}

const SIDE_BY_SIDE: Steps = { piece: 500, batch: 250, group: 25 };
const ONE_SESSION: Steps = { piece: 5, batch: 20, group: 1 };

/** Throttles imports of thousands of lines so that API requests keep their share of the database. */
@Injectable()
export class ImportThrottle {
  /** Imports of this process. */
  readonly imports = new Bulkhead({ max: IMPORTS_MAX, queue: Infinity });

  constructor(private readonly database: Database) {}

  /** Runs an import; more than `IMPORTS_MAX` wait in order of arrival. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.imports.enter('import');
    try {
      return await work();
    } finally {
      release?.();
    }
  }

  get steps(): Steps {
    return this.database.isOneSession ? ONE_SESSION : SIDE_BY_SIDE;
  }

  /** On an embedded database, where all work shares one connection, rests after each step. */
  async step<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await work();
    if (this.database.isOneSession)
      await sleep(Math.min((performance.now() - start) * REST_SHARE, REST_MAX));
    return result;
  }
}
