import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import type { LimitedRepository } from '../limited-repository.js';
import { PayoutSchedule } from './payout-schedule.entity.js';
import type { BalanceKey, Owner } from '../keys.js';
import { columnsOf } from '../entity-sql.js';

/** Previous users stay in `changed_by`. */
const SAVE = `
  INSERT INTO payout_schedules AS s (merchant_id, mode, currency, frequency, day, minimum_amount,
    bank_account_id, changed_by, next_run_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (merchant_id, mode, currency) DO UPDATE SET frequency = excluded.frequency,
    day = excluded.day, minimum_amount = excluded.minimum_amount,
    bank_account_id = excluded.bank_account_id, next_run_at = excluded.next_run_at,
    updated_at = excluded.updated_at,
    changed_by = ARRAY(SELECT DISTINCT unnest(s.changed_by || excluded.changed_by))`;

const COLUMNS = columnsOf('s', PayoutSchedule);

/** Alternates between merchants, which have at most one schedule per currency and mode. */
const DUE: Statement = {
  name: 'payout_schedules_due',
  text: `SELECT ${COLUMNS} FROM payout_schedules s WHERE s.next_run_at <= $1
    ORDER BY row_number() OVER (PARTITION BY s.merchant_id ORDER BY s.next_run_at), random() LIMIT $2`,
};

@Injectable()
export class PayoutScheduleRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(PayoutSchedule) private readonly schedules: LimitedRepository<PayoutSchedule>,
  ) {}

  list({ merchantId, mode }: Owner): Promise<PayoutSchedule[]> {
    return this.schedules.find({ where: { merchantId, mode }, order: { currency: 'ASC' } });
  }

  async save(tx: EntityManager, schedule: PayoutSchedule): Promise<void> {
    await tx.query(SAVE, [
      schedule.merchantId,
      schedule.mode,
      schedule.currency,
      schedule.frequency,
      schedule.day,
      schedule.minimumAmount,
      schedule.bankAccountId,
      schedule.changedBy,
      schedule.nextRunAt,
      schedule.updatedAt,
    ]);
  }

  async remove(tx: EntityManager, { merchantId, mode, currency }: BalanceKey): Promise<boolean> {
    return (await tx.delete(PayoutSchedule, { merchantId, mode, currency })).affected === 1;
  }

  /** Due schedules, alternating between merchants. */
  due(now: Date, limit: number): Promise<PayoutSchedule[]> {
    return this.database.query(DUE, [now, limit]);
  }

  /**
   * Sets the next run.
   * @returns false when another process did so first, or the schedule was changed
   */
  async advance(tx: EntityManager, schedule: PayoutSchedule, nextRunAt: Date): Promise<boolean> {
    const { merchantId, mode, currency, nextRunAt: dueAt, updatedAt } = schedule;
    const where = { merchantId, mode, currency, nextRunAt: dueAt, updatedAt };
    return (await tx.update(PayoutSchedule, where, { nextRunAt })).affected === 1;
  }
}
