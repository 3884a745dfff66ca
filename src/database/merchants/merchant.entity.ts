import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { MomentColumn } from '../columns.js';

/** Who gets the money. */
@Entity({ name: 'merchants' })
@Check('merchants_name_check', `char_length(name) BETWEEN 1 AND 140`)
@Check('merchants_colour_check', `colour ~ '^[0-9a-f]{6}$'`)
export class Merchant {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'merchants_pk' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  /** Six hex digits; the payment page's buttons wear it. */
  @Column({ type: 'text', default: '0b4f9e' })
  colour: string;

  @Column({ name: 'logo_url', type: 'text', nullable: true })
  logoUrl: string | null;

  /** Where a payer asks for help: a https or mailto URL. */
  @Column({ name: 'contact_url', type: 'text', nullable: true })
  contactUrl: string | null;

  /** IANA name: in it the portal shows times and counts days. */
  @Column({ name: 'time_zone', type: 'text', default: 'UTC' })
  timeZone: string;

  @MomentColumn('created_at')
  createdAt: Date;
}
