import { CREATING } from './creating.js';
import { ENDING } from './ending.js';
import { READING } from './reading.js';
import type { Work } from './work.js';

/** The reading ones first: what is written grows the tables that they read. */
export const WORKS: readonly Work[] = [...READING, ...CREATING, ...ENDING];
