import type { EntityManager } from 'typeorm';

/** What a caller writes in the transaction of a change, such as who made it. */
export type Along<T> = (tx: EntityManager, changed: T) => Promise<void>;

/** For callers that write nothing. */
export const alone = async (): Promise<void> => {};
