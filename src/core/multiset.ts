/** How often each value is among these. */
export function countEach<Value>(values: Iterable<Value>): Map<Value, number> {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** The items of `a` that are not in `b`, each as often as it is missing; equal keys are equal items. */
export function without<Item extends Other, Other>(
  a: readonly Item[],
  b: readonly Other[],
  keyOf: (item: Other) => string,
): Item[] {
  const left = countEach(b.map(keyOf));
  return a.filter((item) => {
    const key = keyOf(item);
    const known = left.get(key) ?? 0;
    left.set(key, known - 1);
    return known <= 0;
  });
}
