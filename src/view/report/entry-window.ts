/** Keeps the first and the last of many texts, which bounds the size of an iteration. */
export type EntryWindow = {
  add(entry: string): void;
  kept(): KeptEntries;
};

/** The kept texts, and the number left out between them. */
export type KeptEntries = { head: string[]; left: number; tail: string[] };

/** @param budget characters to keep; two thirds of them from the start */
export function createEntryWindow(budget: number): EntryWindow {
  const head: string[] = [];
  let tail: string[] = [];
  let headRoom = Math.ceil((budget * 2) / 3);
  const tailBudget = budget - headRoom;
  let tailSize = 0;
  let left = 0;
  return {
    add(entry) {
      if (tail.length === 0 && left === 0 && entry.length <= headRoom) {
        headRoom -= entry.length;
        head.push(entry);
        return;
      }
      tail.push(entry);
      tailSize += entry.length;
      let from = 0;
      while (tailSize > tailBudget && from < tail.length - 1) {
        tailSize -= tail[from]?.length ?? 0;
        from += 1;
      }
      if (from > 0) tail = tail.slice(from);
      left += from;
    },
    kept: () => ({ head, left, tail }),
  };
}

/** Them as HTML. @param where behind the number of those that are left out: how to see them */
export function keptHtml({ head, left, tail }: KeptEntries, where = "."): string {
  const gap = left === 0 ? [] : [`<p class="note gap">${left} entries are left out here${where}</p>`];
  return [...head, ...gap, ...tail].join("\n");
}
