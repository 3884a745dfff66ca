import { pathOf, type MerchantContext } from '../../people/portal-context.js';
import type { OrderPage } from './order-page.service.js';

/** What each part of an order's page is made from. */
export interface OrderProps {
  readonly context: MerchantContext;
  readonly page: OrderPage;
}

/** The path of an order's pages. */
export const orderPath = ({ access }: MerchantContext, txid: string): string =>
  `${pathOf(access)}/orders/${txid}`;

/** Why a page's JSON is not quite that of the API. */
export const visibilityNote = (visibility: 'masked' | 'none'): string =>
  visibility === 'masked'
    ? 'The payer is masked here; the API answers without the mask.'
    : 'Payer and customer are left empty here, because your role does not see them in live mode.';
