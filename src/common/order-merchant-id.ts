/** Format of an `orderMerchantId`. */
export const ORDER_MERCHANT_ID = /^[A-Za-z0-9._:/-]{1,64}$/;

/**
 * Parses an `orderMerchantId` from outside: trims white space, which copied texts have; case-sensitive. Null if
 * invalid.
 */
export function orderMerchantIdOf(text: string): string | null {
  const id = text.trim();
  return ORDER_MERCHANT_ID.test(id) ? id : null;
}
