import { likeness, wordsOf } from "../text/likeness.ts";
import type { ParsedPlan, PlanBox } from "./fix-plan.ts";

/** A box with other words than before. */
export type Rewording = { from: string; to: string };

/** What became of the boxes of a plan that were open. */
export type BoxChanges = {
  /** How many of them are ticked now, in other words too. */
  ticks: number;
  reworded: Rewording[];
  /** Texts of required ones that are neither ticked nor open any more: gone, optional, or with another mark, such as `[~]`. */
  takenOff: string[];
};

/** More are compared by their order alone. The agent controls both, and must not keep ralph busy for minutes. */
const MOST_COMPARED = 200;
/** The share of the words of the shorter text that makes two texts alike. */
const ALIKE = 0.6;

/** Compares a plan with an earlier state of it. Nothing is said where one of them is unknown. */
export function boxChanges(before: ParsedPlan | null, after: ParsedPlan | null): BoxChanges {
  if (before === null || after === null) return { ticks: 0, reworded: [], takenOff: [] };
  const now = Map.groupBy(after.boxes, ({ text }) => text);
  const takenOff: string[] = [];
  const gone: PlanBox[] = [];
  let ticks = 0;
  // Ticked ones first: of two boxes with the same words the ticked one is the one that was.
  for (const box of before.boxes.toSorted((a, b) => Number(b.isDone) - Number(a.isDone))) {
    const same = now.get(box.text) ?? [];
    const found = findSame(box, same);
    if (found >= 0) {
      const [one] = same.splice(found, 1);
      if (one?.isDone === true && !box.isDone) ticks += 1;
    } else if (!box.isDone && same.length > 0) takenOff.push(same.splice(0, 1)[0]?.text ?? box.text);
    else if (!box.isDone) gone.push(box);
  }
  const { reworded, lost, ticked } = pair(gone, [...now.values()].flat());
  ticks += ticked;
  return {
    ticks,
    reworded,
    takenOff: [...takenOff, ...lost.filter(({ optional }) => !optional).map(({ text }) => text)],
  };
}

/** Those of the texts for which a plan still has no box that is ticked or required. */
export function stillTakenOff(texts: readonly string[], plan: ParsedPlan | null): string[] {
  if (plan === null || texts.length === 0) return [...texts];
  const boxes = plan.boxes.filter(({ isDone, optional }) => isDone || !optional);
  const there = boxes.map(({ text }) => ({ text, words: wordsOf(text) }));
  return texts.filter((text) => {
    const words = [...wordsOf(text)];
    return !there.some((one) => one.text === text || (words.length > 0 && words.every((word) => one.words.has(word))));
  });
}

/** Which of the boxes with the same words a box is now; -1 if a required one is optional at best. */
function findSame(box: PlanBox, same: readonly PlanBox[]): number {
  const isSame = [
    (one: PlanBox) => one.isDone === box.isDone && one.optional === box.optional,
    (one: PlanBox) => one.isDone || !one.optional,
    () => box.isDone || box.optional,
  ];
  for (const is of isSame) {
    const found = same.findIndex(is);
    if (found >= 0) return found;
  }
  return -1;
}

/** Boxes that are gone with those that are new: by their words, and open ones without a like in their order. */
function pair(
  gone: readonly PlanBox[],
  fresh: readonly PlanBox[],
): { reworded: Rewording[]; lost: PlanBox[]; ticked: number } {
  const reworded: Rewording[] = [];
  let ticked = 0;
  const left = new Set(fresh);
  const candidates = fresh.slice(0, MOST_COMPARED).map((box) => ({ box, words: wordsOf(box.text) }));
  const alone = gone.filter((box, at) => {
    if (at >= MOST_COMPARED) return true;
    const words = wordsOf(box.text);
    const free = candidates.filter((one) => left.has(one.box));
    const like = free
      .map((one) => ({ box: one.box, ...likeness(words, one.words) }))
      .filter(({ share }) => share >= ALIKE);
    const [best] = like.sort((a, b) => b.ofBoth - a.ofBoth);
    if (best === undefined) return true;
    left.delete(best.box);
    if (best.box.isDone) ticked += 1;
    reworded.push({ from: box.text, to: best.box.text });
    return false;
  });
  const open = [...left].filter(({ isDone }) => !isDone);
  const lost = alone.filter((box, at) => {
    const other = open[at];
    if (other !== undefined) reworded.push({ from: box.text, to: other.text });
    return other === undefined;
  });
  return { reworded, lost, ticked };
}
