/** Looks up a value from the database; undefined for a value that a later version, running in parallel, has written. */
export const knownOf = <K extends string, V>(
  map: Readonly<Record<K, V>>,
  word: K,
): V | undefined => (Object.hasOwn(map, word) ? map[word] : undefined);

/** Turns `of_a_later_version` into readable words. */
export const plainWord = (word: string): string => word.replaceAll(/[_-]/g, ' ');
