/**
 * Splits items into chunks of at most `size`, for statements that must not take long. Items with the same key stay
 * together, even if they are more.
 */
export function* chunksByKey<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  size: number,
): Generator<Item[]> {
  let chunk: Item[] = [];
  for (const group of Map.groupBy(items, keyOf).values()) {
    if (chunk.length > 0 && chunk.length + group.length > size) {
      yield chunk;
      chunk = [];
    }
    chunk = chunk.length === 0 ? group : [...chunk, ...group];
  }
  if (chunk.length > 0) yield chunk;
}
