let orders = 0;
/** No two requests name the same order; `tidy` makes the names equal again. */
export const nextOrderName = (): string => `INV-${++orders}`;

export const newOrder = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  orderMerchantId: nextOrderName(),
  amount: 8990,
  currency: 'EUR',
  ...more,
});
