import type { IterationReceipt } from "../../core/report/report-types.ts";

/** The iterations of one chart column. */
export type Bucket = { rows: IterationReceipt[]; label: string; href: string };

/** More columns than this are indistinguishable. */
const MOST_COLUMNS = 120;

/** The iterations per column, for a total count. */
export function perColumn(iterations: number): number {
  return Math.max(1, Math.ceil(iterations / MOST_COLUMNS));
}

/** The iterations in groups of equal size: of one each, if there is room. */
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
