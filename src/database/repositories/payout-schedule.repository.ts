import { Injectable } from '@nestjs/common';
import { type EntityManager, LessThanOrEqual } from 'typeorm';
import { Database } from '../database.js';
import { PayoutSchedule } from '../entities/payout-schedule.entity.js';
import type { Purse } from './ledger.repository.js';
import type { Owner } from './order.repository.js';

@Injectable()
export class PayoutScheduleRepository {
  constructor(private readonly database: Database) {}

  list({ merchantId, mode }: Owner): Promise<PayoutSchedule[]> {
    return this.database.entities((manager) =>
      manager.find(PayoutSchedule, { where: { merchantId, mode }, order: { currency: 'ASC' } }),
    );
  }

  async save(tx: EntityManager, schedule: PayoutSchedule): Promise<void> {
    await tx.upsert(PayoutSchedule, schedule, ['merchantId', 'mode', 'currency']);
  }

  async remove(tx: EntityManager, { merchantId, mode, currency }: Purse): Promise<boolean> {
    return (await tx.delete(PayoutSchedule, { merchantId, mode, currency })).affected === 1;
  }

  /** Those whose time has come, longest overdue first. */
  due(now: Date, limit: number): Promise<PayoutSchedule[]> {
    return this.database.entities((manager) =>
      manager.find(PayoutSchedule, {
        where: { nextRunAt: LessThanOrEqual(now) },
        order: { nextRunAt: 'ASC' },
        take: limit,
      }),
    );
  }

  /**
   * Moves the schedule on.
   * @returns false when another process did so first, or somebody changed it
   */
  async advance(tx: EntityManager, schedule: PayoutSchedule, nextRunAt: Date): Promise<boolean> {
    const { merchantId, mode, currency, nextRunAt: dueAt, updatedAt } = schedule;
    const where = { merchantId, mode, currency, nextRunAt: dueAt, updatedAt };
    return (await tx.update(PayoutSchedule, where, { nextRunAt })).affected === 1;
  }
}
