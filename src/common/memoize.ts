/** Limit, so that arbitrary keys, such as spellings of a zone, cannot fill the memory. */
const KEPT_MAX = 1_000;

/** Memoises an expensive function, such as creating a format, up to a limit. */
export function memoize<Key, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const kept = new Map<Key, Made>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    if (kept.size >= KEPT_MAX) kept.clear();
    const made = make(key);
    kept.set(key, made);
    return made;
  };
}
