import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Merchant } from './merchant.entity.js';

/** What is forgotten after its time: of orders that nobody paid, of all orders, of providers' messages. */
export const RETENTION_RULES = ['unpaid', 'payers', 'reports'] as const;
export type RetentionRule = (typeof RETENTION_RULES)[number];

const PK = 'retention_marks_pk';

/** How far a rule has come with a merchant: all rows up to this id have been forgotten. */
@Entity({ name: 'retention_marks' })
@Check('retention_marks_rule_check', `rule IN ('unpaid', 'payers', 'reports')`)
@ForeignKey(() => Merchant, ['merchantId'], ['id'], { name: 'retention_marks_merchant_fk' })
export class RetentionMark {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: PK })
  merchantId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: PK })
  rule: RetentionRule;

  /** Ids begin with the time at which they were made, so that one stands for all before it. */
  @Column({ name: 'last_id', type: 'uuid' })
  lastId: string;
}
