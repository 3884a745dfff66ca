import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../columns.js';
import { User } from '../people/user.entity.js';
import { Refund } from './refund.entity.js';

/** The account of a payer whom the bank did not name: the payer enters it on a page, whose link is sufficient. */
@Entity({ name: 'refund_payees' })
@Check(
  'refund_payees_entered_check',
  `(entered_at IS NULL) = (holder IS NULL) AND (entered_at IS NULL) = (iban IS NULL)
  AND (entered_at IS NULL OR entered_at < expires_at)`,
)
@Check(
  'refund_payees_confirmed_check',
  `(confirmed_by IS NULL) = (confirmed_at IS NULL)
  AND (confirmed_at IS NULL OR confirmed_at >= entered_at)`,
)
@Check('refund_payees_holder_check', `char_length(holder) BETWEEN 1 AND 70`)
@Check('refund_payees_iban_check', `iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{8,30}$'`)
@ForeignKey(() => Refund, ['merchantId', 'refundId'], ['merchantId', 'id'], {
  name: 'refund_payees_refund_fk',
})
@ForeignKey(() => User, ['confirmedBy'], ['id'], { name: 'refund_payees_confirmed_by_fk' })
@Index('refund_payees_token', ['token'])
export class RefundPayee {
  @PrimaryColumn({
    name: 'merchant_id',
    type: 'uuid',
    primaryKeyConstraintName: 'refund_payees_pk',
  })
  merchantId: string;

  @PrimaryColumn({ name: 'refund_id', type: 'uuid', primaryKeyConstraintName: 'refund_payees_pk' })
  refundId: string;

  /** Of the page's address. */
  @Column({ type: 'text' })
  token: string;

  /** The refund is cancelled then, unless an account was entered. */
  @TimestampColumn('expires_at')
  expiresAt: Date;

  @Column({ type: 'text', nullable: true })
  holder: string | null;

  /** Normalised. */
  @Column({ type: 'text', nullable: true })
  iban: string | null;

  @TimestampColumn('entered_at', { nullable: true })
  enteredAt: Date | null;

  /** An owner of the merchant; live refunds need one. */
  @Column({ name: 'confirmed_by', type: 'uuid', nullable: true })
  confirmedBy: string | null;

  @TimestampColumn('confirmed_at', { nullable: true })
  confirmedAt: Date | null;
}
