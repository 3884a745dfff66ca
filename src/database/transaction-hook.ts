import type { EntityManager } from 'typeorm';

/** Writes of a caller in the transaction of a change, for example an audit entry. */
export type TransactionHook<T> = (tx: EntityManager, changed: T) => Promise<void>;

/** For callers without writes. */
export const noHook = async (): Promise<void> => {};
