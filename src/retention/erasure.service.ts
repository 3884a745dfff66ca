import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../database/database.js';
import {
  type PayerSearch,
  RetentionRepository,
  type StrayReports,
} from '../database/retention/retention.repository.js';

/** Orders that one transaction erases. */
const BATCH_MAX = 200;
/** A shorter account may as well be an amount in a message about somebody else. */
const TELLING_LENGTH_MIN = 8;

export interface Erasure {
  /** Orders in which nobody can be found any more. */
  readonly erased: readonly string[];
  /** Orders that have not ended: they are erased when asked again afterwards. */
  readonly waiting: readonly string[];
  /** Providers' messages about no payment of ours. */
  readonly messages: StrayReports;
}

/** What one transaction erased. */
export type Erased = { readonly txids: readonly string[] } | { readonly messages: number };

/** In the transaction that erased it. */
export type Witness = (tx: EntityManager, erased: Erased) => Promise<void>;

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

/** Finds the payer as a whole word in a provider's own words: a regular expression of PostgreSQL. */
function namesOf({ email, account }: PayerSearch): string | null {
  const names = [email ?? '', (account ?? '').replace(/\s/g, '')]
    .filter((name) => name.length >= TELLING_LENGTH_MIN)
    .map((name) => Array.from(name, (c) => c.replace(/[^\p{L}\p{N}]/u, '\\$&')).join(' *'));
  if (names.length === 0) return null;
  return `(?<![[:alnum:]._+-])(${names.join('|')})(?![[:alnum:]-]|\\.[[:alnum:]])`;
}
