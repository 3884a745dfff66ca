import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { uuidv7 } from '../../common/ids.js';
import { Database } from '../database.js';
import type { GatedRepository } from '../gated-repository.js';
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
  SHARE,
  TO_CHECKPOINT,
  UNALLOCATED,
  UNALLOCATED_IN,
} from './ledger.statements.js';
import { type Account, Transfer } from './transfer.entity.js';

/** Merchants whose balances one round of checkpoints takes. */
const CHECKPOINTS_MAX = 100;

/** Transfers that one statement covers. */
const COVER_BATCH = 5_000;

export interface AccountBalance {
  readonly mode: Mode;
  readonly currency: string;
  readonly account: Account;
  /** Credits less debits, in minor units. */
  readonly amount: number;
}

/** What a transfer comes from: a payment of an order, or a change of a payout. */
export type Cause =
  | (Pick<Transfer, 'occurrence' | 'note'> & { readonly txid: string; readonly paymentId: string })
  | { readonly payoutId: string; readonly payoutVersion: number };

/** Money that a payment has brought in one currency so far, and in how many parts. */
export interface Brought {
  readonly currency: string;
  readonly amount: number;
  readonly parts: number;
}

/** Money of an order that no payout pays, in minor units. */
export interface Unallocated {
  readonly currency: string;
  readonly amount: number;
}

/** What a merchant has of the price of an order, and what the order asks for, in minor units. */
export interface OrderShare {
  readonly own: number;
  readonly asked: number;
}

/** What can be sent back of what a payment brought, and how often some of it was. */
export interface Refundable extends Pick<Payment, 'id' | 'provider'> {
  readonly left: number;
  readonly refunds: number;
}

export type NewTransfer = Pick<Transfer, 'kind' | 'debit' | 'credit' | 'amount'>;

/** What is left of a transfer for a payout to pay; below 0 for what is to be taken off. */
export type OpenTransfer = Pick<Transfer, 'id' | 'kind' | 'amount'> & {
  readonly txid: string;
  readonly paymentId: string;
};

/** The double-entry book. */
@Injectable()
export class LedgerRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(Transfer) private readonly transfers: GatedRepository<Transfer>,
  ) {}

  /** @throws a unique violation of `transfers_…_once` when the cause has been booked before */
  async book(
    tx: EntityManager,
    { merchantId, mode, currency }: BalanceKey,
    cause: Cause,
    transfers: readonly NewTransfer[],
    now: Date,
  ): Promise<void> {
    const { txid, paymentId, occurrence, note, payoutId, payoutVersion } = {
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
   * Takes a payment's transfer back by one the other way round.
   * @returns false when there is none that could be
   * @throws a unique violation of `transfers_reversed_once` when it was taken back before
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

  /** Nothing for a payment that brought nothing. */
  brought(tx: EntityManager, { merchantId, id }: PaymentKey): Promise<Brought[]> {
    return tx.query(BROUGHT, [merchantId, id]);
  }

  /** What no payout pays of what came for the order, by currency. */
  unallocated({ merchantId, mode, txid }: Owner & OrderKey): Promise<Unallocated[]> {
    return this.database.query(UNALLOCATED, [merchantId, mode, txid]);
  }

  /** The same in one currency, in minor units, as the transaction sees it. */
  async unallocatedIn(
    tx: EntityManager,
    { merchantId, mode, txid }: Owner & OrderKey,
    currency: string,
  ): Promise<number> {
    const values = [merchantId, mode, txid, currency];
    const [row] = await tx.query<{ amount: number }[]>(UNALLOCATED_IN, values);
    return row!.amount;
  }

  /** The order's payments that brought money which no order explained, the first first. */
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

  /** Ids of the fees that an order's merchant has paid and not got back. */
  async feesTaken(tx: EntityManager, { merchantId, txid }: OrderKey): Promise<string[]> {
    const rows: { id: string }[] = await tx.query(FEES_TAKEN, [merchantId, txid]);
    return rows.map(({ id }) => id);
  }

  /** For what a payment causes beside bringing money. */
  async nextOccurrence(tx: EntityManager, { merchantId, id }: PaymentKey): Promise<number> {
    const [row] = await tx.query<[{ next: number }]>(NEXT_OCCURRENCE, [merchantId, id]);
    return row.next;
  }

  /** All accounts that were ever used. */
  balances({ merchantId, mode }: Owner): Promise<AccountBalance[]> {
    return this.database.query(BALANCES, [merchantId, mode]);
  }

  /** Keeps everybody else who wants to take money out of `available` waiting. Payments go on. */
  async hold(tx: EntityManager, { merchantId, mode, currency }: BalanceKey): Promise<void> {
    await tx.query(HOLD, [merchantId, mode, currency]);
  }

  /** What can be paid out, in minor units. The caller holds it. */
  async available(tx: EntityManager, { merchantId, mode, currency }: BalanceKey): Promise<number> {
    const values = [merchantId, mode, currency];
    const rows: AccountBalance[] = await tx.query(BALANCES_OF_CURRENCY, values);
    return rows.find(({ account }) => account === 'available')?.amount ?? 0;
  }

  /** The oldest of what a payout can pay. The caller holds `available`. */
  open(
    tx: EntityManager,
    { merchantId, mode, currency }: BalanceKey,
    limit: number,
  ): Promise<OpenTransfer[]> {
    return tx.query(OPEN, [merchantId, mode, currency, limit]);
  }

  /** Notes that transfers are wholly in payouts, or are not any more. */
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

  /** Those whose balances take long enough to add up. */
  toCheckpoint(): Promise<BalanceKey[]> {
    return this.database.query(TO_CHECKPOINT, [CHECKPOINT_MIN, CHECKPOINTS_MAX]);
  }

  /** @returns how many transfers were counted */
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
};
