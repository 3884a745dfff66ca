import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../database.js';
import type { Owner } from '../keys.js';
import type { Mode } from '../merchants/api-key.entity.js';
import type { Order } from '../orders/order.entity.js';
import type { HoldReason } from '../payouts/bank-accounts/bank-account.statements.js';
import type { PayoutFile } from '../payouts/payout-file.entity.js';
import type { Payout, PayoutStatus } from '../payouts/payout.entity.js';
import {
  ACCOUNT,
  APPROVED,
  DOWNLOADS,
  FIND_PLATFORM_PAYOUT,
  FIND_FILE,
  HOLD_FILE,
  IS_SOUND,
  LIST_FILES,
  LISTED_FILE,
  OF_FILE,
  PLATFORM_TOTALS,
  UNALLOCATED_ORDERS,
  WAITING,
} from './platform-payout.statements.js';

/** A payout as operators see it; totals in minor units. */
export interface PlatformPayout extends Payout {
  readonly merchantName: string;
  /** Null for a scheduled payout, or for a refund by an API key of the command line. */
  readonly requestedByName: string | null;
  readonly requestedByEmail: string | null;
  readonly approvedByName: string | null;
  /** Why it is excluded from payout files once approved. */
  readonly heldBy: HoldReason | null;
  readonly orderLines: number;
  readonly orders: number;
  /** Zero or negative. */
  readonly fees: number;
  readonly corrections: number;
  /** The order of a refund, and the merchant's id of it; null for a payout to the merchant. */
  readonly refundedTxid: string | null;
  readonly refundedOrder: string | null;
}

/** Total of the waiting payouts of a status and currency. */
export interface PlatformTotal {
  readonly status: PayoutStatus;
  readonly currency: string;
  readonly payouts: number;
  readonly amount: number;
  /** Number of approved payouts not included, because they are held. */
  readonly held: number;
}

/** The bank account of a payout: who added and confirmed it, and previous payouts. */
export interface PlatformAccount {
  readonly createdAt: Date;
  readonly createdByName: string;
  readonly confirmedAt: Date | null;
  readonly confirmedByName: string | null;
  /** Other paid payouts. */
  readonly paid: number;
  /** Other failed or returned payouts. */
  readonly refused: number;
  readonly lastPaidAt: Date | null;
}

/** A file without content, with its payouts by status. */
export interface PlatformFile extends Pick<PayoutFile, (typeof LISTED_FILE)[number]> {
  readonly createdByName: string;
  readonly states: readonly { readonly status: PayoutStatus; readonly payouts: number }[];
}

export type FileContent = Pick<
  PayoutFile,
  'mode' | 'currency' | 'messageId' | 'content' | 'sha256' | 'createdAt'
>;

export interface FileDownload {
  readonly at: Date;
  readonly byName: string | null;
}

/** An order with unallocated funds, in minor units by currency. */
export interface UnallocatedOrder extends Pick<
  Order,
  | 'merchantId'
  | 'txid'
  | 'orderMerchantId'
  | 'status'
  | 'exception'
  | 'amount'
  | 'amountReceived'
  | 'amountRefunded'
  | 'currency'
> {
  readonly merchantName: string;
  readonly sums: readonly { readonly currency: string; readonly amount: number }[];
  /** The latest change. */
  readonly at: Date;
}

/** Maximum listed downloads per file. */
const DOWNLOADS_MAX = 100;

/** Queries of all merchants' payouts for operators. */
@Injectable()
export class PlatformPayoutRepository {
  constructor(private readonly database: Database) {}

  /** Payouts that wait for approval, oldest first, after `after`. */
  waiting(mode: Mode, after: string | null, limit: number): Promise<PlatformPayout[]> {
    return this.database.query(WAITING, [after, limit, mode]);
  }

  /** Approved payouts, in the order of payout files. */
  approved(
    mode: Mode,
    currency: string,
    after: string | null,
    limit: number,
  ): Promise<PlatformPayout[]> {
    return this.database.query(APPROVED, [after, limit, mode, currency]);
  }

  ofFile(fileId: string, after: string | null, limit: number): Promise<PlatformPayout[]> {
    return this.database.query(OF_FILE, [after, limit, fileId]);
  }

  async find({ merchantId, mode }: Owner, id: string): Promise<PlatformPayout | null> {
    return (
      (
        await this.database.query<PlatformPayout>(FIND_PLATFORM_PAYOUT, [merchantId, mode, id])
      )[0] ?? null
    );
  }

  totals(mode: Mode): Promise<PlatformTotal[]> {
    return this.database.query(PLATFORM_TOTALS, [mode]);
  }

  /** The bank account of a payout. */
  async account({ merchantId, bankAccountId, id }: Payout): Promise<PlatformAccount> {
    const values = [merchantId, bankAccountId, id];
    const [account] = await this.database.query<PlatformAccount>(ACCOUNT, values);
    return account!;
  }

  /** Newest first, created before `before`. */
  files(mode: Mode, before: string | null, limit: number): Promise<PlatformFile[]> {
    return this.database.query(LIST_FILES, [mode, before, limit]);
  }

  async file(mode: Mode, id: string): Promise<PlatformFile | null> {
    return (await this.database.query<PlatformFile>(FIND_FILE, [mode, id]))[0] ?? null;
  }

  /** The same within the transaction. */
  async fileIn(tx: EntityManager, mode: Mode, id: string): Promise<PlatformFile | null> {
    return (await tx.query<PlatformFile[]>(FIND_FILE.text, [mode, id]))[0] ?? null;
  }

  /** Locks a file for download until the transaction ends. */
  async holdFile(tx: EntityManager, id: string): Promise<FileContent | null> {
    return (await tx.query<FileContent[]>(HOLD_FILE, [id]))[0] ?? null;
  }

  /** Whether the file is unchanged and pays exactly its payouts. The caller holds its lock. */
  async isSound(tx: EntityManager, id: string): Promise<boolean> {
    const [{ sound }] = await tx.query<[{ sound: boolean }]>(IS_SOUND, [id]);
    return sound;
  }

  /** Oldest first. */
  downloads(fileId: string): Promise<FileDownload[]> {
    return this.database.query(DOWNLOADS, [fileId, DOWNLOADS_MAX]);
  }

  /** The same within the transaction. */
  downloadsIn(tx: EntityManager, fileId: string): Promise<FileDownload[]> {
    return tx.query(DOWNLOADS.text, [fileId, DOWNLOADS_MAX]);
  }

  /** Newest order first, created before `before`. */
  unallocated(mode: Mode, before: string | null, limit: number): Promise<UnallocatedOrder[]> {
    return this.database.query(UNALLOCATED_ORDERS, [mode, before, limit]);
  }
}
