import { Injectable } from '@nestjs/common';
import { refuse } from '../bank-statements/refused.js';
import { Clock } from '../common/clock.js';
import { uuidv7 } from '../common/ids.js';
import { BankFileTryRepository } from '../database/bank/bank-file-try.repository.js';
import type { Mode } from '../database/merchants/api-key.entity.js';
import { patiently } from './patience.js';

/** A file whose import came to no end so often is refused. */
const TRIES_MAX = 2;
/** How often an import says that it goes on, and after what time of silence its process is gone. */
const ALIVE_MS = 10_000;
const GONE_MS = 50_000;
/** A day later it may be tried again: perhaps by another version. */
const COUNTED_MS = 24 * 60 * 60_000;

/** Imports files so that none of them ends one process after the other: whoever begins is counted before. */
@Injectable()
export class FileTries {
  constructor(
    private readonly tries: BankFileTryRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws StatementRefusedError for a file whose import has ended two processes */
  async run<T>(mode: Mode, sha256: Buffer, work: () => Promise<T>): Promise<T> {
    const [since, until] = [this.ago(COUNTED_MS), this.ago(GONE_MS)];
    const gone = await patiently(() => this.tries.count(mode, sha256, since, until));
    if (gone >= TRIES_MAX)
      refuse(
        'The service was ended twice while it imported this file. It is not tried again for a day.',
      );
    const id = uuidv7(this.clock.now().getTime());
    await patiently(() => this.tries.begin(id, mode, sha256, this.clock.now()));
    const sayAlive = () => this.tries.sayAlive(id, this.clock.now()).catch(() => undefined);
    const alive = setInterval(() => void sayAlive(), ALIVE_MS);
    try {
      return await work();
    } finally {
      clearInterval(alive);
      // Left there it counts as one try at most.
      await this.tries.end(id, this.ago(COUNTED_MS)).catch(() => undefined);
    }
  }

  private ago(milliseconds: number): Date {
    return new Date(this.clock.now().getTime() - milliseconds);
  }
}
