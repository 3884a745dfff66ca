/**
 * What a map says of a word out of the database; undefined where a later version, which runs beside this
 * one, has written a word that this one does not know.
 */
export const knownOf = <K extends string, V>(
  map: Readonly<Record<K, V>>,
  word: K,
): V | undefined => (Object.hasOwn(map, word) ? map[word] : undefined);

/** `of_a_later_version` as a person writes it. */
export const plainWord = (word: string): string => word.replaceAll(/[_-]/g, ' ');
