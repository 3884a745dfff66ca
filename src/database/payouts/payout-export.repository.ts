import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { CopySource } from '../copy/copy-session.js';
import { type CopyOptions, DatabaseCopy } from '../copy/copy.js';
import type { Owner, PayoutKey } from '../keys.js';
import { linesSource, type PayoutFilter, payoutsSource } from './payout-export.statements.js';

type Options = Pick<CopyOptions, 'timeZone' | 'signal'>;

/** Exports payouts as CSV without header. Closing a stream closes its session. */
@Injectable()
export class PayoutExportRepository {
  constructor(private readonly copy: DatabaseCopy) {}

  /** @throws UnavailableError when there are too many downloads or the database is unavailable */
  payouts(owner: Owner, filter: PayoutFilter, options: Options): Promise<Readable> {
    return this.stream(owner, payoutsSource(owner, filter), options);
  }

  /** @throws Problem as `payouts` */
  lines(payout: PayoutKey, options: Options): Promise<Readable> {
    return this.stream(payout, linesSource(payout), options);
  }

  private async stream(
    { merchantId }: Pick<Owner, 'merchantId'>,
    source: CopySource,
    options: Options,
  ): Promise<Readable> {
    const session = await this.copy.open({ lane: 'download', merchantId, ...options });
    try {
      return await session.copy(source);
    } catch (error) {
      session.close();
      throw error;
    }
  }
}
