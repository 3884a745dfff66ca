import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
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

/** Simulated behaviour that a payer or a test requests. */
export interface SandboxBankDecision {
  readonly outcome: SandboxOutcome;
  /** Minor units; default: the requested amount. */
  readonly amount?: number | undefined;
  readonly currency?: string | undefined;
  /** Decline code; none by default. */
  readonly declineCode?: DeclineCode | undefined;
  readonly payerAccountNumber?: string | undefined;
  /** Default: derived from the number. */
  readonly payerAccountType?: AccountType | undefined;
  readonly payerAccountName?: string | undefined;
  /** Seconds between the money and the payer details; default: together. */
  readonly payerAfterSeconds?: number | undefined;
  /** Seconds until the bank answers. */
  readonly afterSeconds?: number | undefined;
  /** Number of times the bank sends the callback. */
  readonly repeat?: number | undefined;
}

const after = (moment: Date, seconds: number): Date => new Date(moment.getTime() + seconds * 1000);

/** Simulated bank that moves no money: its decisions and its records. */
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
   * Decides a transaction, finally unless the outcome is `pending` or `unknown`.
   * @returns null if it was decided before
   */
  decide(
    key: Pick<SandboxTransaction, 'merchantId' | 'paymentId'>,
    decision: SandboxBankDecision,
  ): Promise<SandboxTransaction | null> {
    return this.book.decide(key, this.written(decision));
  }

  /**
   * Sends a late payment for the newest attempt that ended unpaid.
   * @returns null if there is none
   */
  sendLatePayment(
    order: OrderKey,
    decision: Omit<SandboxBankDecision, 'outcome' | 'declineCode'>,
  ): Promise<SandboxTransaction | null> {
    return this.book.sendLatePayment(order, this.written({ ...decision, outcome: 'paid' }));
  }

  private written(decision: SandboxBankDecision): SandboxDecision {
    const now = this.clock.now();
    const late = decision.afterSeconds ?? 0;
    // "Pay later" with a delay is a payment with a late answer.
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

  /** @returns true if the transaction will never be paid */
  async void(payment: Pick<Payment, 'merchantId' | 'id'>): Promise<boolean> {
    const key = { merchantId: payment.merchantId, paymentId: payment.id };
    const line = await this.book.void(key);
    return line?.outcome === 'cancelled';
  }

  /** Transactions with a due callback; each is returned once. */
  takeDue(limit: number): Promise<SandboxTransaction[]> {
    return this.book.takeDue(this.clock.now(), limit);
  }

  /** Time of the next callback; null if none is due. */
  nextDue(): Promise<Date | null> {
    return this.book.nextDue();
  }
}
