import {
  assignments,
  columnsOf,
  differsFrom,
  typesOf,
  columnRefs,
  columnDefaults,
  fromJson,
  insertOf,
  jsonOf,
  parametersOf,
  recordOf,
  parameterRow,
  setOf,
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

  it('reads all columns except those with `select: false`', () => {
    const all = columnsOf('o', Order);
    expect(all).toMatch(
      /^o\.merchant_id AS "merchantId", o\.txid AS "txid", .* AS "originalExpiresAt"$/,
    );
    expect(all).not.toContain('erased');
  });

  it('knows the first values', () => {
    const first = columnDefaults(Export);
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

  it('writes rows that come from elsewhere', () => {
    const sql = insertOf(IdempotencyRecord, { key: 'a.key' }, 'FROM asked a');
    expect(sql.replace(/\s+/g, ' ')).toBe(
      'INSERT INTO idempotency_records (key) SELECT a.key FROM asked a',
    );
  });

  it('reads rows of JSON', () => {
    expect(recordOf(Order, ['txid', 'amount', 'createdAt'], 'new.')).toBe(
      '"new.txid" uuid, "new.amount" bigint, "new.createdAt" timestamptz',
    );
    expect(columnRefs('input', ['txid'], 'new.')).toEqual({ txid: 'input."new.txid"' });
  });

  it('reads one row of parameters', () => {
    expect(parameterRow(typesOf(Order, ['txid', 'amount'], 'new.'))).toBe(
      '$1::uuid AS "new.txid", $2::bigint AS "new.amount"',
    );
  });

  it('changes what a patch names', () => {
    const set = assignments(Order, { status: 'paid', statusReason: null }, 3);
    expect(set).toEqual({ sql: 'status = $3, status_reason = $4', values: ['paid', null] });
  });

  it('sets columns to SQL, and finds rows in which they are something else', () => {
    const values = { customerName: 'NULL', optionalFields: `'{}'` };
    expect(setOf(Order, values)).toBe(`customer_name = NULL, optional_fields = '{}'`);
    expect(differsFrom(Order, values)).toBe(
      `customer_name::text IS DISTINCT FROM NULL OR optional_fields::text IS DISTINCT FROM '{}'`,
    );
  });

  it('writes properties as JSON, and reads them as they were', () => {
    const names = ['txid', 'amountReceived', 'expiresAt', 'paidAt'] as const;
    expect(jsonOf('o', Order, names)).toBe(
      `jsonb_build_object('txid', o.txid, 'amountReceived', o.amount_received, 'expiresAt', o.expires_at, 'paidAt', o.paid_at)`,
    );
    const expiresAt = new Date('2026-01-01T12:00:00.123Z');
    const json = { txid: 'a', amountReceived: 7, expiresAt: '2026-01-01T12:00:00.123+00:00' };
    const read = { txid: 'a', amountReceived: 7, expiresAt, paidAt: null };
    expect(fromJson(Order, names, { ...json, paidAt: null })).toEqual(read);
    const { amountReceived: _, ...earlier } = json;
    expect(fromJson(Order, names, earlier)).toEqual({ ...read, amountReceived: 0 });
  });

  it('takes a row of two entities apart', () => {
    expect(split({ id: 1, 'payment.id': 2 }, 'payment.')).toEqual([{ id: 1 }, { id: 2 }]);
  });
});
