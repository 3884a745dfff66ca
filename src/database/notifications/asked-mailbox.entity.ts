import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { Merchant } from '../merchants/merchant.entity.js';

const PK = 'asked_mailboxes_pk';

/**
 * Records that a merchant asked a mailbox for confirmation. Kept after the recipient is deleted, without the address.
 */
@Entity({ name: 'asked_mailboxes' })
@Check('asked_mailboxes_hash_check', 'octet_length(address_hash) = 32')
@Check('asked_mailboxes_mode_check', `mode IN ('test', 'live')`)
@Check('asked_mailboxes_questions_check', 'questions > 0')
@ForeignKey(() => Merchant, ['merchantId'], ['id'], { name: 'asked_mailboxes_merchant_fk' })
@Index('asked_mailboxes_lately', ['merchantId', 'askedAt'])
export class AskedMailbox {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: PK })
  merchantId: string;

  /** SHA-256 of the merchant's id and the address. */
  @PrimaryColumn({ name: 'address_hash', type: 'bytea', primaryKeyConstraintName: PK })
  addressHash: Buffer;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: PK })
  mode: Mode;

  /** Time of the last confirmation mail. */
  @TimestampColumn('asked_at')
  askedAt: Date;

  /** Confirmation mails without an answer. */
  @Column({ type: 'integer' })
  questions: number;

  /** When the owner unsubscribed; the mailbox is not asked again. */
  @TimestampColumn('refused_at', { nullable: true })
  refusedAt: Date | null;
}
