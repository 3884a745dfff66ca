import { Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../merchants/api-key.entity.js';

const Key = (name: string, type: string, precision?: number): PropertyDecorator =>
  PrimaryColumn({
    name,
    type: type as 'text',
    ...(precision === undefined ? {} : { precision }),
    primaryKeyConstraintName: 'order_fields_pk',
  });

/**
 * Search index of an order's optional fields, in time order. Written only by a trigger from the order, which stays the
 * source of truth.
 */
@Entity({ name: 'order_fields' })
export class OrderField {
  @Key('merchant_id', 'uuid')
  merchantId: string;

  @Key('mode', 'text')
  mode: Mode;

  @Key('name', 'text')
  name: string;

  @Key('value', 'text')
  value: string;

  @Key('created_at', 'timestamptz', 3)
  createdAt: Date;

  @Key('txid', 'uuid')
  txid: string;
}
