import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
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
    const { merchantId } = owner;
    return this.copy.download(payoutsSource(owner, filter), { merchantId, ...options });
  }

  /** @throws Problem as `payouts` */
  lines(payout: PayoutKey, options: Options): Promise<Readable> {
    const { merchantId } = payout;
    return this.copy.download(linesSource(payout), { merchantId, ...options });
  }
}
