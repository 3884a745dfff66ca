import { Column, type ColumnOptions } from 'typeorm';

/** A moment, with the milliseconds that the interface shows. */
export const MomentColumn = (name: string, options: ColumnOptions = {}): PropertyDecorator =>
  Column({ name, type: 'timestamptz', precision: 3, ...options });

/** An amount in minor units. The driver reads bigint as a number and refuses unsafe ones. */
export const MinorColumn = (name: string, options: ColumnOptions = {}): PropertyDecorator =>
  Column({ name, type: 'bigint', ...options });
