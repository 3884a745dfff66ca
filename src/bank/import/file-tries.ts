import { Injectable, Logger } from '@nestjs/common';
import { refuse, StatementRefusedError } from '../../bank-statements/refused.js';
import { Clock } from '../../common/time/clock.js';
import { uuidv7 } from '../../common/ids.js';
import { BankFileTryRepository } from '../../database/bank/files/bank-file-try.repository.js';
import type { Mode } from '../../database/merchants/api-key.entity.js';
import { retryWhileUnavailable } from './retry-while-unavailable.js';

/** Refuses a file after it has ended this many processes. */
const ENDED_MAX = 2;
/** Refuses a file after this many failures. A slow database may recover in between. */
const FAILED_MAX = 5;
/** Heartbeat interval of an import. Without heartbeats its process counts as gone. */
const ALIVE_MS = 10_000;
const GONE_MS = 50_000;
/** Tries older than a day are forgotten: another version may import the file. */
const COUNTED_MS = 24 * 60 * 60_000;

/**
 * Limits the tries of an import so that a file cannot crash every process or fail forever. Each try is recorded before
 * it starts.
 */
@Injectable()
export class FileTries {
  private readonly logger = new Logger('statements');

  constructor(
    private readonly tries: BankFileTryRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws StatementRefusedError for a file whose import has ended processes, or failed, too often */
  async run<T>(mode: Mode, sha256: Buffer, work: () => Promise<T>): Promise<T> {
    await this.refuseTried(mode, sha256);
    const id = uuidv7(this.clock.now().getTime());
    await retryWhileUnavailable(() => this.tries.begin(id, mode, sha256, this.clock.now()));
    const heartbeat = () => this.tries.heartbeat(id, this.clock.now()).catch(() => undefined);
    const alive = setInterval(() => void heartbeat(), ALIVE_MS);
    let isOver = true;
    try {
      return await work();
    } catch (error) {
      isOver = error instanceof StatementRefusedError;
      throw error;
    } finally {
      clearInterval(alive);
      const record = () =>
        isOver ? this.tries.end(id, this.ago(COUNTED_MS)) : this.tries.fail(id, this.clock.now());
      // The connection may have been lost with that of the import. While the database is away, the try counts as a crash.
      await record()
        .catch(record)
        .catch(() => undefined);
    }
  }

  private async refuseTried(mode: Mode, sha256: Buffer): Promise<void> {
    const [since, gone] = [this.ago(COUNTED_MS), this.ago(GONE_MS)];
    const { ended, failed } = await retryWhileUnavailable(() =>
      this.tries.count(mode, sha256, since, gone),
    );
    const reason =
      ended >= ENDED_MAX
        ? 'The service was ended twice while it imported this file. It is not tried again for a day.'
        : failed >= FAILED_MAX
          ? `This file could not be stored ${failed} times; the log says why. It is not tried again for a day.`
          : null;
    if (reason === null) return;
    this.logger.error(
      { event: 'bank.file.suspended', sha256: sha256.toString('hex'), ended, failed },
      'bank file is no longer imported',
    );
    refuse(reason);
  }

  private ago(milliseconds: number): Date {
    return new Date(this.clock.now().getTime() - milliseconds);
  }
}
