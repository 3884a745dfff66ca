import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ApiVersion } from '../../http/api-version.js';
import { MomentColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';

/**
 * The first answer to a request that carried an Idempotency-Key. A creation writes it in its own
 * transaction; a cancellation claims the key first, and fills the answer in.
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

  /** The operation that the key belongs to, such as `POST /api/order`. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'idempotency_records_pk' })
  route: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'idempotency_records_pk' })
  key: string;

  /** SHA-256 of the canonical request. */
  @Column({ name: 'content_hash', type: 'bytea' })
  contentHash: Buffer;

  /** The order that the answer is about. */
  @Column({ type: 'uuid' })
  txid: string;

  @Column({ name: 'api_version', type: 'text', nullable: true })
  apiVersion: ApiVersion | null;

  /** Null while there is no answer yet. */
  @Column({ type: 'integer', nullable: true })
  status: number | null;

  /** The answer's body, byte for byte. */
  @Column({ type: 'text', nullable: true })
  body: string | null;

  @MomentColumn('created_at')
  createdAt: Date;
}
