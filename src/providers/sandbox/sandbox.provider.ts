import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import type { Payment } from '../../database/payments/payment.entity.js';
import type { ProviderAccount } from '../../database/providers/provider-account.entity.js';
import {
  type Outcome,
  type PaymentMethod,
  type PaymentProvider,
  type PaymentRequest,
  type ProviderReport,
  type RefundOutcome,
  type RefundRequest,
  type RawCallback,
  type StartResult,
  UNREADABLE,
} from '../provider.js';
import { SandboxBank } from './sandbox-bank.js';
import { readSandboxMessage } from './sandbox-message.js';
import { SandboxRefunds } from './sandbox-refunds.js';
import { isSandboxSignature } from './sandbox-signature.js';

export const SANDBOX = 'sandbox';

/** Headers of the bank's callbacks. */
export const SANDBOX_TIMESTAMP = 'sandbox-timestamp';
export const SANDBOX_SIGNATURE = 'sandbox-signature';

const LABELS: PaymentMethod['labels'] = {
  en: 'Sandbox bank',
  de: 'Testbank',
  fr: 'Banque de test',
  es: 'Banco de pruebas',
  it: 'Banca di prova',
  nl: 'Testbank',
  pl: 'Bank testowy',
  pt: 'Banco de teste',
  tr: 'Test bankası',
  ar: 'بنك تجريبي',
  he: 'בנק לבדיקות',
  zh: '测试银行',
};

/** Adapter of the sandbox bank, and an example for adapters of real providers. */
@Injectable()
export class SandboxProvider implements PaymentProvider {
  readonly name = SANDBOX;
  readonly methods: readonly PaymentMethod[] = [{ id: SANDBOX, modes: ['test'], labels: LABELS }];

  constructor(
    private readonly bank: SandboxBank,
    private readonly refunds: SandboxRefunds,
    private readonly config: Config,
  ) {}

  async start(request: PaymentRequest): Promise<StartResult> {
    const { reference } = await this.bank.open(request);
    const redirectUrl = `${this.config.publicUrl}/sandbox-bank/${reference}`;
    return { kind: 'started', providerReference: reference, redirectUrl };
  }

  status(payment: Payment): Promise<Outcome> {
    return this.bank.outcome(payment);
  }

  void(payment: Payment): Promise<boolean> {
    return this.bank.void(payment);
  }

  refund(request: RefundRequest): Promise<RefundOutcome> {
    return this.refunds.refund(request);
  }

  refundStatus(request: RefundRequest): ReturnType<SandboxRefunds['status']> {
    return this.refunds.status(request.refund);
  }

  parseCallback(
    callback: RawCallback,
    account: ProviderAccount,
    now: Date,
  ): ProviderReport | typeof UNREADABLE | null {
    const { headers, body } = callback;
    const [timestamp, signature] = [headers[SANDBOX_TIMESTAMP], headers[SANDBOX_SIGNATURE]];
    if (!isSandboxSignature(account.callbackSecret, timestamp, signature, body, now)) return null;
    return readSandboxMessage(body) ?? UNREADABLE;
  }
}
