import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import {
  type HistoryChoices,
  type HistoryCounts,
  HistoryRepository,
  type HistoryWindow,
} from '../../database/repositories/history.repository.js';
import type { HistoryRow } from '../../database/repositories/history.statements.js';
import type { Shown } from './history-address.js';
import { cursorText, parseCursor } from './history-cursor.js';
import { type HistoryProblem, NO_FILTER, parseHistory } from './history-filter.js';
import { type HistoryLine, lineOf } from './history-line.js';
import type { HistoryPlace } from './history-place.js';

/** Orders on one page. */
export const PAGE_ROWS = 25;

/** A filter out of an address, with what is wrong in it. */
export interface AskedHistory extends Shown {
  readonly problems: readonly HistoryProblem[];
  /** What was typed, right or wrong. */
  readonly typed: URLSearchParams;
  readonly now: Date;
}

/** A page of the history. */
export interface HistoryLook extends AskedHistory {
  readonly lines: readonly HistoryLine[];
  /** Places from which on newer and older orders are listed; null where there are none. */
  readonly newer: string | null;
  readonly older: string | null;
  readonly counts: HistoryCounts;
  readonly choices: HistoryChoices;
  /** Whether there has never been an order. */
  readonly isNew: boolean;
  /** The order that alone has exactly the id that was searched for. */
  readonly hit: HistoryLine | null;
}

/** Reads the transaction history for its pages. */
@Injectable()
export class HistoryService {
  constructor(
    private readonly history: HistoryRepository,
    private readonly clock: Clock,
  ) {}

  ask(place: HistoryPlace, typed: URLSearchParams): AskedHistory {
    const now = this.clock.now();
    return { place, typed, now, ...parseHistory(typed, place, now) };
  }

  async look(asked: AskedHistory): Promise<HistoryLook> {
    const { place, filter, typed } = asked;
    const window = windowOf(typed);
    const [{ rows, hasNewer, hasOlder }, counts, choices] = await Promise.all([
      this.history.page(place.scope, filter, window),
      this.history.counts(place.scope, filter),
      this.history.choices(place.scope),
    ]);
    const lines = rows.map((row) => lineOf(row, place.sight));
    const at = (row: HistoryRow | undefined): string | null =>
      row ? cursorText({ time: timeOf(row, asked), txid: row.txid }) : typed.get('newer');
    return {
      ...asked,
      lines,
      counts,
      choices,
      newer: hasNewer ? at(rows[0]) : null,
      older: hasOlder ? at(rows.at(-1)) : null,
      isNew: counts.everyStatus.count === 0 && (await this.hasNone(place)),
      hit: window.cursor === null && !hasOlder ? hitOf(lines, filter.search) : null,
    };
  }

  private async hasNone({ scope }: HistoryPlace): Promise<boolean> {
    const window = { cursor: null, direction: 'older', limit: 1 } as const;
    return (await this.history.page(scope, NO_FILTER, window)).rows.length === 0;
  }
}

function windowOf(typed: URLSearchParams): HistoryWindow {
  const newer = parseCursor(typed.get('newer') ?? '');
  const cursor = newer ?? parseCursor(typed.get('older') ?? '');
  return { cursor, direction: newer ? 'newer' : 'older', limit: PAGE_ROWS };
}

const timeOf = (row: HistoryRow, { filter }: Shown): Date =>
  filter.basis === 'paid' && row.paidAt ? row.paidAt : row.createdAt;

function hitOf(lines: readonly HistoryLine[], search: string | null): HistoryLine | null {
  const [line] = lines;
  if (!line || lines.length > 1 || search === null) return null;
  const isId = line.txid === search.toLowerCase() || line.orderMerchantId === search;
  return isId ? line : null;
}
