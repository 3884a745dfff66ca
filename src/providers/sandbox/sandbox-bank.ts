import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { isToken, randomToken } from '../../common/ids.js';
import type { DeclineCode } from '../../common/decline-codes.js';
import type { OrderKey } from '../../database/keys.js';
import type { AccountType, Payment } from '../../database/payments/payment.entity.js';
import type {
  SandboxOutcome,
  SandboxTransaction,
} from '../../database/sandbox-bank/sandbox-transaction.entity.js';
import {
  type SandboxDecision,
  SandboxRepository,
} from '../../database/sandbox-bank/sandbox.repository.js';
import type { Outcome, PaymentRequest } from '../provider.js';
import { sandboxOutcome } from './sandbox-message.js';

/** What a payer, or a test, makes the bank do. */
export interface SandboxBankDecision {
  readonly outcome: SandboxOutcome;
  /** Minor units; what was asked for when left out. */
  readonly amount?: number | undefined;
  readonly currency?: string | undefined;
  /** Why it refuses; no reason when left out. */
  readonly declineCode?: DeclineCode | undefined;
  readonly payerAccountNumber?: string | undefined;
  /** As the number tells it when left out. */
  readonly payerAccountType?: AccountType | undefined;
  readonly payerAccountName?: string | undefined;
  /** So much later than the money the bank tells who paid; together when left out. */
  readonly payerAfterSeconds?: number | undefined;
  /** The bank answers so much later. */
  readonly afterSeconds?: number | undefined;
  /** The bank sends the same callback so often. */
  readonly repeat?: number | undefined;
}

const after = (moment: Date, seconds: number): Date => new Date(moment.getTime() + seconds * 1000);

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
    return this.book.decide(key, this.written(decision));
  }

  /**
   * Money moves after all, by the newest of the order's payments that was to bring none.
   * @returns null when there is no such payment
   */
  changeMind(
    order: OrderKey,
    decision: Omit<SandboxBankDecision, 'outcome' | 'declineCode'>,
  ): Promise<SandboxTransaction | null> {
    return this.book.changeMind(order, this.written({ ...decision, outcome: 'paid' }));
  }

  private written(decision: SandboxBankDecision): SandboxDecision {
    const now = this.clock.now();
    const late = decision.afterSeconds ?? 0;
    // "Pay later" with a time is a payment whose answer is late.
    const outcome = decision.outcome === 'pending' && late > 0 ? 'paid' : decision.outcome;
    const moneyAt = late > 0 && outcome !== 'unknown' ? after(now, late) : null;
    const { payerAfterSeconds } = decision;
    const isPayerLater = outcome === 'paid' && payerAfterSeconds !== undefined;
    const payerDueAt = isPayerLater ? after(moneyAt ?? now, payerAfterSeconds) : null;
    return {
      outcome,
      paidAmount: decision.amount ?? null,
      paidCurrency: decision.currency ?? null,
      payerAccountNumber: decision.payerAccountNumber ?? null,
      payerAccountType: decision.payerAccountType ?? null,
      payerAccountName: decision.payerAccountName ?? null,
      declineCode: outcome === 'declined' ? (decision.declineCode ?? null) : null,
      payerDueAt,
      dueAt: moneyAt ?? payerDueAt,
      repeat: decision.repeat ?? 1,
    };
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
