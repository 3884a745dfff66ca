import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { MinorColumn, TimestampColumn } from '../columns.js';
import { Merchant } from '../merchants/merchant.entity.js';

/** A merchant's fee rate for orders paid by a provider. */
@Entity({ name: 'fee_rates' })
@Check('fee_rates_currency_check', `currency ~ '^[A-Z]{3}$'`)
@Check('fee_rates_parts_check', `parts_per_million BETWEEN 0 AND 1000000`)
@Check('fee_rates_fixed_check', `fixed BETWEEN 0 AND 99999999999`)
@ForeignKey(() => Merchant, ['merchantId'], ['id'], { name: 'fee_rates_merchant_fk' })
export class FeeRate {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: 'fee_rates_pk' })
  merchantId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'fee_rates_pk' })
  provider: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'fee_rates_pk' })
  currency: string;

  /** Parts per million of the order's amount: 29,000 = 2.9 %. */
  @Column({ name: 'parts_per_million', type: 'integer' })
  partsPerMillion: number;

  /** Fixed part, in minor units of the currency. */
  @MinorColumn('fixed')
  fixed: number;

  @TimestampColumn('updated_at')
  updatedAt: Date;
}
