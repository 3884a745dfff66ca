import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { OrderKey } from '../database/keys.js';
import { RefundRepository } from '../database/refunds/refund.repository.js';
import { RefundMover } from './refund-mover.js';

const TAKEN_BACK =
  'An operator booked that the money of the order went back, or was not of this order.';

/** Refunds that wait for their payers or for the merchant, so that no operator can reject them. */
@Injectable()
export class RequestedRefunds {
  constructor(
    private readonly refunds: RefundRepository,
    private readonly mover: RefundMover,
  ) {}

  /** Cancels those of an order, whose money an operator books in another way. @returns whether there were some */
  async cancel(tx: EntityManager, order: OrderKey): Promise<boolean> {
    const waiting = await this.refunds.requestedWithoutPayout(tx, order);
    for (const refund of waiting) {
      const locked = await this.mover.lock(tx, refund);
      await this.mover.move(tx, locked, 'cancelled', { statusReason: TAKEN_BACK });
    }
    return waiting.length > 0;
  }
}
