import { Values } from '../../values.js';
import { ownerOf } from './order-list.conditions.js';
import type { OrderScope } from './order-list.model.js';
import type { OrderListSql } from './order-list.statements.js';

/** Distinct first values of an indexed column, by a loose index scan. */
function hops(column: string, rows: string, max: number): string {
  const first = `ORDER BY ${column} LIMIT 1`;
  return `WITH RECURSIVE known AS (
      (SELECT ${column} AS value ${rows} ${first})
      UNION ALL SELECT n.value FROM known CROSS JOIN LATERAL
        (SELECT ${column} AS value ${rows} AND ${column} > known.value ${first}) n
    ) SELECT value FROM known LIMIT ${max}`;
}

/**
 * Currencies and providers in use, at most `max` per merchant. Payments do not store the mode, so providers are those
 * of both modes.
 */
export function choicesSql(scope: OrderScope, max: number): OrderListSql {
  const values = new Values();
  const { merchant, mode } = ownerOf(scope, values);
  const orders = `FROM orders o WHERE o.merchant_id = m.id AND o.mode = ${mode} AND o.amount > 0`;
  const payments = 'FROM payments p WHERE p.merchant_id = m.id';
  const all = (each: string): string => `ARRAY(
    SELECT DISTINCT c.value FROM merchants m CROSS JOIN LATERAL (${each}) c
    ${merchant ? `WHERE m.id = ${merchant}` : ''} ORDER BY c.value LIMIT ${max})`;
  return {
    text: `SELECT ${all(hops('o.currency', orders, max))} AS currencies,
      ${all(hops('p.provider', payments, max))} AS providers`,
    values: values.list,
  };
}
