import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../database/database.js';
import {
  type PayerSearch,
  RetentionRepository,
} from '../database/repositories/retention.repository.js';

/** Orders that one transaction erases. */
const BATCH_MAX = 200;

export interface Erasure {
  /** Orders in which nobody can be found any more. */
  readonly erased: readonly string[];
  /** Orders that have not ended: they are erased when asked again afterwards. */
  readonly waiting: readonly string[];
}

/** In the transaction that erased the orders. */
export type Witness = (tx: EntityManager, txids: readonly string[]) => Promise<void>;

/** Forgets one payer because the payer asked for it. */
@Injectable()
export class ErasureService {
  constructor(
    private readonly database: Database,
    private readonly retention: RetentionRepository,
  ) {}

  /** Takes the payer out of a merchant's orders; amounts, references and the ledger stay as they are. */
  async erase(merchantId: string, payer: PayerSearch, witness: Witness): Promise<Erasure> {
    const found = (await this.retention.find(merchantId, payer)).map(({ txid }) => txid);
    const erased: string[] = [];
    for (let from = 0; from < found.length; from += BATCH_MAX) {
      const batch = found.slice(from, from + BATCH_MAX);
      erased.push(...(await this.eraseBatch(merchantId, batch, witness)));
    }
    return { erased, waiting: found.filter((txid) => !erased.includes(txid)) };
  }

  private eraseBatch(merchantId: string, txids: string[], witness: Witness): Promise<string[]> {
    return this.database.transaction(async (tx) => {
      const erased = await this.retention.eraseEnded(tx, merchantId, txids);
      if (erased.length === 0) return erased;
      await this.retention.eraseReportsOf(tx, merchantId, erased, erased.toSorted()[0]!);
      await witness(tx, erased);
      return erased;
    });
  }
}
