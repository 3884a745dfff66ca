import { Injectable } from '@nestjs/common';
import { Clock } from '../common/time/clock.js';
import { Database } from '../database/database.js';
import type { Transfer, TransferKind } from '../database/ledger/transfer.entity.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import { noHook, type TransactionHook } from '../database/transaction-hook.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { StatusService } from '../status/status.service.js';
import { isRefundable } from './recorded-refunds.service.js';
import { stay } from './settlement.js';

/**
 * Result of a reversal; `spent` = the money is no longer in the account, `awaited` = the order still waits for the rest
 * of its price.
 */
export type CorrectionOutcome = 'reversed' | 'not_reversible' | 'spent' | 'awaited';

/** Bank returns and undone matches cannot be reversed: later money has a line of its own. Refunds have states. */
const isFinal = (kind: TransferKind): boolean =>
  kind === 'charge_back' ||
  kind === 'unallocated_back' ||
  kind === 'return_undone' ||
  kind.startsWith('refund_');

/** Reverses single transfers. */
@Injectable()
export class CorrectionsService {
  constructor(
    private readonly database: Database,
    private readonly orders: OrderRepository,
    private readonly ledger: LedgerService,
    private readonly status: StatusService,
    private readonly clock: Clock,
  ) {}

  /** @throws a unique violation of `transfers_reversed_once` if it was reversed before */
  reverse(
    transfer: Transfer,
    note: string,
    hook: TransactionHook<Transfer> = noHook,
  ): Promise<CorrectionOutcome> {
    const { merchantId, txid, kind, amount, currency } = transfer;
    return this.database.transaction(async (tx) => {
      // Lock the order first, which serialises acceptances and refunds.
      const order = txid === null ? null : await this.orders.lock(tx, merchantId, txid);
      if (!order || isFinal(kind)) return 'not_reversible';
      if (kind === 'unallocated') {
        if (!isRefundable(order, currency)) return 'awaited';
        if ((await this.ledger.unallocated(tx, order, currency)) < amount) return 'spent';
      }
      if (!(await this.ledger.reverse(tx, transfer, note))) return 'not_reversible';
      if (kind === 'refund') {
        const change = stay(order, { refund: { amount: -amount, currency } });
        await this.status.move(tx, order, change, this.clock.now());
      }
      await hook(tx, transfer);
      return 'reversed';
    });
  }
}
