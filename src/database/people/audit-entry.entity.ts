import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../columns.js';
import { Merchant } from '../merchants/merchant.entity.js';
import { User } from './user.entity.js';

/** An audit log entry: an action or access by a user. Immutable: triggers reject changes. */
@Entity({ name: 'audit_entries' })
@ForeignKey(() => Merchant, ['merchantId'], ['id'], { name: 'audit_entries_merchant_fk' })
@ForeignKey(() => User, ['userId'], ['id'], { name: 'audit_entries_user_fk' })
@Index('audit_entries_merchant', ['merchantId', 'id'])
@Index('audit_entries_subject', ['merchantId', 'subject', 'id'], { where: 'subject IS NOT NULL' })
export class AuditEntry {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'audit_entries_pk' })
  id: string;

  /** Null for actions that belong to no merchant. */
  @Column({ name: 'merchant_id', type: 'uuid', nullable: true })
  merchantId: string | null;

  /** Null without a signed-in user. */
  @Column({ name: 'user_id', type: 'uuid', nullable: true })
  userId: string | null;

  /** The user's session; null for actions without one, and on the command line. */
  @Column({ name: 'session_id', type: 'uuid', nullable: true })
  sessionId: string | null;

  @Column({ type: 'text' })
  action: string;

  /** Id of the object. */
  @Column({ type: 'text', nullable: true })
  subject: string | null;

  @Column({ type: 'jsonb' })
  data: Record<string, unknown>;

  @Column({ type: 'text' })
  address: string;

  @TimestampColumn('created_at')
  createdAt: Date;
}
