import type { EntityManager } from 'typeorm';

/** What a caller writes in the transaction of a change, such as its audit entry. */
export type TransactionHook<T> = (tx: EntityManager, changed: T) => Promise<void>;

/** For callers that write nothing. */
export const noHook = async (): Promise<void> => {};
