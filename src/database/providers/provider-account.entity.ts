import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { Merchant } from '../merchants/merchant.entity.js';

/** A merchant's account with a provider, in one mode. Its callbacks are signed with the account's secret. */
@Entity({ name: 'provider_accounts' })
@Check('provider_accounts_mode_check', `mode IN ('test', 'live')`)
@ForeignKey(() => Merchant, ['merchantId'], ['id'], { name: 'provider_accounts_merchant_fk' })
@Index('provider_accounts_id', ['id'])
export class ProviderAccount {
  @PrimaryColumn({
    name: 'merchant_id',
    type: 'uuid',
    primaryKeyConstraintName: 'provider_accounts_pk',
  })
  merchantId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'provider_accounts_pk' })
  mode: Mode;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'provider_accounts_pk' })
  provider: string;

  /** Part of the account's callback URL. */
  @Column({ type: 'uuid' })
  id: string;

  @Column({ name: 'callback_secret', type: 'text' })
  callbackSecret: string;

  @Column({ type: 'boolean' })
  enabled: boolean;

  @TimestampColumn('created_at')
  createdAt: Date;
}
