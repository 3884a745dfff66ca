import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Merchant } from '../merchants/merchant.entity.js';

const PK = 'retention_marks_pk';

/** Of earlier versions, which may still run beside this one. Nobody else looks at it. */
@Entity({ name: 'retention_marks' })
@Check('retention_marks_rule_check', `rule IN ('unpaid', 'payers', 'reports')`)
@ForeignKey(() => Merchant, ['merchantId'], ['id'], { name: 'retention_marks_merchant_fk' })
export class RetentionMark {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: PK })
  merchantId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: PK })
  rule: string;

  @Column({ name: 'last_id', type: 'uuid' })
  lastId: string;
}
