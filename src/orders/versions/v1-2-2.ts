import { type Body, type ContractChange, without } from './contract-change.js';

export const V1_2_2: ContractChange = {
  version: '1.2.2',
  changes: [
    'The payment object has `payerAccountNumber`, `payerAccountType` and `payerAccountName`.',
  ],
  downgradeOrder: (order) => ({
    ...order,
    payment:
      order['payment'] &&
      without(
        order['payment'] as Body,
        'payerAccountNumber',
        'payerAccountType',
        'payerAccountName',
      ),
  }),
};
