/** The items of `a` that are not in `b`, each as often as it is missing; equal keys are equal items. */
export function without<Item extends { key: string }>(a: readonly Item[], b: readonly { key: string }[]): Item[] {
  const counts = new Map<string, number>();
  for (const { key } of b) counts.set(key, (counts.get(key) ?? 0) + 1);
  return a.filter(({ key }) => {
    const left = counts.get(key) ?? 0;
    counts.set(key, left - 1);
    return left <= 0;
  });
}
