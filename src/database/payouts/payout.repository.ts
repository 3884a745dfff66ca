import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AccountFault } from './bank-account.statements.js';
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
  LOCK_OF_FILE,
  SEAL,
} from './payout.statements.js';

/** How many lines of a kind there are, and what they come to. */
export interface KindSum {
  readonly count: number;
  readonly amount: number;
}

/** A payout and its lines by kind; a kind without lines is not there. */
export type PayoutWithSums = Payout & {
  readonly sums: Readonly<Partial<Record<PayoutLineKind, KindSum>>>;
};

/** A payout that nobody else can change, and the hash of what would go out with it now. */
export type LockedPayout = Payout & { readonly presentHash: Buffer };

/** A payout with the number of its lines. */
export type CountedPayout = Payout & { readonly lines: number };

export type NewLine = Pick<PayoutLine, 'kind' | 'transferId' | 'txid' | 'amount'>;

/** A line with what people know of its order. */
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
  /** Only payouts made before this one. */
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

  /** The newest first. */
  list({ merchantId, mode }: Owner, { before, statuses, limit }: PayoutPage): Promise<Payout[]> {
    return this.database.query(LIST_PAYOUTS, [merchantId, mode, before, statuses, limit]);
  }

  /** Lines behind number `after`, in their order. */
  lines({ merchantId, id }: PayoutKey, after: number, limit: number): Promise<ReadLine[]> {
    return this.database.query(LINES, [merchantId, id, after, limit]);
  }

  lineSums({ merchantId, id }: PayoutKey): Promise<LineSum[]> {
    return this.database.query(LINE_SUMS, [merchantId, id]);
  }

  /** What happened to it, in order. */
  events({ merchantId, id }: PayoutKey): Promise<ReadPayoutEvent[]> {
    return this.database.query(PAYOUT_EVENTS, [merchantId, id]);
  }

  async insert(tx: EntityManager, payout: NewPayout): Promise<void> {
    await tx.query(INSERT_PAYOUT, valuesOf(NEW_PAYOUT, payout));
  }

  /** Reads the payout and keeps every other writer of it waiting until the transaction ends. */
  async lock(tx: EntityManager, { merchantId, id }: PayoutKey): Promise<LockedPayout | null> {
    return (await tx.query<LockedPayout[]>(LOCK, [merchantId, id]))[0] ?? null;
  }

  /** The same, without hashes, for those that can go into a file, the oldest first. */
  lockApproved(
    tx: EntityManager,
    mode: Mode,
    currency: string,
    limit: number,
    now: Date,
  ): Promise<Payout[]> {
    return tx.query(LOCK_APPROVED, [mode, currency, limit, now]);
  }

  /** The oldest approved one whose account is not paid to, and why not. */
  async findHeld(
    tx: EntityManager,
    mode: Mode,
    currency: string,
    now: Date,
  ): Promise<{ id: string; fault: AccountFault } | null> {
    type Row = { readonly id: string; readonly fault: AccountFault };
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

  /** What would go out with each now. */
  async hashes(tx: EntityManager, payouts: readonly Payout[]): Promise<Map<string, Buffer>> {
    type Row = { readonly id: string; readonly hash: Buffer };
    const rows: Row[] = await tx.query(HASHES, keysOf(payouts));
    return new Map(rows.map(({ id, hash }) => [id, hash]));
  }

  /** Writes down the hash of what goes out, once amount, account and lines are what they shall be. */
  async seal(tx: EntityManager, { merchantId, id }: PayoutKey): Promise<void> {
    await tx.query(SEAL, [merchantId, id]);
  }

  /**
   * Changes payouts that the caller has locked, and appends an event to each, if any, with its
   * deliveries: all in one statement.
   */
  async change(
    tx: EntityManager,
    payouts: readonly Payout[],
    patch: PayoutPatch,
    event: PayoutEventType | null,
    now: Date,
  ): Promise<Payout[]> {
    const set = assignments(Payout, patch, 7);
    // Clocks of two processes differ, and a payout's events must not go back in time.
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
