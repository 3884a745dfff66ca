import { Injectable } from '@nestjs/common';
import { MatcherService } from '../../../bank/matching/matcher.service.js';
import type { PayingDoubt, Suggestion } from '../../../bank/matching/matching.js';
import { PayingDoubtsService } from '../../../bank/matching/paying-doubts.service.js';
import { canBeMatched, canBeReturn } from '../../../bank/recognition/waiting-line.js';
import { Clock } from '../../../common/time/clock.js';
import {
  BankQueueRepository,
  type MatchableOrder,
  type SeenAllocation,
  type SeenNote,
  type SeenPlace,
  type SeenReturn,
} from '../../../database/bank/matching/bank-queue.repository.js';
import { CollectionAccountRepository } from '../../../database/bank/collection-accounts/collection-account.repository.js';
import type { BankLine } from '../../../database/bank/lines/bank-line.entity.js';
import type { Mode } from '../../../database/merchants/api-key.entity.js';
import { notFound } from '../../../people/refusal.js';

export interface LineSuggestion {
  readonly order: MatchableOrder;
  readonly because: Suggestion['because'];
}

/** Data of the page of one line. */
export interface BankLinePage {
  readonly line: BankLine;
  readonly places: readonly SeenPlace[];
  /** Including undone ones, oldest first. */
  readonly allocations: readonly SeenAllocation[];
  /** Of outgoing lines, including undone ones. */
  readonly returns: readonly SeenReturn[];
  readonly notes: readonly SeenNote[];
  /** The possible or confirmed original of a duplicate. */
  readonly duplicateOf: BankLine | null;
  /** Empty if nothing is left to match. */
  readonly suggestions: readonly LineSuggestion[];
  /** Number of further suggestions that are not listed. */
  readonly moreSuggestions: number;
  /** Why a line that can be matched may be no payment of its own, besides its reason. */
  readonly doubt: PayingDoubt | null;
  /** Whether its account is or was a collection account; otherwise it cannot pay orders. */
  readonly isOurs: boolean;
  /** Minor units not yet matched to an order. */
  readonly left: number;
  /** Minor units of an outgoing line not yet booked as a return. */
  readonly returnable: number;
  readonly now: Date;
}

@Injectable()
export class LinePageService {
  constructor(
    private readonly queue: BankQueueRepository,
    private readonly accounts: CollectionAccountRepository,
    private readonly matcher: MatcherService,
    private readonly doubts: PayingDoubtsService,
    private readonly clock: Clock,
  ) {}

  /** @throws Refusal 404 */
  async open(mode: Mode, id: string): Promise<BankLinePage> {
    const [line, places, allocations, notes, returns] = await Promise.all([
      this.queue.find(mode, id),
      this.queue.places(id),
      this.queue.allocations(id),
      this.queue.notes(id),
      this.queue.returns(id),
    ]);
    if (!line) throw notFound();
    const left = canBeMatched(line) ? (line.amount ?? 0) - standing(allocations) : 0;
    const isOurs = await this.accounts.isKnown(line);
    const matchable = left > 0 && isOurs;
    const suggested = matchable ? await this.suggestedFor(line) : NOTHING_SUGGESTED;
    const doubt = matchable ? await this.doubts.ofWaiting(id) : null;
    const other = line.duplicateOf && (await this.queue.find(mode, line.duplicateOf));
    const now = this.clock.now();
    const returnable = canBeReturn(line) ? (line.amount ?? 0) - standing(returns) : 0;
    const amounts = { left, returnable };
    const found = { isOurs, duplicateOf: other || null, doubt, ...suggested };
    return { line, places, allocations, returns, notes, ...found, ...amounts, now };
  }

  private async suggestedFor(
    line: BankLine,
  ): Promise<Pick<BankLinePage, 'suggestions' | 'moreSuggestions'>> {
    const { shown, more } = await this.matcher.suggestionsFor(line);
    const orders = await this.queue.ordersOf(shown.map(({ order }) => order));
    const suggestions = shown.flatMap(({ order: { txid }, because }) => {
      const order = orders.find((each) => each.txid === txid);
      return order ? [{ order, because }] : [];
    });
    return { suggestions, moreSuggestions: more };
  }
}

/** Total in minor units, without undone ones. */
const standing = (some: readonly Pick<SeenReturn, 'amount' | 'undoneAt'>[]): number =>
  some.reduce((sum, { amount, undoneAt }) => sum + (undoneAt === null ? amount : 0), 0);

const NOTHING_SUGGESTED = { suggestions: [], moreSuggestions: 0 };
