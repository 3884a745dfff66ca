import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { BankReturn } from './bank-return.entity.js';
import { Database } from '../../database.js';
import type { OrderKey } from '../../keys.js';
import type { Mode } from '../../merchants/api-key.entity.js';
import type { Order } from '../../orders/order.entity.js';
import type { AccountType, Payment } from '../../payments/payment.entity.js';
import type { BankAllocation } from './bank-allocation.entity.js';
import type { BankFileSource } from '../files/bank-file.entity.js';
import { BankLineNote } from '../lines/bank-line-note.entity.js';
import type { BankLine, LineState } from '../lines/bank-line.entity.js';
import {
  FIND_LINE,
  LINE_ACCOUNTS,
  LINE_ALLOCATIONS,
  LINE_COUNTS,
  LINE_NOTES,
  LINE_PLACES,
  LINE_RETURNS,
  NEWEST_LINES,
  OLDEST_LINES,
  PAID_LINES,
  ORDERS_BY_KEY,
  ORDERS_BY_MERCHANT_ID,
  ORDERS_BY_TXID,
  UNKNOWN_MONEY_OUT_LINES,
} from './bank-queue.statements.js';

/** Counting stops at this number of lines per state. */
export const LINES_COUNTED = 10_000;
const ACCOUNTS_MAX = 200;
const PLACES_MAX = 100;
/** Maximum notes per line. */
export const LINE_NOTES_MAX = 200;
/** Maximum orders of different merchants with the same id that are returned. */
export const SAME_ID_MAX = 10;

/** A line state, or `unknown_money_out`, whose lines are in no other list. */
export type ListedState = LineState | 'unknown_money_out';

export interface QueueFilter {
  readonly mode: Mode;
  readonly states: readonly ListedState[];
  readonly account: string | null;
  /** `YYYY-MM-DD` */
  readonly day: string | null;
  /** The amount to search for, in minor units by number of decimals of the currency. */
  readonly amounts: Readonly<Record<string, readonly number[]>> | null;
  readonly text: string | null;
  /** Cursor: the last line of the previous page. */
  readonly after: string | null;
  readonly order: 'oldest' | 'newest';
}

/** A statement position at which a line appeared. */
export interface SeenPlace {
  readonly entry: number;
  readonly detail: number;
  readonly format: string;
  readonly statementId: string | null;
  readonly sequence: string | null;
  readonly seenAt: Date;
  readonly fileName: string;
  readonly sha256: string;
  readonly source: BankFileSource;
  readonly broughtByName: string | null;
}

/** An allocation of the line, with its order, payment and the user who matched it. */
export type SeenAllocation = BankAllocation &
  Pick<Order, 'orderMerchantId' | 'status' | 'exception' | 'currency'> &
  Pick<Payment, 'payerAccountNumber' | 'payerAccountType' | 'payerAccountName'> & {
    readonly merchantName: string;
    /** Amount that the bank took back, in minor units. */
    readonly returned: number;
    /** Null = matched automatically. */
    readonly matchedByName: string | null;
  };

/** A return by the line of a payment, with its order. */
export type SeenReturn = BankReturn &
  Pick<Order, 'txid' | 'orderMerchantId' | 'currency'> & {
    readonly merchantName: string;
    /** Null = matched automatically. */
    readonly saidByName: string | null;
  };

export type SeenNote = Pick<BankLineNote, 'id' | 'text' | 'createdAt'> & {
  readonly userName: string;
};

/** An order to which a line can be matched. */
export type MatchableOrder = Pick<
  Order,
  | 'merchantId'
  | 'txid'
  | 'orderMerchantId'
  | 'status'
  | 'exception'
  | 'amount'
  | 'amountReceived'
  | 'currency'
  | 'customerName'
  | 'createdAt'
> & {
  readonly merchantName: string;
  /** The collection account in the payer's latest instructions; null without instructions. */
  readonly instructedAccount: string | null;
};

/** A line as its merchant sees it. */
export interface PaidLine {
  readonly paymentId: string;
  /** The part of the line that was allocated to the order, in minor units. */
  readonly amount: number;
  readonly currency: string | null;
  readonly bookedOn: string | null;
  readonly name: string | null;
  readonly account: string | null;
  readonly accountType: AccountType | null;
  readonly undoneAt: Date | null;
  /** Undone by a return of the bank; otherwise by an operator. */
  readonly isTakenBack: boolean;
}

/** Decimals by currency, for those that do not have two. */
type Decimals = Readonly<Record<string, number>>;

/** Queries of bank lines for the operators' pages. */
@Injectable()
export class BankQueueRepository {
  constructor(private readonly database: Database) {}

  /** Returns by an outgoing line, including undone ones. */
  returns(lineId: string): Promise<SeenReturn[]> {
    return this.database.query(LINE_RETURNS, [lineId]);
  }

  list(filter: QueueFilter, decimals: Decimals, limit: number): Promise<BankLine[]> {
    const { mode, states, account, day, amounts, text, after, order } = filter;
    const ordered = order === 'oldest' ? OLDEST_LINES : NEWEST_LINES;
    return this.database.query(
      states.includes('unknown_money_out') ? UNKNOWN_MONEY_OUT_LINES : ordered,
      [
        mode,
        states,
        account,
        day,
        amounts && JSON.stringify(amounts),
        JSON.stringify(decimals),
        text,
        after,
        limit,
      ],
    );
  }

  async counts(mode: Mode): Promise<ReadonlyMap<ListedState, number>> {
    const rows = await this.database.query<{ state: ListedState; lines: number }>(LINE_COUNTS, [
      mode,
      LINES_COUNTED + 1,
    ]);
    return new Map(rows.map(({ state, lines }) => [state, lines]));
  }

  /** Accounts with lines. */
  async accounts(mode: Mode): Promise<string[]> {
    const rows = await this.database.query<Pick<BankLine, 'account'>>(LINE_ACCOUNTS, [
      mode,
      ACCOUNTS_MAX,
    ]);
    return rows.map(({ account }) => account);
  }

  async find(mode: Mode, id: string): Promise<BankLine | undefined> {
    return (await this.database.query<BankLine>(FIND_LINE, [mode, id]))[0];
  }

  places(lineId: string): Promise<SeenPlace[]> {
    return this.database.query(LINE_PLACES, [lineId, PLACES_MAX]);
  }

  allocations(lineId: string): Promise<SeenAllocation[]> {
    return this.database.query(LINE_ALLOCATIONS, [lineId]);
  }

  notes(lineId: string): Promise<SeenNote[]> {
    return this.database.query(LINE_NOTES, [lineId, LINE_NOTES_MAX]);
  }

  /** @returns false when the line has the maximum number of notes */
  async insertNote(tx: EntityManager, note: BankLineNote): Promise<boolean> {
    if ((await tx.countBy(BankLineNote, { lineId: note.lineId })) >= LINE_NOTES_MAX) return false;
    await tx.insert(BankLineNote, note);
    return true;
  }

  /** Orders of all merchants, by `txid` or merchant's order id; those with transfer instructions first. */
  orders(mode: Mode, txid: string | null, name: string): Promise<MatchableOrder[]> {
    return txid === null
      ? this.database.query(ORDERS_BY_MERCHANT_ID, [mode, name, SAME_ID_MAX])
      : this.database.query(ORDERS_BY_TXID, [mode, txid, SAME_ID_MAX]);
  }

  /** Unsorted. */
  ordersOf(keys: readonly OrderKey[]): Promise<MatchableOrder[]> {
    return this.database.query(ORDERS_BY_KEY, [
      keys.map(({ merchantId }) => merchantId),
      keys.map(({ txid }) => txid),
    ]);
  }

  ofOrder({ merchantId, txid }: OrderKey): Promise<PaidLine[]> {
    return this.database.query(PAID_LINES, [merchantId, txid]);
  }
}
