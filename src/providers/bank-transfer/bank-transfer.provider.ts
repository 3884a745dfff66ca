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
 * Payers transfer the money themselves, to an account of the platform. There is no company behind it that could be
 * asked or could stop anything: statements of the platform's bank tell what came.
 */
@Injectable()
export class BankTransferProvider implements PaymentProvider {
  readonly name = BANK_TRANSFER;
  readonly methods: readonly PaymentMethod[] = [
    { id: BANK_TRANSFER, modes: ['test', 'live'], labels: LABELS },
  ];
  readonly isTransfer = true;

  start(): Promise<StartResult> {
    return Promise.reject(new Error('nobody is told of a transfer but its payer'));
  }

  status(): Promise<Outcome> {
    return Promise.resolve({ kind: 'pending' });
  }

  /** Nobody waits for it any longer. Money can come all the same. */
  void(): Promise<boolean> {
    return Promise.resolve(true);
  }
}
