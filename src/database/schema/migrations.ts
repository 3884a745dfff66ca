import * as all from '../migrations/all.js';

/** Milliseconds, with which the name of each migration ends. */
const timestampOf = ({ name }: { readonly name: string }): number => Number(name.slice(-13));

/** In the order in which they run. */
export const MIGRATIONS = Object.values(all).sort((a, b) => timestampOf(a) - timestampOf(b));
