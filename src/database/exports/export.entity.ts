import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { Merchant } from '../merchants/merchant.entity.js';

export const EXPORT_STATUSES = ['queued', 'running', 'ready', 'failed', 'cancelled'] as const;
export type ExportStatus = (typeof EXPORT_STATUSES)[number];

const RUNNING = `status = 'running'`;

/** An export file, written in the background. The key is the id alone, because platform exports have no merchant. */
@Entity({ name: 'exports' })
@Check('exports_mode_check', `mode IN ('test', 'live')`)
@Check('exports_status_check', `status IN ('queued', 'running', 'ready', 'failed', 'cancelled')`)
@Check('exports_place_check', `(status = 'running') = (place IS NOT NULL)`)
@Check('exports_lease_check', `(status = 'running') = (lease_until IS NOT NULL)`)
@Check('exports_manifest_check', `(status = 'ready') = (manifest IS NOT NULL)`)
@Check(
  'exports_finished_check',
  `(status IN ('queued', 'running')) = (finished_at IS NULL)
    AND (finished_at IS NULL) = (expires_at IS NULL)`,
)
@ForeignKey(() => Merchant, ['merchantId'], ['id'], { name: 'exports_merchant_fk' })
@Index('exports_merchant_place', ['merchantId', 'place'], { unique: true, where: RUNNING })
@Index('exports_platform_place', ['place'], {
  unique: true,
  where: `${RUNNING} AND merchant_id IS NULL`,
})
@Index('exports_list', ['merchantId', 'mode', 'id'])
@Index('exports_due', ['createdAt'], { where: `status IN ('queued', 'running')` })
@Index('exports_untold', ['finishedAt'], { where: `status = 'ready' AND told_at IS NULL` })
@Index('exports_age', ['expiresAt'])
export class Export {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'exports_pk' })
  id: string;

  /** Null = orders of all merchants. */
  @Column({ name: 'merchant_id', type: 'uuid', nullable: true })
  merchantId: string | null;

  @Column({ type: 'text' })
  mode: Mode;

  /** The user who requested it. */
  @Column({ name: 'requested_by', type: 'uuid' })
  requestedBy: string;

  /** All parameters of the file. */
  @Column({ type: 'jsonb' })
  request: Record<string, unknown>;

  /** The filter as URL query. */
  @Column({ type: 'text' })
  query: string;

  @Column({ type: 'text', default: 'queued' })
  status: ExportStatus;

  /** The merchant's slot in which it runs. */
  @Column({ type: 'integer', nullable: true, select: false })
  place: number | null;

  /** End of the worker's lease; another worker may take over then. */
  @TimestampColumn('lease_until', { nullable: true, select: false })
  leaseUntil: Date | null;

  /** Number of claims: only the worker with the last one may write. */
  @Column({ type: 'integer', default: 0 })
  attempts: number;

  @Column({ name: 'rows_done', type: 'bigint', default: 0 })
  rowsDone: number;

  /** Null until counted. */
  @Column({ name: 'rows_total', type: 'bigint', nullable: true })
  rowsTotal: number | null;

  /** Description of the file, once ready. */
  @Column({ type: 'jsonb', nullable: true })
  manifest: Record<string, unknown> | null;

  @TimestampColumn('created_at')
  createdAt: Date;

  @TimestampColumn('finished_at', { nullable: true })
  finishedAt: Date | null;

  /** When it is deleted with its file. */
  @TimestampColumn('expires_at', { nullable: true })
  expiresAt: Date | null;

  /** When the requester was notified that it is ready. */
  @TimestampColumn('told_at', { nullable: true, select: false })
  toldAt: Date | null;
}
