import { Injectable } from '@nestjs/common';
import { MatcherService } from '../../../bank/matcher.service.js';
import type { Suggestion } from '../../../bank/matching.js';
import { canBeMatched } from '../../../bank/waiting-line.js';
import { Clock } from '../../../common/clock.js';
import {
  BankQueueRepository,
  type MatchableOrder,
  type SeenAllocation,
  type SeenNote,
  type SeenPlace,
} from '../../../database/bank/bank-queue.repository.js';
import type { BankLine } from '../../../database/bank/bank-line.entity.js';
import type { Mode } from '../../../database/merchants/api-key.entity.js';
import { notFound } from '../../../people/refusal.js';

/** An order that a line may be for, and why. */
export interface LineSuggestion {
  readonly order: MatchableOrder;
  readonly because: Suggestion['because'];
}

/** A line, and all that is known of it. */
export interface BankLinePage {
  readonly line: BankLine;
  readonly places: readonly SeenPlace[];
  /** What was undone, too; the oldest first. */
  readonly allocations: readonly SeenAllocation[];
  readonly notes: readonly SeenNote[];
  /** The line that this one may be, or is. */
  readonly duplicateOf: BankLine | null;
  /** Empty where nothing is left to match. */
  readonly suggestions: readonly LineSuggestion[];
  /** Minor units that are no order's yet. */
  readonly left: number;
  readonly now: Date;
}

@Injectable()
export class LinePageService {
  constructor(
    private readonly queue: BankQueueRepository,
    private readonly matcher: MatcherService,
    private readonly clock: Clock,
  ) {}

  /** @throws Refusal 404 */
  async open(mode: Mode, id: string): Promise<BankLinePage> {
    const [line, places, allocations, notes] = await Promise.all([
      this.queue.find(mode, id),
      this.queue.places(id),
      this.queue.allocations(id),
      this.queue.notes(id),
    ]);
    if (!line) throw notFound();
    const used = allocations
      .filter(({ undoneAt }) => undoneAt === null)
      .reduce((sum, { amount }) => sum + amount, 0);
    const left = canBeMatched(line) ? (line.amount ?? 0) - used : 0;
    const suggestions = left > 0 ? await this.suggestionsFor(line) : [];
    const other = line.duplicateOf && (await this.queue.find(mode, line.duplicateOf));
    const now = this.clock.now();
    return { line, places, allocations, notes, duplicateOf: other || null, suggestions, left, now };
  }

  private async suggestionsFor(line: BankLine): Promise<LineSuggestion[]> {
    const found = await this.matcher.suggestionsFor(line);
    const orders = await this.queue.ordersOf(found.map(({ order }) => order));
    return found.flatMap(({ order: { txid }, because }) => {
      const order = orders.find((each) => each.txid === txid);
      return order ? [{ order, because }] : [];
    });
  }
}
