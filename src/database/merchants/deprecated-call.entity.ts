import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { ApiKey } from './api-key.entity.js';

/** Number of calls of a deprecated operation by key and day (UTC). */
@Entity({ name: 'deprecated_calls' })
@ForeignKey(() => ApiKey, ['merchantId', 'apiKeyId'], ['merchantId', 'id'], {
  name: 'deprecated_calls_api_key_fk',
})
export class DeprecatedCall {
  @PrimaryColumn({
    name: 'merchant_id',
    type: 'uuid',
    primaryKeyConstraintName: 'deprecated_calls_pk',
  })
  merchantId: string;

  @PrimaryColumn({
    name: 'api_key_id',
    type: 'uuid',
    primaryKeyConstraintName: 'deprecated_calls_pk',
  })
  apiKeyId: string;

  /** Method and path as documented, for example `GET /api/order/{txid}`. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'deprecated_calls_pk' })
  operation: string;

  @PrimaryColumn({ type: 'date', primaryKeyConstraintName: 'deprecated_calls_pk' })
  day: string;

  @Column({ type: 'bigint' })
  calls: number;
}
