import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { HoldReason } from './bank-accounts/bank-account.statements.js';
import { uuidv7 } from '../../common/ids.js';
import { Database } from '../database.js';
import type { Mode } from '../merchants/api-key.entity.js';
import type {
  MerchantEvent,
  PayoutEventType,
  PayoutSnapshot,
} from '../notifications/event.entity.js';
import type { Owner, PayoutKey } from '../keys.js';
import { assignments, valuesOf } from '../entity-sql.js';
import type { PayoutLine, PayoutLineKind } from './payout-line.entity.js';
import {
  NEW_PAYOUT,
  type NewPayout,
  Payout,
  type PayoutPatch,
  type PayoutStatus,
} from './payout.entity.js';
import {
  changePayout,
  COUNT_LINES,
  COUNT_WAITING,
  PAYOUT_EVENTS,
  FIND_PAYOUT,
  FIND_HELD,
  FIND_BY_FORM,
  FIND_WITH_SUMS,
  HASHES,
  INSERT_PAYOUT,
  LINE_SUMS,
  LINES,
  LIST_PAYOUTS,
  LOCK,
  LOCK_APPROVED,
  LOCK_APPROVED_REFUNDS,
  LOCK_OF_FILE,
  SEAL,
} from './payout.statements.js';

/** Number and total of the lines of a kind. */
export interface KindSum {
  readonly count: number;
  readonly amount: number;
}

/** A payout with totals by kind of line, without empty kinds. */
export type PayoutWithSums = Payout & {
  readonly sums: Readonly<Partial<Record<PayoutLineKind, KindSum>>>;
};

/** A locked payout with the hash of its current content. */
export type LockedPayout = Payout & { readonly presentHash: Buffer };

/** A payout with the number of its lines. */
export type CountedPayout = Payout & { readonly lines: number };

export type NewLine = Pick<PayoutLine, 'kind' | 'transferId' | 'txid' | 'amount'>;

/** A line with data of its order. */
export interface ReadLine {
  readonly number: number;
  readonly kind: PayoutLineKind;
  readonly txid: string;
  readonly orderMerchantId: string;
  readonly orderAmount: number;
  readonly paidAt: Date | null;
  readonly amount: number;
}

export interface LineSum {
  readonly kind: PayoutLineKind;
  readonly lines: number;
  readonly amount: number;
}

export type ReadPayoutEvent = Pick<MerchantEvent, 'id' | 'sequence' | 'createdAt'> & {
  readonly type: PayoutEventType;
  readonly data: PayoutSnapshot;
};

export interface PayoutPage {
  /** Cursor: only payouts created before this one. */
  readonly before: string | null;
  /** Null = all. */
  readonly statuses: readonly PayoutStatus[] | null;
  readonly limit: number;
}

@Injectable()
export class PayoutRepository {
  constructor(private readonly database: Database) {}

  async find({ merchantId, mode }: Owner, id: string): Promise<Payout | null> {
    return (await this.database.query<Payout>(FIND_PAYOUT, [merchantId, mode, id]))[0] ?? null;
  }

  async findByForm({ merchantId, mode }: Owner, formId: string): Promise<Payout | null> {
    const values = [merchantId, mode, formId];
    return (await this.database.query<Payout>(FIND_BY_FORM, values))[0] ?? null;
  }

  async findWithSums({ merchantId, mode }: Owner, id: string): Promise<PayoutWithSums | null> {
    const values = [merchantId, mode, id];
    return (await this.database.query<PayoutWithSums>(FIND_WITH_SUMS, values))[0] ?? null;
  }

  /** Newest first. */
  list({ merchantId, mode }: Owner, { before, statuses, limit }: PayoutPage): Promise<Payout[]> {
    return this.database.query(LIST_PAYOUTS, [merchantId, mode, before, statuses, limit]);
  }

  /** Lines after number `after`, by number. */
  lines({ merchantId, id }: PayoutKey, after: number, limit: number): Promise<ReadLine[]> {
    return this.database.query(LINES, [merchantId, id, after, limit]);
  }

  lineSums({ merchantId, id }: PayoutKey): Promise<LineSum[]> {
    return this.database.query(LINE_SUMS, [merchantId, id]);
  }

  /** The payout's events, oldest first. */
  events({ merchantId, id }: PayoutKey): Promise<ReadPayoutEvent[]> {
    return this.database.query(PAYOUT_EVENTS, [merchantId, id]);
  }

  /** Number of the merchant's payouts, or of its refunds by bank, that wait for approval. */
  async countWaiting(
    tx: EntityManager,
    { merchantId, mode }: Owner,
    what: 'payouts' | 'refunds' = 'payouts',
  ): Promise<number> {
    const values = [merchantId, mode, what === 'refunds'];
    const [{ waiting }] = await tx.query<[{ waiting: number }]>(COUNT_WAITING, values);
    return waiting;
  }

  async insert(tx: EntityManager, payout: NewPayout): Promise<void> {
    await tx.query(INSERT_PAYOUT, valuesOf(NEW_PAYOUT, payout));
  }

  /** Locks the payout until the transaction ends. */
  async lock(tx: EntityManager, { merchantId, id }: PayoutKey): Promise<LockedPayout | null> {
    return (await tx.query<LockedPayout[]>(LOCK, [merchantId, id]))[0] ?? null;
  }

  /** Locks payouts and refunds that can go into a file, oldest first, without hashes. */
  async lockApproved(
    tx: EntityManager,
    mode: Mode,
    currency: string,
    limit: number,
    now: Date,
  ): Promise<Payout[]> {
    const values = [mode, currency, limit, now];
    const payouts = await tx.query<Payout[]>(LOCK_APPROVED, values);
    const refunds = await tx.query<Payout[]>(LOCK_APPROVED_REFUNDS, values);
    const all = [...payouts, ...refunds];
    return all.toSorted((one, other) => (one.id < other.id ? -1 : 1)).slice(0, limit);
  }

  /** The oldest approved payout that is held, and why. */
  async findHeld(
    tx: EntityManager,
    mode: Mode,
    currency: string,
    now: Date,
  ): Promise<{ id: string; by: HoldReason } | null> {
    type Row = { readonly id: string; readonly by: HoldReason };
    return (await tx.query<Row[]>(FIND_HELD, [mode, currency, 1, now]))[0] ?? null;
  }

  lockOfFile(
    tx: EntityManager,
    fileId: string,
    statuses: readonly PayoutStatus[],
    limit: number,
  ): Promise<Payout[]> {
    return tx.query(LOCK_OF_FILE, [fileId, statuses, limit]);
  }

  async withLineCounts(tx: EntityManager, payouts: readonly Payout[]): Promise<CountedPayout[]> {
    type Row = { readonly id: string; readonly lines: number };
    const rows: Row[] = await tx.query(COUNT_LINES, keysOf(payouts));
    const lines = new Map(rows.map((row) => [row.id, row.lines]));
    return payouts.map((payout) => ({ ...payout, lines: lines.get(payout.id) ?? 0 }));
  }

  /** Hash of each payout's current content. */
  async hashes(tx: EntityManager, payouts: readonly Payout[]): Promise<Map<string, Buffer>> {
    type Row = { readonly id: string; readonly hash: Buffer };
    const rows: Row[] = await tx.query(HASHES, keysOf(payouts));
    return new Map(rows.map(({ id, hash }) => [id, hash]));
  }

  /** Stores the content hash, once amount, account and lines are complete. */
  async seal(tx: EntityManager, { merchantId, id }: PayoutKey): Promise<void> {
    await tx.query(SEAL, [merchantId, id]);
  }

  /**
   * Changes payouts that the caller has locked, and stores an event for each, if given, and its deliveries, in one
   * statement.
   */
  async change(
    tx: EntityManager,
    payouts: readonly Payout[],
    patch: PayoutPatch,
    event: PayoutEventType | null,
    now: Date,
  ): Promise<Payout[]> {
    const set = assignments(Payout, patch, 7);
    // Clocks of processes differ, and the times of a payout's events must not decrease.
    const times = payouts.map(({ updatedAt }) => (now < updatedAt ? updatedAt : now));
    const changed: Payout[] = await tx.query(changePayout(set.sql), [
      payouts.map(({ merchantId }) => merchantId),
      payouts.map(({ id }) => id),
      payouts.map(({ version }) => version),
      times.map((at) => uuidv7(at.getTime())),
      event,
      times,
      ...set.values,
    ]);
    if (changed.length !== payouts.length)
      throw new Error('a payout changed although it was locked');
    return changed;
  }
}

const keysOf = (payouts: readonly PayoutKey[]): string[][] => [
  payouts.map(({ merchantId }) => merchantId),
  payouts.map(({ id }) => id),
];
