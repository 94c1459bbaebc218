/** Remembers the result for each object as long as somebody else uses it too, because it can take megabytes. */
export function whileUsed<K extends object, V extends object>(compute: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, WeakRef<V>>();
  return (key) => {
    const found = known.get(key)?.deref() ?? compute(key);
    known.set(key, new WeakRef(found));
    return found;
  };
}
