import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { BankReturn } from './bank-return.entity.js';
import { Database } from '../database.js';
import type { OrderKey } from '../keys.js';
import type { Mode } from '../merchants/api-key.entity.js';
import type { Order } from '../orders/order.entity.js';
import type { AccountType, Payment } from '../payments/payment.entity.js';
import type { BankAllocation } from './bank-allocation.entity.js';
import type { BankFileSource } from './bank-file.entity.js';
import { BankLineNote } from './bank-line-note.entity.js';
import type { BankLine, LineState } from './bank-line.entity.js';
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

/** Lines of one state that are counted; there are more than that beyond it. */
export const LINES_COUNTED = 10_000;
const ACCOUNTS_MAX = 200;
const PLACES_MAX = 100;
/** Notes of one line. */
export const LINE_NOTES_MAX = 200;
/** Orders of different merchants with the same id that are looked at. */
export const SAME_ID_MAX = 10;

/** A state, or `unknown_money_out`: those lines are in no other list. */
export type ListedState = LineState | 'unknown_money_out';

export interface QueueFilter {
  readonly mode: Mode;
  readonly states: readonly ListedState[];
  readonly account: string | null;
  /** `YYYY-MM-DD` */
  readonly day: string | null;
  /** Minor units that are meant, by the number of decimals that a currency has. */
  readonly amounts: Readonly<Record<string, readonly number[]>> | null;
  readonly text: string | null;
  /** The last line of the page before. */
  readonly after: string | null;
  readonly order: 'oldest' | 'newest';
}

/** Where a line was seen. */
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

/** What a line paid for, and who says so. */
export type SeenAllocation = BankAllocation &
  Pick<Order, 'orderMerchantId' | 'status' | 'exception' | 'currency'> &
  Pick<Payment, 'payerAccountNumber' | 'payerAccountType' | 'payerAccountName'> & {
    readonly merchantName: string;
    /** What the bank took back of it, in minor units. */
    readonly returned: number;
    /** Null for the rules. */
    readonly matchedByName: string | null;
  };

/** What a line took back of a payment. */
export type SeenReturn = BankReturn &
  Pick<Order, 'txid' | 'orderMerchantId' | 'currency'> & {
    readonly merchantName: string;
    /** Null for the rules. */
    readonly saidByName: string | null;
  };

export type SeenNote = Pick<BankLineNote, 'id' | 'text' | 'createdAt'> & {
  readonly userName: string;
};

/** An order that a line can be matched to. */
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
  /** The account that its payer was told last; null for one who never was. */
  readonly toldAccount: string | null;
};

/** A line, as the merchant whom it paid sees it. */
export interface PaidLine {
  readonly paymentId: string;
  /** Minor units of it that are the order's. */
  readonly amount: number;
  readonly currency: string | null;
  readonly bookedOn: string | null;
  readonly name: string | null;
  readonly account: string | null;
  readonly accountType: AccountType | null;
  readonly undoneAt: Date | null;
  /** The bank took it back; else a person of the platform did. */
  readonly isTakenBack: boolean;
}

/** Decimals of the currencies that do not have two. */
type Decimals = Readonly<Record<string, number>>;

/** Lines of banks as people of the platform see them. */
@Injectable()
export class BankQueueRepository {
  constructor(private readonly database: Database) {}

  /** What a line that left took back of payments, also what was undone. */
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

  /** Accounts that have lines. */
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

  /** @returns whether there was room for it */
  async insertNote(tx: EntityManager, note: BankLineNote): Promise<boolean> {
    if ((await tx.countBy(BankLineNote, { lineId: note.lineId })) >= LINE_NOTES_MAX) return false;
    await tx.insert(BankLineNote, note);
    return true;
  }

  /** Orders of all merchants, by `txid` or by what merchants call them; those whose payers were told of a transfer first. */
  orders(mode: Mode, txid: string | null, name: string): Promise<MatchableOrder[]> {
    return txid === null
      ? this.database.query(ORDERS_BY_MERCHANT_ID, [mode, name, SAME_ID_MAX])
      : this.database.query(ORDERS_BY_TXID, [mode, txid, SAME_ID_MAX]);
  }

  /** In no order. */
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
