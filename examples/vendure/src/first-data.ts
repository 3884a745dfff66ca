import { type InitialData, LanguageCode } from '@vendure/core';

/** What an empty shop begins with, beside the products of `products.csv`. */
export const firstData: InitialData = {
  defaultLanguage: LanguageCode.en,
  defaultZone: 'Europe',
  countries: [{ code: 'DE', name: 'Germany', zone: 'Europe' }],
  taxRates: [{ name: 'standard', percentage: 19 }],
  shippingMethods: [{ name: 'By post', price: 490 }],
  paymentMethods: [{ name: 'Payment page', handler: { code: 'payment-orders', arguments: [] } }],
  collections: [],
};
