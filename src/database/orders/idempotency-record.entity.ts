import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ApiVersion } from '../../common/api-version.js';
import { TimestampColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';

/**
 * The first response to a request with an Idempotency-Key. Creating an order stores it in the same transaction; a
 * cancellation claims the key first and stores the response afterwards.
 */
@Entity({ name: 'idempotency_records' })
@Check('idempotency_records_key_check', `char_length(key) BETWEEN 1 AND 255`)
@Check(
  'idempotency_records_answer_check',
  `(status IS NULL) = (body IS NULL) AND (status IS NULL) = (api_version IS NULL)`,
)
@Index('idempotency_records_age', ['createdAt'])
export class IdempotencyRecord {
  @PrimaryColumn({
    name: 'merchant_id',
    type: 'uuid',
    primaryKeyConstraintName: 'idempotency_records_pk',
  })
  merchantId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'idempotency_records_pk' })
  mode: Mode;

  /** The operation of the key, for example `POST /api/order`. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'idempotency_records_pk' })
  route: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'idempotency_records_pk' })
  key: string;

  /** SHA-256 of the canonical request. */
  @Column({ name: 'content_hash', type: 'bytea' })
  contentHash: Buffer;

  /** The order of the response. */
  @Column({ type: 'uuid' })
  txid: string;

  @Column({ name: 'api_version', type: 'text', nullable: true })
  apiVersion: ApiVersion | null;

  /** Null until there is a response. */
  @Column({ type: 'integer', nullable: true })
  status: number | null;

  /** The response body, byte for byte. */
  @Column({ type: 'text', nullable: true })
  body: string | null;

  @TimestampColumn('created_at')
  createdAt: Date;
}
