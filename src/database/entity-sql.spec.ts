import {
  assignments,
  columnsOf,
  firstValuesOf,
  insertOf,
  parametersOf,
  split,
  valuesOf,
} from './entity-sql.js';
import { IdempotencyRecord } from './orders/idempotency-record.entity.js';
import { Order } from './orders/order.entity.js';
import { Export } from './exports/export.entity.js';

describe('SQL from entities', () => {
  it('reads columns under the names of the properties', () => {
    const some = columnsOf('o', Order, ['txid', 'orderMerchantId'], 'order.');
    expect(some).toBe('o.txid AS "order.txid", o.order_merchant_id AS "order.orderMerchantId"');
  });

  it('reads all columns but those that nobody asks for', () => {
    const all = columnsOf('o', Order);
    expect(all).toMatch(/^o\.merchant_id AS "merchantId", o\.txid AS "txid", .* AS "paidAt"$/);
    expect(all).not.toContain('erased');
  });

  it('knows the first values', () => {
    const first = firstValuesOf(Export);
    expect(first).toMatchObject({ status: 'queued', attempts: 0, manifest: null });
    expect(first).not.toHaveProperty('leaseUntil');
  });

  it('names parameters, and gives their values in that order', () => {
    const names = ['amount', 'txid'] as const;
    const parameters = parametersOf(names, 3);
    expect(parameters).toEqual({ amount: '$4', txid: '$5' });
    expect(valuesOf(names, { txid: 'a', amount: 7 })).toEqual([7, 'a']);
  });

  it('writes the columns in the order of the entity', () => {
    const sql = insertOf(IdempotencyRecord, { key: '$2', merchantId: '$1', createdAt: 'now()' });
    expect(sql.replace(/\s+/g, ' ')).toBe(
      'INSERT INTO idempotency_records (merchant_id, key, created_at) VALUES ($1, $2, now())',
    );
  });

  it('changes what a patch names', () => {
    const set = assignments(Order, { status: 'paid', statusReason: null }, 3);
    expect(set).toEqual({ sql: 'status = $3, status_reason = $4', values: ['paid', null] });
  });

  it('takes a row of two entities apart', () => {
    expect(split({ id: 1, 'payment.id': 2 }, 'payment.')).toEqual([{ id: 1 }, { id: 2 }]);
  });
});
