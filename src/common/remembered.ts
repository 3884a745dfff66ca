/** Whoever asks for ever new keys, such as spellings of a zone, fills no memory. */
const KEPT_MAX = 1_000;

/** What is dear to make, such as a format, made once for each key while not too many are kept. */
export function remembered<Key, Made>(make: (key: Key) => Made): (key: Key) => Made {
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
