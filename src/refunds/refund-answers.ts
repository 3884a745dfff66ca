import { type RefundResponse, refundResponse } from '../contract/refund.response.js';
import type { Order } from '../database/orders/order.entity.js';
import type { Refund } from '../database/refunds/refund.entity.js';
import type { RenderedAnswer } from '../http/http.js';
import type { Caller } from '../merchants/api-key.guard.js';

export const responseOf = (refund: Refund, { orderMerchantId }: Order): RefundResponse =>
  refundResponse({ ...refund, orderMerchantId });

export const refundAnswer = (
  status: number,
  refund: Refund,
  order: Order,
  { version: apiVersion }: Caller,
): RenderedAnswer => ({ status, body: JSON.stringify(responseOf(refund, order)), apiVersion });

/** Adds `Location`. */
export function located({ status, body, apiVersion }: RenderedAnswer): RenderedAnswer {
  const answer = { status, body, apiVersion };
  if (status >= 300) return answer;
  const { id } = JSON.parse(body) as Pick<RefundResponse, 'id'>;
  return { ...answer, location: `/api/refund/${id}` };
}
