import { pathOf, type PlacedVisit } from '../visit.js';
import type { OrderPage } from './order-page.service.js';

/** What each part of an order's page is made from. */
export interface OrderProps {
  readonly visit: PlacedVisit;
  readonly page: OrderPage;
}

/** The path of an order's pages. */
export const orderPath = ({ place }: PlacedVisit, txid: string): string =>
  `${pathOf(place)}/orders/${txid}`;

/** Why a page's JSON is not quite that of the API. */
export const sightNote = (sight: 'masked' | 'none'): string =>
  sight === 'masked'
    ? 'The payer is masked here; the API answers without the mask.'
    : 'Payer and customer are left empty here, because your role does not see them in live mode.';
