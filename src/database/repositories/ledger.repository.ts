import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { uuidv7 } from '../../common/ids.js';
import { Database } from '../database.js';
import type { Mode } from '../entities/api-key.entity.js';
import { type Account, Transfer } from '../entities/transfer.entity.js';
import {
  BALANCES,
  BALANCES_OF_CURRENCY,
  BOOK,
  CHECKPOINT,
  CHECKPOINT_MIN,
  COVER,
  HOLD,
  OPEN,
  REVERSE,
  TO_CHECKPOINT,
} from './ledger.statements.js';
import type { Owner } from './order.repository.js';

/** Merchants whose balances one round of checkpoints takes. */
const CHECKPOINTS_MAX = 100;

/** One merchant's money of one currency. */
export interface Purse extends Owner {
  readonly currency: string;
}

export interface AccountBalance {
  readonly mode: Mode;
  readonly currency: string;
  readonly account: Account;
  /** Credits less debits, in minor units. */
  readonly amount: number;
}

/** What a transfer comes from: a payment of an order, or a change of a payout. */
export type Cause =
  | { readonly txid: string; readonly paymentId: string }
  | { readonly payoutId: string; readonly payoutVersion: number };

export type NewTransfer = Pick<Transfer, 'kind' | 'debit' | 'credit' | 'amount'>;

/** What is left of a transfer for a payout to pay; below 0 for what is to be taken off. */
export type OpenTransfer = Pick<Transfer, 'id' | 'kind' | 'amount'> & {
  readonly txid: string;
  readonly paymentId: string;
};

/** The double-entry book. */
@Injectable()
export class LedgerRepository {
  constructor(private readonly database: Database) {}

  /** @throws a unique violation of `transfers_…_once` when the cause has been booked before */
  async book(
    tx: EntityManager,
    { merchantId, mode, currency }: Purse,
    cause: Cause,
    transfers: readonly NewTransfer[],
    now: Date,
  ): Promise<void> {
    const { txid, paymentId, payoutId, payoutVersion } = { ...NO_CAUSE, ...cause };
    await tx.query(BOOK, [
      merchantId,
      mode,
      currency,
      txid,
      paymentId,
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
    return this.database.entities((manager) => manager.findOneBy(Transfer, { merchantId, id }));
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

  /** All accounts that were ever used. */
  balances({ merchantId, mode }: Owner): Promise<AccountBalance[]> {
    return this.database.query(BALANCES, [merchantId, mode]);
  }

  /** Keeps everybody else who wants to take money out of `available` waiting. Payments go on. */
  async hold(tx: EntityManager, { merchantId, mode, currency }: Purse): Promise<void> {
    await tx.query(HOLD, [merchantId, mode, currency]);
  }

  /** What can be paid out, in minor units. The caller holds it. */
  async available(tx: EntityManager, { merchantId, mode, currency }: Purse): Promise<number> {
    const values = [merchantId, mode, currency];
    const rows: AccountBalance[] = await tx.query(BALANCES_OF_CURRENCY, values);
    return rows.find(({ account }) => account === 'available')?.amount ?? 0;
  }

  /** The oldest of what a payout can pay. The caller holds `available`. */
  open(
    tx: EntityManager,
    { merchantId, mode, currency }: Purse,
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
    if (ids.length > 0) await tx.query(COVER, [merchantId, ids, covered]);
  }

  /** Those whose balances take long enough to add up. */
  toCheckpoint(): Promise<Purse[]> {
    return this.database.query(TO_CHECKPOINT, [CHECKPOINT_MIN, CHECKPOINTS_MAX]);
  }

  /** @returns how many transfers were counted */
  async checkpoint(purse: Purse): Promise<number> {
    return this.database.transaction(async (tx) => {
      await this.hold(tx, purse);
      const values = [purse.merchantId, purse.mode, purse.currency];
      const [{ rows }] = await tx.query<[{ rows: number }]>(CHECKPOINT, values);
      return rows;
    });
  }
}

const NO_CAUSE = { txid: null, paymentId: null, payoutId: null, payoutVersion: null };
