/**
 * Returns a function that computes a value once for each object, and keeps it as long as the object: for what several steps ask
 * of one page.
 *
 * @param compute returns the value; one that is undefined is computed again
 */
export function onceFor<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>()
  return (key) => {
    let value = known.get(key)
    if (value === undefined) known.set(key, (value = compute(key)))
    return value
  }
}
