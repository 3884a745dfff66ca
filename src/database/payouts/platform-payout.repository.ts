import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../database.js';
import type { Owner } from '../keys.js';
import type { Mode } from '../merchants/api-key.entity.js';
import type { Order } from '../orders/order.entity.js';
import type { AccountFault } from './bank-account.statements.js';
import type { PayoutFile } from './payout-file.entity.js';
import type { Payout, PayoutStatus } from './payout.entity.js';
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

/** A payout as operators see it; sums are in minor units. */
export interface PlatformPayout extends Payout {
  readonly merchantName: string;
  /** Null for the schedule. */
  readonly requestedByName: string | null;
  readonly requestedByEmail: string | null;
  readonly approvedByName: string | null;
  /** Why nothing is paid to its account now. */
  readonly accountFault: AccountFault | null;
  readonly orderLines: number;
  readonly orders: number;
  /** 0 or less. */
  readonly fees: number;
  readonly corrections: number;
}

/** What waits in one status and currency. */
export interface PlatformTotal {
  readonly status: PayoutStatus;
  readonly currency: string;
  readonly payouts: number;
  readonly amount: number;
  /** Approved ones that are not among them: nothing is paid to their accounts. */
  readonly held: number;
}

/** Where the money goes: whose word there is for it, and what went there before. */
export interface PlatformAccount {
  readonly createdAt: Date;
  readonly createdByName: string;
  readonly confirmedAt: Date | null;
  readonly confirmedByName: string | null;
  /** Other payouts that arrived there. */
  readonly paid: number;
  /** Other payouts that did not. */
  readonly refused: number;
  readonly lastPaidAt: Date | null;
}

/** A file without its content, and where its payouts are now. */
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

/** An order with money that nothing explains, in minor units of each currency. */
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
  /** When the last of it came or went. */
  readonly at: Date;
}

/** Downloads of one file that are listed. */
const DOWNLOADS_MAX = 100;

/** Payouts of all merchants, as the platform's operators see them. */
@Injectable()
export class PlatformPayoutRepository {
  constructor(private readonly database: Database) {}

  /** Payouts that somebody has to approve, the oldest first, those behind `after`. */
  waiting(mode: Mode, after: string | null, limit: number): Promise<PlatformPayout[]> {
    return this.database.query(WAITING, [after, limit, mode]);
  }

  /** Approved payouts, in the order in which they go into files. */
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

  /** The account of a payout. */
  async account({ merchantId, bankAccountId, id }: Payout): Promise<PlatformAccount> {
    const values = [merchantId, bankAccountId, id];
    const [account] = await this.database.query<PlatformAccount>(ACCOUNT, values);
    return account!;
  }

  /** The newest first, those made before `before`. */
  files(mode: Mode, before: string | null, limit: number): Promise<PlatformFile[]> {
    return this.database.query(LIST_FILES, [mode, before, limit]);
  }

  async file(mode: Mode, id: string): Promise<PlatformFile | null> {
    return (await this.database.query<PlatformFile>(FIND_FILE, [mode, id]))[0] ?? null;
  }

  /** The same, as the transaction sees it. */
  async fileIn(tx: EntityManager, mode: Mode, id: string): Promise<PlatformFile | null> {
    return (await tx.query<PlatformFile[]>(FIND_FILE.text, [mode, id]))[0] ?? null;
  }

  /** Reads a file, which nobody else downloads until the transaction ends. */
  async holdFile(tx: EntityManager, id: string): Promise<FileContent | null> {
    return (await tx.query<FileContent[]>(HOLD_FILE, [id]))[0] ?? null;
  }

  /** Whether the file has its bytes and pays its payouts, nothing else. The caller holds it. */
  async isSound(tx: EntityManager, id: string): Promise<boolean> {
    const [{ sound }] = await tx.query<[{ sound: boolean }]>(IS_SOUND, [id]);
    return sound;
  }

  /** The first first. */
  downloads(fileId: string): Promise<FileDownload[]> {
    return this.database.query(DOWNLOADS, [fileId, DOWNLOADS_MAX]);
  }

  /** The same, as the transaction sees them. */
  downloadsIn(tx: EntityManager, fileId: string): Promise<FileDownload[]> {
    return tx.query(DOWNLOADS.text, [fileId, DOWNLOADS_MAX]);
  }

  /** The newest order first, those made before `before`. */
  unallocated(mode: Mode, before: string | null, limit: number): Promise<UnallocatedOrder[]> {
    return this.database.query(UNALLOCATED_ORDERS, [mode, before, limit]);
  }
}
