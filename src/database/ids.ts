import { NEWEST } from '../common/ids.js';

/** Condition on a row's id; none for `newest`, because ids are sorted by time. */
export const idOrNewest = (id: string): { readonly id?: string } => (id === NEWEST ? {} : { id });

/** The lowest id with that timestamp. */
export const idAt = (moment: Date): string => {
  // Ids cannot be older than the Unix epoch.
  const hex = Math.max(moment.getTime(), 0).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};
