import { OrderResponse } from '../order.response.js';
import { type ContractChange, without } from './contract-change.js';

export const V1_2: ContractChange = {
  version: '1.2',
  changes: [
    'Orders take `optionalFields` and return them; version 1.0 refuses them and leaves them out.',
    'GET /api/order and GET /api/order/status look an order up by `orderMerchantId` or by the internal id.',
    'GET /api/order/{txid} and GET /api/order/{txid}/status are deprecated.',
    'The payment page is compiled once for each shop and language and then reused.',
  ],
  downgrades: [without(OrderResponse, 'optionalFields')],
};
