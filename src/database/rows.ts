/**
 * Column lists of hot statements. They name the columns as the entities' properties, so that a row
 * is an entity without a mapper in between.
 */

import { NEWEST } from '../common/http.js';

const camel = (column: string): string =>
  column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** `o.order_merchant_id AS "orderMerchantId", …`, each property with the prefix in front. */
export const columnsOf = (alias: string, columns: readonly string[], prefix = ''): string =>
  columns.map((column) => `${alias}.${column} AS "${prefix}${camel(column)}"`).join(', ');

export const ORDER_COLUMN_NAMES = [
  'merchant_id',
  'txid',
  'mode',
  'order_merchant_id',
  'holds_merchant_id',
  'content_hash',
  'status',
  'status_reason',
  'exception',
  'amount',
  'currency',
  'amount_received',
  'amount_refunded',
  'fee',
  'description',
  'customer_name',
  'customer_email',
  'optional_fields',
  'page_token',
  'return_url',
  'cancel_url',
  'locale',
  'attempts',
  'payment_id',
  'version',
  'created_at',
  'updated_at',
  'expires_at',
  'paid_at',
] as const;

export const PAYMENT_COLUMN_NAMES = [
  'merchant_id',
  'id',
  'txid',
  'provider',
  'method',
  'status',
  'amount',
  'currency',
  'amount_received',
  'received_currency',
  'completes_order',
  'provider_reference',
  'redirect_url',
  'error_code',
  'error_message',
  'payer_account_number',
  'payer_account_type',
  'payer_account_name',
  'looks',
  'next_look_at',
  'created_at',
  'completed_at',
] as const;

const PAYMENT_PREFIX = 'payment.';

export const ORDER_COLUMNS = columnsOf('o', ORDER_COLUMN_NAMES);
export const PAYMENT_COLUMNS = columnsOf('p', PAYMENT_COLUMN_NAMES);
export const ORDER_WITH_PAYMENT_COLUMNS = `${ORDER_COLUMNS}, ${columnsOf('p', PAYMENT_COLUMN_NAMES, PAYMENT_PREFIX)}`;

/** Splits a row of `ORDER_WITH_PAYMENT_COLUMNS` into the order and its payment. */
export function withPayment<Row>(row: Readonly<Record<string, unknown>>): Row {
  const order: Record<string, unknown> = {};
  const payment: Record<string, unknown> = {};
  for (const key in row) {
    if (key.startsWith(PAYMENT_PREFIX)) payment[key.slice(PAYMENT_PREFIX.length)] = row[key];
    else order[key] = row[key];
  }
  order['payment'] = payment['id'] === null ? null : payment;
  return order as Row;
}

/** An UPDATE's SET list and its values for the properties that `patch` names. */
export function assignments(
  patch: Readonly<Record<string, unknown>>,
  firstParameter: number,
): { readonly sql: string; readonly values: unknown[] } {
  const entries = Object.entries(patch);
  const snake = (property: string): string =>
    property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return {
    sql: entries.map(([key], i) => `${snake(key)} = $${firstParameter + i}`).join(', '),
    values: entries.map(([, value]) => value),
  };
}

/** The condition for a row's id, or none for `newest`: the ids' order is that of time. */
export const idOrNewest = (id: string): { readonly id?: string } => (id === NEWEST ? {} : { id });

/** The lowest id of that moment. */
export const idAt = (moment: Date): string => {
  // No id is older than the time that ids begin with.
  const hex = Math.max(moment.getTime(), 0).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};
