/** Returns a function that numbers names it has seen before: `name (2)`. The time for each does not depend on how many. */
export function distinctNames(): (name: string) => string {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return (name) => {
    let distinct = name;
    let count = counts.get(name) ?? 1;
    while (taken.has(distinct)) distinct = `${name} (${(count += 1)})`;
    counts.set(name, count);
    taken.add(distinct);
    return distinct;
  };
}
