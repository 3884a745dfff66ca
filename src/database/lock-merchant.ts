import type { EntityManager } from 'typeorm';

/**
 * Serializes changes that check a limit per merchant, until the transaction ends. Inserts that reference the merchant
 * are not blocked.
 */
export const lockMerchant = (tx: EntityManager, merchantId: string): Promise<unknown> =>
  tx.query('SELECT FROM merchants WHERE id = $1 FOR NO KEY UPDATE', [merchantId]);
