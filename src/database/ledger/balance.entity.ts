import { Check, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { MinorColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { Merchant } from '../merchants/merchant.entity.js';
import type { Account } from './transfer.entity.js';

/**
 * A checkpoint: the sum of an account's checkpointed transfers. Payments do not lock it; spending from `available`
 * locks that row, so that money is not spent twice.
 */
@Entity({ name: 'balances' })
@Check('balances_mode_check', `mode IN ('test', 'live')`)
@Check('balances_currency_check', `currency ~ '^[A-Z]{3}$'`)
@ForeignKey(() => Merchant, ['merchantId'], ['id'], { name: 'balances_merchant_fk' })
export class Balance {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: 'balances_pk' })
  merchantId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'balances_pk' })
  mode: Mode;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'balances_pk' })
  currency: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'balances_pk' })
  account: Account;

  /** Credits less debits. */
  @MinorColumn('amount', { default: 0 })
  amount: number;
}
