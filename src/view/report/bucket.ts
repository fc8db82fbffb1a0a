import type { IterationReceipt } from "../../core/report/report-types.ts";

/** Iterations that one column of a chart stands for. */
export type Bucket = { rows: IterationReceipt[]; label: string; href: string };

/** More columns than this cannot be told apart. */
const MOST_COLUMNS = 120;

/** How many of so many iterations one column stands for. */
export function perColumn(iterations: number): number {
  return Math.max(1, Math.ceil(iterations / MOST_COLUMNS));
}

/** The iterations in equal groups, each of one where there is room. */
export function bucketsOf(rows: readonly IterationReceipt[]): Bucket[] {
  const size = perColumn(rows.length);
  const buckets: Bucket[] = [];
  for (let at = 0; at < rows.length; at += size) {
    const group = rows.slice(at, at + size);
    const first = group[0]?.number ?? 0;
    const last = group.at(-1)?.number ?? 0;
    const label = first === last ? `Iteration ${first}` : `Iterations ${first}–${last}`;
    buckets.push({ rows: group, label, href: `#i${first}` });
  }
  return buckets;
}

/** The sum of a figure over the iterations of a column. */
export function sum({ rows }: Bucket, figure: (row: IterationReceipt) => number | null): number {
  return rows.reduce((total, row) => total + (figure(row) ?? 0), 0);
}
