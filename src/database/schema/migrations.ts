import * as all from '../migrations/all.js';

/** Timestamp in milliseconds, the suffix of a migration's name. */
const timestampOf = ({ name }: { readonly name: string }): number => Number(name.slice(-13));

/** In order of execution. */
export const MIGRATIONS = Object.values(all).sort((a, b) => timestampOf(a) - timestampOf(b));
