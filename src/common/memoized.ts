/** Computes a value once per object, as long as the object lives. */
export function memoized<Key extends object, Value>(of: (key: Key) => Value): (key: Key) => Value {
  const found = new WeakMap<Key, Value>();
  return (key) => {
    if (!found.has(key)) found.set(key, of(key));
    return found.get(key) as Value;
  };
}
