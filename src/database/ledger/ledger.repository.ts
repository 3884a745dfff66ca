import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { uuidv7 } from '../../common/ids.js';
import { Database } from '../database.js';
import type { LimitedRepository } from '../limited-repository.js';
import type { Mode } from '../merchants/api-key.entity.js';
import type { BalanceKey, OrderKey, Owner, PaymentKey } from '../keys.js';
import type { Payment } from '../payments/payment.entity.js';
import {
  BALANCES,
  BALANCES_OF_CURRENCY,
  BOOK,
  BROUGHT,
  CHECKPOINT,
  CHECKPOINT_MIN,
  COVER,
  FEES_TAKEN,
  HOLD,
  NEXT_OCCURRENCE,
  OPEN,
  REFUNDABLE,
  REVERSE,
  RECEIVED_REST,
  SHARE,
  TO_CHECKPOINT,
  UNALLOCATED,
  UNALLOCATED_IN,
} from './ledger.statements.js';
import { type Account, Transfer } from './transfer.entity.js';

/** Maximum balances per checkpoint run. */
const CHECKPOINTS_MAX = 100;

/** Transfers per statement of `cover`. */
const COVER_BATCH = 5_000;

export interface AccountBalance {
  readonly mode: Mode;
  readonly currency: string;
  readonly account: Account;
  /** Credits less debits, in minor units. */
  readonly amount: number;
}

/** Cause of a transfer: a payment of an order, or a change of a payout. */
export type Cause =
  | (Pick<Transfer, 'occurrence' | 'note'> & {
      readonly txid: string;
      readonly paymentId: string;
      /** The refund of the payment. */
      readonly refundId?: string;
    })
  | { readonly payoutId: string; readonly payoutVersion: number };

/** Amount received by a payment in one currency, and number of parts. */
export interface Brought {
  readonly currency: string;
  readonly amount: number;
  readonly parts: number;
}

/** Unallocated funds of an order, in minor units. */
export interface Unallocated {
  readonly currency: string;
  readonly amount: number;
}

/** The merchant's booked share of an order and the order's amount, in minor units. */
export interface OrderShare {
  readonly own: number;
  readonly price: number;
}

/** The refundable rest of a payment, and the number of refunds so far. */
export interface Refundable extends Pick<Payment, 'id' | 'provider'> {
  readonly left: number;
  readonly refunds: number;
}

export type NewTransfer = Pick<Transfer, 'kind' | 'debit' | 'credit' | 'amount'>;

/** The part of a transfer that is not in payouts; negative for deductions. */
export type OpenTransfer = Pick<Transfer, 'id' | 'kind' | 'amount'> & {
  readonly txid: string;
  readonly paymentId: string;
};

/** The double-entry ledger. */
@Injectable()
export class LedgerRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(Transfer) private readonly transfers: LimitedRepository<Transfer>,
  ) {}

  /** @throws a unique violation of `transfers_…_once` when the cause is booked already */
  async book(
    tx: EntityManager,
    { merchantId, mode, currency }: BalanceKey,
    cause: Cause,
    transfers: readonly NewTransfer[],
    now: Date,
  ): Promise<void> {
    const { txid, paymentId, occurrence, note, payoutId, payoutVersion, refundId } = {
      ...NO_CAUSE,
      ...cause,
    };
    await tx.query(BOOK, [
      merchantId,
      mode,
      currency,
      txid,
      paymentId,
      occurrence,
      note,
      payoutId,
      payoutVersion,
      refundId,
      now,
      transfers.map(() => uuidv7(now.getTime())),
      transfers.map(({ kind }) => kind),
      transfers.map(({ debit }) => debit),
      transfers.map(({ credit }) => credit),
      transfers.map(({ amount }) => amount),
    ]);
  }

  find(merchantId: string, id: string): Promise<Transfer | null> {
    return this.transfers.findOneBy({ merchantId, id });
  }

  /**
   * Reverses a payment's transfer.
   * @returns false when there is no reversible transfer
   * @throws a unique violation of `transfers_reversed_once` when it is reversed already
   */
  async reverse(
    tx: EntityManager,
    { merchantId, id }: Pick<Transfer, 'merchantId' | 'id'>,
    note: string,
    now: Date,
  ): Promise<boolean> {
    const values = [merchantId, id, uuidv7(now.getTime()), note, now];
    const rows: unknown[] = await tx.query(REVERSE, values);
    return rows.length === 1;
  }

  /** @returns amounts by currency; empty when the payment received nothing */
  brought(tx: EntityManager, { merchantId, id }: PaymentKey): Promise<Brought[]> {
    return tx.query(BROUGHT, [merchantId, id]);
  }

  /** Unallocated funds of the order, by currency. */
  unallocated({ merchantId, mode, txid }: Owner & OrderKey): Promise<Unallocated[]> {
    return this.database.query(UNALLOCATED, [merchantId, mode, txid]);
  }

  /** The same in one currency, in minor units, within the transaction. */
  async unallocatedIn(
    tx: EntityManager,
    { merchantId, mode, txid }: Owner & OrderKey,
    currency: string,
  ): Promise<number> {
    const values = [merchantId, mode, txid, currency];
    const [row] = await tx.query<{ amount: number }[]>(UNALLOCATED_IN, values);
    return row!.amount;
  }

  /** Money of an order that was not returned, reversed, sent back or reserved for refunds, in minor units. */
  async held(
    tx: EntityManager,
    { merchantId, mode, txid, currency }: Owner & OrderKey & { readonly currency: string },
  ): Promise<number> {
    const [row] = await tx.query<{ amount: number }[]>(RECEIVED_REST, [
      merchantId,
      mode,
      txid,
      currency,
    ]);
    return row!.amount;
  }

  /** The order's payments with unallocated funds, oldest first. */
  refundable(
    tx: EntityManager,
    { merchantId, mode, txid }: Owner & OrderKey,
    currency: string,
  ): Promise<Refundable[]> {
    return tx.query(REFUNDABLE, [merchantId, mode, txid, currency]);
  }

  /** The caller holds the order's lock. */
  async share(tx: EntityManager, { merchantId, txid }: OrderKey): Promise<OrderShare> {
    const [row] = await tx.query<[OrderShare]>(SHARE, [merchantId, txid]);
    return row;
  }

  /** Ids of an order's fee transfers that are not reversed. */
  async feesTaken(tx: EntityManager, { merchantId, txid }: OrderKey): Promise<string[]> {
    const rows: { id: string }[] = await tx.query(FEES_TAKEN, [merchantId, txid]);
    return rows.map(({ id }) => id);
  }

  /** Next `occurrence` for a payment's other transfers than receipts. */
  async nextOccurrence(tx: EntityManager, { merchantId, id }: PaymentKey): Promise<number> {
    const [row] = await tx.query<[{ next: number }]>(NEXT_OCCURRENCE, [merchantId, id]);
    return row.next;
  }

  /** All accounts with transfers. */
  balances({ merchantId, mode }: Owner): Promise<AccountBalance[]> {
    return this.database.query(BALANCES, [merchantId, mode]);
  }

  /** Locks `available` against concurrent spending. Payments are not blocked. */
  async hold(tx: EntityManager, { merchantId, mode, currency }: BalanceKey): Promise<void> {
    await tx.query(HOLD, [merchantId, mode, currency]);
  }

  /** The available balance in minor units. The caller holds its lock. */
  async available(tx: EntityManager, { merchantId, mode, currency }: BalanceKey): Promise<number> {
    const values = [merchantId, mode, currency];
    const rows: AccountBalance[] = await tx.query(BALANCES_OF_CURRENCY, values);
    return rows.find(({ account }) => account === 'available')?.amount ?? 0;
  }

  /** Transfers that a payout can pay, oldest first. The caller holds the lock of `available`. */
  open(
    tx: EntityManager,
    { merchantId, mode, currency }: BalanceKey,
    limit: number,
  ): Promise<OpenTransfer[]> {
    return tx.query(OPEN, [merchantId, mode, currency, limit]);
  }

  /** Marks transfers as fully in payouts, or not. */
  async cover(
    tx: EntityManager,
    merchantId: string,
    ids: readonly string[],
    covered: boolean,
  ): Promise<void> {
    for (let from = 0; from < ids.length; from += COVER_BATCH) {
      await tx.query(COVER, [merchantId, ids.slice(from, from + COVER_BATCH), covered]);
    }
  }

  /** Balances with enough new transfers for a checkpoint. */
  toCheckpoint(): Promise<BalanceKey[]> {
    return this.database.query(TO_CHECKPOINT, [CHECKPOINT_MIN, CHECKPOINTS_MAX]);
  }

  /** @returns the number of transfers added */
  async checkpoint(balance: BalanceKey): Promise<number> {
    return this.database.transaction(async (tx) => {
      await this.hold(tx, balance);
      const values = [balance.merchantId, balance.mode, balance.currency];
      const [{ rows }] = await tx.query<[{ rows: number }]>(CHECKPOINT, values);
      return rows;
    });
  }
}

const NO_CAUSE = {
  txid: null,
  paymentId: null,
  occurrence: 1,
  note: null,
  payoutId: null,
  payoutVersion: null,
  refundId: null,
};
