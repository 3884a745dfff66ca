import { Injectable } from '@nestjs/common';
import type { Outcome, PaymentMethod, PaymentProvider, StartResult } from '../provider.js';

export const BANK_TRANSFER = 'bank_transfer';

const LABELS: PaymentMethod['labels'] = {
  en: 'Bank transfer',
  de: 'Überweisung',
  fr: 'Virement bancaire',
  es: 'Transferencia bancaria',
  it: 'Bonifico bancario',
  nl: 'Bankoverschrijving',
  pl: 'Przelew bankowy',
  pt: 'Transferência bancária',
  tr: 'Banka havalesi',
  ar: 'تحويل مصرفي',
  he: 'העברה בנקאית',
  zh: '银行转账',
};

/**
 * Payers transfer the money to an account of the platform. There is no external provider to query or to cancel with:
 * bank statements report incoming payments.
 */
@Injectable()
export class BankTransferProvider implements PaymentProvider {
  readonly name = BANK_TRANSFER;
  readonly methods: readonly PaymentMethod[] = [
    { id: BANK_TRANSFER, modes: ['test', 'live'], labels: LABELS },
  ];
  readonly isTransfer = true;

  start(): Promise<StartResult> {
    return Promise.reject(new Error('a bank transfer cannot be started by the service'));
  }

  status(): Promise<Outcome> {
    return Promise.resolve({ kind: 'pending' });
  }

  /** Cancels waiting for the transfer; money can still arrive. */
  void(): Promise<boolean> {
    return Promise.resolve(true);
  }
}
