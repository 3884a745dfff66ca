import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import type { Refund } from '../../database/refunds/refund.entity.js';
import type {
  SandboxRefund,
  SandboxRefundOutcome,
} from '../../database/sandbox-bank/sandbox-refund.entity.js';
import { SandboxRefundRepository } from '../../database/sandbox-bank/sandbox-refund.repository.js';
import type { RefundOutcome, RefundRequest } from '../provider.js';

/** Milliseconds until the bank has booked a refund. */
const BOOKED_AFTER_MS = 2_000;

type Money = Pick<Refund, 'merchantId' | 'id' | 'amount' | 'currency'>;

/** Refunds of the simulated bank. */
@Injectable()
export class SandboxRefunds {
  constructor(
    private readonly book: SandboxRefundRepository,
    private readonly clock: Clock,
  ) {}

  async refund({ refund }: RefundRequest): Promise<RefundOutcome> {
    const bookedAt = new Date(this.clock.now().getTime() + BOOKED_AFTER_MS);
    await this.book.open(rowOf(refund, 'succeeded', bookedAt));
    return outcomeOf((await this.book.find(refund))!, this.clock.now());
  }

  async status(refund: Money): Promise<RefundOutcome | { readonly kind: 'absent' }> {
    const row = await this.book.find(refund);
    return row ? outcomeOf(row, this.clock.now()) : { kind: 'absent' };
  }

  /** Lets the bank answer from now on, also about a refund that it has not received yet. */
  async decide(refund: Money, outcome: SandboxRefundOutcome): Promise<void> {
    await this.book.decide(rowOf(refund, outcome, this.clock.now()));
  }
}

const rowOf = (
  { merchantId, id, amount, currency }: Money,
  outcome: SandboxRefundOutcome,
  bookedAt: Date,
): SandboxRefund => ({ merchantId, refundId: id, amount, currency, outcome, bookedAt });

function outcomeOf({ outcome, bookedAt, refundId }: SandboxRefund, now: Date): RefundOutcome {
  if (outcome === 'silent') return { kind: 'unknown' };
  if (outcome === 'failed') return { kind: 'failed', message: 'The bank refused the refund.' };
  if (outcome === 'returned')
    return { kind: 'failed', message: 'The payer’s bank returned the refund.' };
  return { kind: bookedAt > now ? 'pending' : 'succeeded', reference: refundId };
}
