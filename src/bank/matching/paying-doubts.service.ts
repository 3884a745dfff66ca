import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MatchingRepository } from '../../database/bank/matching/matching.repository.js';
import { PaidLineRepository } from '../../database/bank/matching/paid-line.repository.js';
import { Database } from '../../database/database.js';
import type { OrderKey } from '../../database/keys.js';
import type { PayingDoubt } from './matching.js';

/** Finds lines that may be no payment of their own, although they name their order. */
@Injectable()
export class PayingDoubtsService {
  constructor(
    private readonly database: Database,
    private readonly matching: MatchingRepository,
    private readonly paidLines: PaidLineRepository,
  ) {}

  /**
   * The caller holds `lockAccounts`, and the locks of the orders.
   * @param paid orders by id of the line that is to pay them
   * @returns doubts by line id; null for a line without one on whose account files in several formats report
   */
  async of(
    tx: EntityManager,
    ids: readonly string[],
    paid: ReadonlyMap<string, readonly OrderKey[]> = new Map(),
  ): Promise<ReadonlyMap<string, PayingDoubt | null>> {
    const doubts = new Map<string, PayingDoubt | null>(await this.matching.maybeTotals(tx, ids));
    for (const id of await this.paidLines.possibleTotals(tx, ids)) doubts.set(id, 'possible_total');
    for (const id of await this.paidLines.mayHaveGoneBack(tx, ids))
      doubts.set(id, 'may_have_gone_back');
    for (const id of await this.paidLines.reportedElsewhere(tx, ids, paid))
      doubts.set(id, 'reported_elsewhere');
    return doubts;
  }

  /** Doubt about a line that waits for an operator, to show it besides another reason. Takes no lock: nothing is booked. */
  async ofWaiting(id: string): Promise<PayingDoubt | null> {
    const doubts = await this.database.transaction((tx) => this.of(tx, [id]));
    return doubts.get(id) ?? null;
  }
}
