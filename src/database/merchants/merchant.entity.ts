import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../columns.js';
import { User } from '../people/user.entity.js';

/** Default days to pay by bank transfer. */
export const TRANSFER_DAYS = 14;
/** Allowed values. */
export const TRANSFER_DAYS_RANGE = { min: 2, max: 60 } as const;

/** A merchant, who receives the money. */
@Entity({ name: 'merchants' })
@Check('merchants_name_check', `char_length(name) BETWEEN 1 AND 140`)
@Check('merchants_transfer_days_check', `transfer_days BETWEEN 2 AND 60`)
@ForeignKey(() => User, ['transfersAllowedBy'], ['id'], {
  name: 'merchants_transfers_allowed_by_fk',
})
@Check('merchants_colour_check', `colour ~ '^[0-9a-f]{6}$'`)
export class Merchant {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'merchants_pk' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  /** Button colour of the payment page, as six hex digits. */
  @Column({ type: 'text', default: '0b4f9e' })
  colour: string;

  @Column({ name: 'logo_url', type: 'text', nullable: true })
  logoUrl: string | null;

  /** Support link for payers: an https or mailto URL. */
  @Column({ name: 'contact_url', type: 'text', nullable: true })
  contactUrl: string | null;

  /** IANA time zone of times and days in the portal. */
  @Column({ name: 'time_zone', type: 'text', default: 'UTC' })
  timeZone: string;

  /** Days that payers have for a bank transfer. */
  @Column({ name: 'transfer_days', type: 'integer', default: 14 })
  transferDays: number;

  /** Whether its live orders can be paid by bank transfer; those in test mode always can. */
  @Column({ name: 'takes_transfers', type: 'boolean', default: false })
  takesTransfers: boolean;

  /** The user who last allowed that in the portal; null = none, or the command line. */
  @Column({ name: 'transfers_allowed_by', type: 'uuid', nullable: true })
  transfersAllowedBy: string | null;

  @TimestampColumn('created_at')
  createdAt: Date;
}
