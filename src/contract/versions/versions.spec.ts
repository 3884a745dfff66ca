import { describe, expect, it } from '@jest/globals';
import { API_VERSIONS, type ApiVersion, NEWEST_API_VERSION } from '../../common/api-version.js';
import { answerOf } from '../answers.js';
import { OrderEventResponse } from '../event.response.js';
import { OrderResponse } from '../order.response.js';
import { PaymentResponse } from '../payment.response.js';
import { inVersion } from './versions.js';

const payment = Object.assign(new PaymentResponse(), {
  id: 'p',
  payerAccountNumber: 'DE89',
  payerAccountType: 'iban',
  payerAccountName: 'Erika',
});
const newest = Object.assign(new OrderResponse(), {
  txid: 't',
  optionalFields: { a: 'b' },
  payment,
  payments: [payment],
});

const jsonIn = (version: ApiVersion, answer: object): unknown =>
  JSON.parse(JSON.stringify(inVersion(version, answer)));

describe(inVersion.name, () => {
  it('leaves the newest as it is', () => {
    expect(inVersion(NEWEST_API_VERSION, newest)).toBe(newest);
  });

  it('does not know all payments in 1.2.2', () => {
    const { payments, ...before } = newest;
    expect(payments).toHaveLength(1);
    expect(jsonIn('1.2.2', newest)).toEqual(before);
  });

  it.each(['1.2.1', '1.2'] as const)('does not know the payer in %s', (version) => {
    expect(jsonIn(version, newest)).toEqual({
      txid: 't',
      optionalFields: { a: 'b' },
      payment: { id: 'p' },
    });
  });

  it('does not know optional fields in 1.0', () => {
    expect(jsonIn('1.0', newest)).toEqual({ txid: 't', payment: { id: 'p' } });
  });

  it.each(API_VERSIONS)('takes an order without a payment in %s', (version) => {
    const order = Object.assign(new OrderResponse(), { payment: null });
    expect(jsonIn(version, order)).toEqual({ payment: null });
  });

  it('reaches what stands in other answers, and leaves what has no class', () => {
    const event = {
      id: 'e',
      type: 'order.paid',
      timestamp: '',
      sequence: 1,
      data: newest,
    } as const;
    const page = [answerOf(OrderEventResponse, event), 'bytes', { optionalFields: 1 }, null];
    expect(jsonIn('1.0', page)).toEqual([
      { ...event, data: { txid: 't', payment: { id: 'p' } } },
      'bytes',
      { optionalFields: 1 },
      null,
    ]);
  });

  it('leaves a merchant’s own pairs as they are, whatever their names', () => {
    const optionalFields = { constructor: 'a', payerAccountName: 'b' };
    const order = Object.assign(new OrderResponse(), { optionalFields });
    expect(jsonIn('1.2', order)).toEqual({ optionalFields });
  });

  it('changes nothing in what it is given', () => {
    const before = JSON.stringify(newest);
    inVersion('1.0', newest);
    expect(JSON.stringify(newest)).toBe(before);
  });
});
