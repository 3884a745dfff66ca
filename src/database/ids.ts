import { NEWEST } from '../common/ids.js';

/** The condition for a row's id, or none for `newest`: the ids' order is that of time. */
export const idOrNewest = (id: string): { readonly id?: string } => (id === NEWEST ? {} : { id });

/** The lowest id of that moment. */
export const idAt = (moment: Date): string => {
  // No id is older than the time that ids begin with.
  const hex = Math.max(moment.getTime(), 0).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};
