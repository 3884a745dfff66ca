/** What an `orderMerchantId` is made of. */
export const ORDER_MERCHANT_ID = /^[A-Za-z0-9._:/-]{1,64}$/;

/**
 * The `orderMerchantId` that a text from outside means, wherever it is read: white space around it, as it comes with a
 * copied text, is no part of it, and capitals and small letters differ. Null when it is none.
 */
export function orderMerchantIdOf(text: string): string | null {
  const id = text.trim();
  return ORDER_MERCHANT_ID.test(id) ? id : null;
}
