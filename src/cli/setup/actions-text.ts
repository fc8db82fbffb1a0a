import type { FileAction } from "../../setup/scaffold.ts";
import type { Style } from "../../view/style.ts";
import { fit, oneLine } from "../../view/text.ts";

const MARKS: Readonly<Record<FileAction["kind"], string>> = {
  create: "+",
  update: "~",
  merge: "~",
  replace: "!",
  move: ">",
  keep: "=",
};

/** What will happen (or happened) to each file, one line each: what changes first, what stays last. */
export function actionLines(
  actions: readonly FileAction[],
  { style, width }: { style: Style; width: number },
): string[] {
  const shown = actions.filter(isShown);
  const ordered = [...shown.filter(({ kind }) => kind !== "keep"), ...shown.filter(({ kind }) => kind === "keep")];
  const widest = Math.max(0, ...ordered.map(({ path }) => path.length)) + 2;
  const column = Math.min(widest, Math.max(34, Math.floor(width / 2)));
  return ordered.map((action) => {
    const path = oneLine(action.path);
    const why = action.kind === "move" ? `to ${action.to}` : action.why;
    const line = fit(`${MARKS[action.kind]} ${path.padEnd(column - 2)}  ${why}`, width);
    const paint =
      action.kind === "keep"
        ? style.dim
        : action.kind === "replace"
          ? style.yellow
          : action.kind === "create"
            ? style.green
            : style.cyan;
    return paint(line);
  });
}

/** How many files of each kind, in words: `7 new, 2 kept`. */
export function actionCounts(actions: readonly FileAction[]): string {
  const count = (...kinds: FileAction["kind"][]) =>
    actions.filter((action) => isShown(action) && kinds.includes(action.kind)).length;
  const parts: (readonly [number, string])[] = [
    [count("create"), "new"],
    [count("update", "merge", "replace"), "changed"],
    [count("move"), "moved"],
    [count("keep"), "kept"],
  ];
  return parts
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${number} ${word}`)
    .join(", ");
}

/** What only keeps a folder or a hash is nobody's business. */
function isShown({ path }: FileAction): boolean {
  return !/\.gitkeep$|\.setup\.json$/.test(path);
}
