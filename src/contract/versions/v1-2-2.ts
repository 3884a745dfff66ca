import { PaymentResponse } from '../payment.response.js';
import { type ContractChange, without } from './contract-change.js';

export const V1_2_2: ContractChange = {
  version: '1.2.2',
  changes: [
    'The payment object has `payerAccountNumber`, `payerAccountType` and `payerAccountName`.',
  ],
  downgrades: [
    without(PaymentResponse, 'payerAccountNumber', 'payerAccountType', 'payerAccountName'),
  ],
};
