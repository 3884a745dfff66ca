import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../common/time/clock.js';
import { JobScheduler } from '../database/jobs/job-scheduler.js';
import type { OrderKey } from '../database/keys.js';
import { MerchantRepository } from '../database/merchants/merchant.repository.js';
import { PaymentRepository } from '../database/payments/payment.repository.js';
import type { ProviderAccount } from '../database/providers/provider-account.entity.js';
import type { SandboxTransaction } from '../database/sandbox-bank/sandbox-transaction.entity.js';
import { drainBatches } from '../database/drain-batches.js';
import { ProviderCallbacksService } from '../payments/provider-callbacks.service.js';
import type { RawCallback } from '../providers/provider.js';
import type { SandboxBankDecision } from '../providers/sandbox/sandbox-bank.js';
import { SandboxBank } from '../providers/sandbox/sandbox-bank.js';
import {
  isAnswerLate,
  isPayerReported,
  type SandboxMessage,
} from '../providers/sandbox/sandbox-message.js';
import { sandboxSignature } from '../providers/sandbox/sandbox-signature.js';
import {
  SANDBOX,
  SANDBOX_SIGNATURE,
  SANDBOX_TIMESTAMP,
} from '../providers/sandbox/sandbox.provider.js';

const JOB = 'sandbox-callbacks';
const BATCH_MAX = 100;

/** The simulated bank: decides, signs and sends callbacks like a real provider. */
@Injectable()
export class SandboxCallbacksService implements OnModuleInit {
  private readonly logger = new Logger('sandbox-bank');

  constructor(
    private readonly bank: SandboxBank,
    private readonly merchants: MerchantRepository,
    private readonly payments: PaymentRepository,
    private readonly callbacks: ProviderCallbacksService,
    private readonly jobs: JobScheduler,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.register(JOB, () => this.sendDue());
  }

  /**
   * Decides a transaction and sends its callbacks, now or when due.
   * @returns false if it was decided before
   */
  async decide(
    key: Pick<SandboxTransaction, 'merchantId' | 'paymentId'>,
    decision: SandboxBankDecision,
  ): Promise<boolean> {
    return this.answer(await this.bank.decide(key, decision));
  }

  /**
   * Sends a late payment for an attempt of the order that ended unpaid.
   * @returns false if there is none
   */
  async sendLatePayment(
    order: OrderKey,
    decision: Parameters<SandboxBank['sendLatePayment']>[1],
  ): Promise<boolean> {
    return this.answer(await this.bank.sendLatePayment(order, decision));
  }

  private async answer(line: SandboxTransaction | null): Promise<boolean> {
    if (!line) return false;
    if (line.dueAt) await this.jobs.wake(JOB, line.dueAt);
    // A crash before this loses the callback; the next status poll finds the outcome.
    const isLater = line.outcome === 'unknown' || isAnswerLate(line, this.clock.now());
    if (!isLater) await this.send(line);
    return true;
  }

  async sendDue(): Promise<void> {
    await drainBatches('callbacks of the sandbox bank', async () => {
      const due = await this.bank.takeDue(BATCH_MAX);
      for (const line of due) await this.send(line);
      return due.length;
    });
    const next = await this.bank.nextDue();
    if (next) await this.jobs.wake(JOB, next);
  }

  private async send(line: SandboxTransaction): Promise<void> {
    const payment = await this.payments.find({ merchantId: line.merchantId, id: line.paymentId });
    const accounts = await this.merchants.listEnabledAccounts(line.merchantId, 'test');
    const account = accounts.find(({ provider }) => provider === SANDBOX);
    if (!payment || !account)
      return this.logger.warn(
        { event: 'sandbox.account.missing', payment: line.paymentId },
        'the account of a sandbox payment does not exist any more',
      );
    const message = messageOf(line, payment.txid, this.clock.now());
    const callback = this.callback(message, account);
    for (let sent = 0; sent < line.repeat; sent++) {
      const event = await this.callbacks.receive(SANDBOX, account.id, callback);
      if (event) await this.callbacks.apply(event);
    }
  }

  private callback(message: SandboxMessage, account: ProviderAccount): RawCallback {
    const body = Buffer.from(JSON.stringify(message));
    const timestamp = String(Math.floor(this.clock.now().getTime() / 1000));
    const signature = sandboxSignature(account.callbackSecret, timestamp, body);
    return { headers: { [SANDBOX_TIMESTAMP]: timestamp, [SANDBOX_SIGNATURE]: signature }, body };
  }
}

const RESULTS = {
  paid: 'booked',
  declined: 'refused',
  cancelled: 'withdrawn',
  pending: 'in_progress',
  unknown: 'in_progress',
} as const;

function messageOf(line: SandboxTransaction, txid: string, now: Date): SandboxMessage {
  const result = RESULTS[line.outcome ?? 'pending'];
  const includesPayer = isPayerReported(line, now);
  return {
    id: `${line.paymentId}:${line.payerDueAt && includesPayer ? 'debtor' : result}`,
    merchant: line.merchantId,
    order: txid,
    payment: line.paymentId,
    result,
    ...(result === 'booked'
      ? {
          amount: line.paidAmount ?? line.amount,
          currency: line.paidCurrency ?? line.currency,
          ...(includesPayer && {
            debtorAccount: line.payerAccountNumber,
            debtorAccountType: line.payerAccountType,
            debtorName: line.payerAccountName,
          }),
        }
      : {}),
    ...(line.declineCode === null ? {} : { reason: line.declineCode }),
  };
}
