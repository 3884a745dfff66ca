import { Column, type ColumnOptions } from 'typeorm';

/** A timestamp with milliseconds, as in the API. */
export const TimestampColumn = (name: string, options: ColumnOptions = {}): PropertyDecorator =>
  Column({ name, type: 'timestamptz', precision: 3, ...options });

/** An amount in minor units. The driver parses bigint as a number and rejects unsafe integers. */
export const MinorColumn = (name: string, options: ColumnOptions = {}): PropertyDecorator =>
  Column({ name, type: 'bigint', ...options });
