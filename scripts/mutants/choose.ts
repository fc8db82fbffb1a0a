import { hash, type Mutant } from "./generate.ts";

type Count = { file: string; count: number };

/**
 * At most `most` mutants, as many of each folder, so that a large one does not hide what a small one lacks. What a folder
 * leaves of its share falls to the others.
 * @param folders beginnings of paths, each mutant in one of them
 */
export function chooseEvenly(
  mutants: readonly Mutant[],
  { folders, most, seed }: { folders: readonly string[]; most: number; seed: number },
): Mutant[] {
  const groups = folders
    .map((folder) => mutants.filter(({ file }) => file.startsWith(folder)))
    .toSorted((a, b) => a.length - b.length);
  const chosen = new Set<Mutant>();
  for (const [index, group] of groups.entries()) {
    const share = Math.floor((most - chosen.size) / (groups.length - index));
    for (const mutant of choose(group, share, seed)) chosen.add(mutant);
  }
  return mutants.filter((mutant) => chosen.has(mutant));
}

/**
 * At most `most` mutants, spread over the files by how many each has, and one of each file if there is room. In a file
 * the seed draws them one by one, so that a changed line changes little of what is drawn.
 */
export function choose(mutants: readonly Mutant[], most: number, seed: number): Mutant[] {
  if (mutants.length <= most) return [...mutants];
  const lots = new Map(mutants.map((mutant) => [mutant, hash(seed, mutant.id)]));
  const drawn = (from: readonly Mutant[], count: number) =>
    from.toSorted((a, b) => ((lots.get(a) ?? "") < (lots.get(b) ?? "") ? -1 : 1)).slice(0, count);
  const files = Map.groupBy(mutants, ({ file }) => file);
  const shares = sharesOf(
    [...files].map(([file, { length }]) => ({ file, count: length })),
    most,
  );
  const chosen = new Set(
    drawn(
      [...files].flatMap(([file, all]) => drawn(all, shares.get(file) ?? 0)),
      most,
    ),
  );
  return mutants.filter((mutant) => chosen.has(mutant));
}

/** How many of `most` fall to each file: in proportion, and what is left over to the largest remainders. */
function sharesOf(counts: readonly Count[], most: number): Map<string, number> {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const exact = counts.map(({ file, count }) => ({ file, share: (count * most) / total }));
  const shares = new Map(exact.map(({ file, share }) => [file, Math.max(1, Math.floor(share))]));
  const left = most - [...shares.values()].reduce((sum, share) => sum + share, 0);
  const remainder = ({ share }: { share: number }) => (share < 1 ? 0 : share % 1);
  const next = exact.toSorted((a, b) => remainder(b) - remainder(a)).slice(0, Math.max(0, left));
  for (const { file } of next) shares.set(file, (shares.get(file) ?? 0) + 1);
  return shares;
}
