import { Injectable, Logger } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { ImportThrottle } from '../bank/import/import-throttle.js';
import { Clock } from '../common/time/clock.js';
import {
  BankWatchRepository,
  WAITING_STATES,
} from '../database/bank/files/bank-watch.repository.js';
import { CollectionAccountChangeRepository } from '../database/bank/collection-accounts/collection-account-change.repository.js';
import { MODES } from '../database/merchants/api-key.entity.js';

const DAY_MS = 86_400_000;
/** Maximum accounts with a label of their own: those with the oldest statements. */
const NAMED_MAX = 100;

/** Bank lines that need attention, and the age of statements; the same from every process. */
@Injectable()
export class BankMetrics {
  private readonly logger = new Logger('metrics');
  private readonly waiting = new Gauge({
    name: 'payment_orders_bank_lines_waiting',
    help: 'Lines of banks that wait for a person: with a suggestion, without one, or as money that went out unexplained.',
    labelNames: ['mode', 'state'],
    registers: [],
  });
  private readonly oldest = new Gauge({
    name: 'payment_orders_bank_lines_waiting_oldest_age_seconds',
    help: 'How long the oldest of them has waited.',
    labelNames: ['mode', 'state'],
    registers: [],
  });
  private readonly statementAge = new Gauge({
    name: 'payment_orders_bank_statement_age_days',
    help: `Days since the last day covered by a statement of a collection account; the ${NAMED_MAX} oldest.`,
    labelNames: ['account', 'mode', 'currency'],
    registers: [],
  });

  private readonly accountChanges = new Gauge({
    name: 'payment_orders_collection_account_changes_waiting',
    help: 'Changes of live collection accounts that wait for a second operator (proposed) or for their time (confirmed).',
    labelNames: ['state'],
    registers: [],
  });

  private readonly imports = new Gauge({
    name: 'payment_orders_bank_imports',
    help: 'Imports of bank files in this process: running, and waiting for one of the two slots.',
    labelNames: ['state'],
    registers: [],
    collect: () => {
      for (const state of ['running', 'waiting'] as const)
        this.imports.set({ state }, this.throttle.imports[state]);
    },
  });

  readonly gauges = [
    this.waiting,
    this.oldest,
    this.statementAge,
    this.accountChanges,
    this.imports,
  ];

  constructor(
    private readonly watch: BankWatchRepository,
    private readonly changes: CollectionAccountChangeRepository,
    private readonly clock: Clock,
    private readonly throttle: ImportThrottle,
  ) {}

  /** Absent while the database is unavailable. */
  async read(): Promise<void> {
    for (const gauge of this.gauges) gauge.reset();
    const reads = [this.readWaiting(), this.readStatements(), this.readChanges()];
    await Promise.all(reads).catch((error: unknown) =>
      this.logger.warn(
        { event: 'metrics.bank.failed', err: error },
        'bank lines could not be counted',
      ),
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
