import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../database/database.js';
import {
  type PayerSearch,
  RetentionRepository,
  type StrayReports,
} from '../database/retention/retention.repository.js';

/** Orders erased per transaction. */
const BATCH_MAX = 200;
/** Shorter accounts may match amounts in messages about other payers. */
const TELLING_LENGTH_MIN = 8;

export interface Erasure {
  /** Erased orders. */
  readonly erased: readonly string[];
  /** Orders that have not ended; repeat the erasure later. */
  readonly waiting: readonly string[];
  /** Provider callbacks without a known payment. */
  readonly messages: StrayReports;
}

/** Result of one transaction. */
export type Erased = { readonly txids: readonly string[] } | { readonly messages: number };

/** Called in the transaction of the erasure. */
export type Witness = (tx: EntityManager, erased: Erased) => Promise<void>;

/** Erases a payer on request. */
@Injectable()
export class ErasureService {
  constructor(
    private readonly database: Database,
    private readonly retention: RetentionRepository,
  ) {}

  /** Removes a payer from a merchant's orders; amounts, references and the ledger stay. */
  async erase(merchantId: string, payer: PayerSearch, witness: Witness): Promise<Erasure> {
    const found = (await this.retention.find(merchantId, payer)).map(({ txid }) => txid);
    const erased: string[] = [];
    for (let from = 0; from < found.length; from += BATCH_MAX) {
      const batch = found.slice(from, from + BATCH_MAX);
      erased.push(...(await this.eraseBatch(merchantId, batch, witness)));
    }
    const messages = await this.eraseMessages(merchantId, namesOf(payer), witness);
    return { erased, waiting: found.filter((txid) => !erased.includes(txid)), messages };
  }

  private eraseBatch(merchantId: string, txids: string[], witness: Witness): Promise<string[]> {
    return this.database.transaction(async (tx) => {
      const erased = await this.retention.eraseEnded(tx, merchantId, txids);
      if (erased.length === 0) return erased;
      await this.retention.eraseReportsOf(tx, merchantId, erased, erased.toSorted()[0]!);
      await witness(tx, { txids: erased });
      return erased;
    });
  }

  private async eraseMessages(
    merchantId: string,
    names: string | null,
    witness: Witness,
  ): Promise<StrayReports> {
    if (names === null) return { erased: 0, waiting: 0 };
    return this.database.transaction(async (tx) => {
      const messages = await this.retention.eraseStrayReports(tx, merchantId, names);
      if (messages.erased > 0) await witness(tx, { messages: messages.erased });
      return messages;
    });
  }
}

/** Regular expression of PostgreSQL that finds the payer as a whole word in callbacks. */
function namesOf({ email, account }: PayerSearch): string | null {
  const names = [email ?? '', (account ?? '').replace(/\s/g, '')]
    .filter((name) => name.length >= TELLING_LENGTH_MIN)
    .map((name) => Array.from(name, (c) => c.replace(/[^\p{L}\p{N}]/u, '\\$&')).join(' *'));
  if (names.length === 0) return null;
  return `(?<![[:alnum:]._+-])(${names.join('|')})(?![[:alnum:]-]|\\.[[:alnum:]])`;
}
