import type { EntityManager } from 'typeorm';

/**
 * Whoever adds something of which a merchant has a number at most comes after others who do so, until
 * the transaction ends. References to the merchant go on meanwhile.
 */
export const lockMerchant = (tx: EntityManager, merchantId: string): Promise<unknown> =>
  tx.query('SELECT FROM merchants WHERE id = $1 FOR NO KEY UPDATE', [merchantId]);
