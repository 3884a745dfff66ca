import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MomentColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { Merchant } from '../merchants/merchant.entity.js';

const PK = 'asked_mailboxes_pk';

/** That a merchant has asked a mailbox: it outlives the recipient, and holds no address. */
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

  /** The last time. */
  @MomentColumn('asked_at')
  askedAt: Date;

  /** Questions without an answer. */
  @Column({ type: 'integer' })
  questions: number;

  /** The owner has unsubscribed, and is asked no more. */
  @MomentColumn('refused_at', { nullable: true })
  refusedAt: Date | null;
}
