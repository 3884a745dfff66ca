import { pathOf, type MerchantContext } from '../../people/portal-context.js';
import type { OrderPage } from './order-page.service.js';

/** Props of the parts of the order page. */
export interface OrderProps {
  readonly context: MerchantContext;
  readonly page: OrderPage;
}

export const orderPath = ({ access }: MerchantContext, txid: string): string =>
  `${pathOf(access)}/orders/${txid}`;

/** Explains how the JSON differs from the API response. */
export const visibilityNote = (visibility: 'masked' | 'none'): string =>
  visibility === 'masked'
    ? 'The payer is masked here, but not in API responses.'
    : 'Payer and customer are empty here: they are hidden for your role in live mode.';
