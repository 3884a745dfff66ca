import type { ContractChange } from './contract-change.js';

export const V1_2_1: ContractChange = {
  version: '1.2.1',
  changes: [
    'The portal’s transaction history shows provider, account and name of the payer, and can be downloaded.',
    'Merchants can opt in to an e-mail after each successful transaction.',
    'Nothing in the API changed.',
  ],
};
