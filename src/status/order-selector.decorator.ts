import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../common/problem.js';
import { refuseUnknownParameters } from '../common/http.js';
import { isUuid } from '../common/ids.js';
import type { Selector } from '../database/repositories/order.repository.js';

/** What an `orderMerchantId` is made of. */
export const ORDER_MERCHANT_ID = /^[A-Za-z0-9._:/-]{1,64}$/;

/** What a look-up by selector can answer, beside what every operation can. */
export const SELECTOR_ERRORS = [
  'selector_required',
  'selector_ambiguous',
  'order_not_found',
  'not_in_this_version',
] as const;

/** @throws Problem unless the query has exactly one of the two selectors, once */
export function readSelector(query: Readonly<Record<string, unknown>>, internal: string): Selector {
  const given = ['orderMerchantId', internal].filter((name) => query[name] !== undefined);
  const names = `\`orderMerchantId\` or \`${internal}\``;
  if (given.length === 0) {
    throw new Problem('selector_required', { detail: `Send one of ${names}.` });
  }
  const value = query[given[0]!];
  if (given.length > 1 || typeof value !== 'string') {
    throw new Problem('selector_ambiguous', { detail: `Send only one of ${names}, once.` });
  }
  if (given[0] === internal) {
    if (!isUuid(value)) throw new Problem('order_not_found');
    return { txid: value.toLowerCase() };
  }
  if (!ORDER_MERCHANT_ID.test(value)) throw new Problem('order_not_found');
  return { orderMerchantId: value };
}

/** Exactly one identifier in the query; `internal` is the operation's name for the `txid`. */
export const OrderSelector = createParamDecorator(
  (internal: string, context: ExecutionContext): Selector => {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    refuseUnknownParameters(request, ['orderMerchantId', internal]);
    return readSelector(request.query as Record<string, unknown>, internal);
  },
);
