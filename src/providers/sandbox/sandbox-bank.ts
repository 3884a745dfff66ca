import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { isToken, randomToken } from '../../common/ids.js';
import type { Payment } from '../../database/payments/payment.entity.js';
import type {
  SandboxOutcome,
  SandboxTransaction,
} from '../../database/sandbox-bank/sandbox-transaction.entity.js';
import { SandboxRepository } from '../../database/sandbox-bank/sandbox.repository.js';
import type { Outcome, PaymentRequest } from '../provider.js';
import { sandboxOutcome } from './sandbox-message.js';

/** What a payer, or a test, makes the bank do. */
export interface SandboxBankDecision {
  readonly outcome: SandboxOutcome;
  /** Minor units; what was asked for when left out. */
  readonly amount?: number | undefined;
  readonly currency?: string | undefined;
  readonly payerAccountNumber?: string | undefined;
  readonly payerAccountName?: string | undefined;
  /** The bank answers so much later. */
  readonly afterSeconds?: number | undefined;
  /** The bank sends the same callback so often. */
  readonly repeat?: number | undefined;
}

/** A bank that exists only in this service and moves no money. This is its counter and its book. */
@Injectable()
export class SandboxBank {
  constructor(
    private readonly book: SandboxRepository,
    private readonly clock: Clock,
  ) {}

  open({ payment, merchantName, returnUrl }: PaymentRequest): Promise<SandboxTransaction> {
    return this.book.open({
      merchantId: payment.merchantId,
      paymentId: payment.id,
      reference: randomToken(),
      amount: payment.amount,
      currency: payment.currency,
      payeeName: merchantName,
      returnUrl,
      createdAt: this.clock.now(),
    });
  }

  async find(reference: string): Promise<SandboxTransaction | null> {
    return isToken(reference) ? this.book.findByReference(reference) : null;
  }

  async outcome(payment: Pick<Payment, 'merchantId' | 'id'>): Promise<Outcome> {
    const line = await this.book.find({ merchantId: payment.merchantId, paymentId: payment.id });
    return sandboxOutcome(line, this.clock.now());
  }

  /**
   * Decides a transaction, once and for all unless it stayed open (`pending`, `unknown`).
   * @returns null when it was decided before
   */
  decide(
    key: Pick<SandboxTransaction, 'merchantId' | 'paymentId'>,
    decision: SandboxBankDecision,
  ): Promise<SandboxTransaction | null> {
    const late = decision.afterSeconds ?? 0;
    // "Pay later" with a time is a payment whose answer is late.
    const outcome = decision.outcome === 'pending' && late > 0 ? 'paid' : decision.outcome;
    const isLate = late > 0 && outcome !== 'unknown';
    return this.book.decide(key, {
      outcome,
      paidAmount: decision.amount ?? null,
      paidCurrency: decision.currency ?? null,
      payerAccountNumber: decision.payerAccountNumber ?? null,
      payerAccountName: decision.payerAccountName ?? null,
      dueAt: isLate ? new Date(this.clock.now().getTime() + late * 1000) : null,
      repeat: decision.repeat ?? 1,
    });
  }

  /** @returns true when the transaction will never be paid */
  async void(payment: Pick<Payment, 'merchantId' | 'id'>): Promise<boolean> {
    const key = { merchantId: payment.merchantId, paymentId: payment.id };
    const line = await this.book.void(key);
    return line?.outcome === 'cancelled';
  }

  /** Transactions whose callback is due now; each is handed out once. */
  takeDue(limit: number): Promise<SandboxTransaction[]> {
    return this.book.takeDue(this.clock.now(), limit);
  }

  /** When the next callback is due; null = none is. */
  nextDue(): Promise<Date | null> {
    return this.book.nextDue();
  }
}
