import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MomentColumn } from '../columns.js';
import { Merchant } from '../merchants/merchant.entity.js';
import { User } from './user.entity.js';

/** What somebody did in the portal, or looked at. The database refuses to change it. */
@Entity({ name: 'audit_entries' })
@ForeignKey(() => Merchant, ['merchantId'], ['id'], { name: 'audit_entries_merchant_fk' })
@ForeignKey(() => User, ['userId'], ['id'], { name: 'audit_entries_user_fk' })
@Index('audit_entries_merchant', ['merchantId', 'id'])
@Index('audit_entries_subject', ['merchantId', 'subject', 'id'], { where: 'subject IS NOT NULL' })
export class AuditEntry {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'audit_entries_pk' })
  id: string;

  /** Null for what concerns the platform, or nobody's money. */
  @Column({ name: 'merchant_id', type: 'uuid', nullable: true })
  merchantId: string | null;

  /** Null for somebody who is not signed in. */
  @Column({ name: 'user_id', type: 'uuid', nullable: true })
  userId: string | null;

  /** In which it was done; null for what needs none, and on the command line. */
  @Column({ name: 'session_id', type: 'uuid', nullable: true })
  sessionId: string | null;

  @Column({ type: 'text' })
  action: string;

  /** The id of what it was done to. */
  @Column({ type: 'text', nullable: true })
  subject: string | null;

  @Column({ type: 'jsonb' })
  data: Record<string, unknown>;

  @Column({ type: 'text' })
  address: string;

  @MomentColumn('created_at')
  createdAt: Date;
}
