import { Injectable, Logger } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Clock } from '../common/clock.js';
import { BankWatchRepository, WAITING_STATES } from '../database/bank/bank-watch.repository.js';
import { CollectionAccountChangeRepository } from '../database/bank/collection-account-change.repository.js';
import { MODES } from '../database/merchants/api-key.entity.js';

const DAY_MS = 86_400_000;
/** Accounts that are named one by one: those whose statements are the oldest. */
const NAMED_MAX = 100;

/** What waits for a person of what banks booked, and how old their statements are; the same from every process. */
@Injectable()
export class BankMetrics {
  private readonly logger = new Logger('metrics');
  private readonly waiting = new Gauge({
    name: 'bank_lines_waiting',
    help: 'Lines of banks that wait for a person: with a suggestion, without one, or as money that went out unexplained.',
    labelNames: ['mode', 'state'],
    registers: [],
  });
  private readonly oldest = new Gauge({
    name: 'bank_lines_waiting_oldest_seconds',
    help: 'How long the oldest of them has waited.',
    labelNames: ['mode', 'state'],
    registers: [],
  });
  private readonly statementAge = new Gauge({
    name: 'bank_statement_age_days',
    help: `Days since the last one of which a statement of a collection account tells; the ${NAMED_MAX} oldest.`,
    labelNames: ['account', 'mode', 'currency'],
    registers: [],
  });

  private readonly accountChanges = new Gauge({
    name: 'collection_account_changes_waiting',
    help: 'Changes of live collection accounts that wait for a second operator (proposed) or for their time (confirmed).',
    labelNames: ['state'],
    registers: [],
  });

  readonly gauges = [this.waiting, this.oldest, this.statementAge, this.accountChanges];

  constructor(
    private readonly watch: BankWatchRepository,
    private readonly changes: CollectionAccountChangeRepository,
    private readonly clock: Clock,
  ) {}

  /** While the database is away, the numbers are missing. */
  async read(): Promise<void> {
    for (const gauge of this.gauges) gauge.reset();
    const reads = [this.readWaiting(), this.readStatements(), this.readChanges()];
    await Promise.all(reads).catch((error: unknown) =>
      this.logger.warn({ err: error }, 'lines of banks not counted'),
    );
  }

  private async readWaiting(): Promise<void> {
    const waiting = await this.watch.waiting(this.clock.now());
    for (const mode of MODES) {
      for (const state of WAITING_STATES) this.waiting.set({ mode, state }, 0);
    }
    for (const { mode, state, lines, oldestSeconds } of waiting) {
      this.waiting.set({ mode, state }, lines);
      this.oldest.set({ mode, state }, oldestSeconds);
    }
  }

  private async readChanges(): Promise<void> {
    const { proposed, confirmed } = await this.changes.waiting();
    this.accountChanges.set({ state: 'proposed' }, proposed);
    this.accountChanges.set({ state: 'confirmed' }, confirmed);
  }

  private async readStatements(): Promise<void> {
    const now = this.clock.now();
    const today = now.toISOString().slice(0, 10);
    const statements = await this.watch.lastStatements(today, NAMED_MAX);
    for (const { id, mode, currency, lastDay } of statements) {
      const days = Math.max(Math.floor((now.getTime() - Date.parse(lastDay)) / DAY_MS), 0);
      this.statementAge.set({ account: id, mode, currency }, days);
    }
  }
}
