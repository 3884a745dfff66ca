import { Inject, Injectable } from '@nestjs/common';
import { isSepaIban } from '../common/money/iban.js';
import type { RefundMethod } from '../database/refunds/refund.entity.js';
import type { PaidPayment } from '../lifecycle/refundable.js';
import { BANK_TRANSFER } from './bank-transfer/bank-transfer.provider.js';
import type { PaymentProvider } from './provider.js';

export const PROVIDERS = Symbol('providers');

@Injectable()
export class ProviderRegistry {
  private readonly byName: ReadonlyMap<string, PaymentProvider>;

  /** @throws Error if two providers share a name, or two methods an id */
  constructor(@Inject(PROVIDERS) providers: readonly PaymentProvider[]) {
    const methods = providers.flatMap((provider) => provider.methods);
    assertOnce(
      'provider',
      'name',
      providers.map(({ name }) => name),
    );
    assertOnce(
      'payment method',
      'id',
      methods.map(({ id }) => id),
    );
    this.byName = new Map(providers.map((provider) => [provider.name, provider]));
  }

  /** Sorted alphabetically. */
  names(): string[] {
    return [...this.byName.keys()].toSorted();
  }

  find(name: string): PaymentProvider | undefined {
    return this.byName.get(name);
  }

  /** @throws Error for an unknown provider, such as a removed one */
  get(name: string): PaymentProvider {
    const provider = this.byName.get(name);
    if (!provider) throw new Error(`there is no provider ${name}`);
    return provider;
  }

  canVoid(name: string): boolean {
    return this.byName.get(name)?.void !== undefined;
  }

  /** How money of a payment goes back; null = only outside of the service. */
  refundMethodOf(payment: PaidPayment): RefundMethod | null {
    if (this.byName.get(payment.provider)?.refund !== undefined) return 'provider';
    return isPaidByTransfer(payment) ? 'bank' : null;
  }
}

/** Whether a transfer reaches the payer, or the payer can be asked for an account. */
function isPaidByTransfer(payment: PaidPayment): boolean {
  const { provider, payerAccountName, payerAccountNumber, payerAccountType } = payment;
  if (provider !== BANK_TRANSFER) return false;
  if (payerAccountNumber === null) return true;
  const isReachable = payment.receivedCurrency !== 'EUR' || isSepaIban(payerAccountNumber);
  return payerAccountName !== null && payerAccountType === 'iban' && isReachable;
}

/** Names and ids must be unique: payments store them. */
function assertOnce(what: string, called: string, names: readonly string[]): void {
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined)
    throw new Error(`Two ${what}s have the ${called} "${twice}": rename one.`);
}
