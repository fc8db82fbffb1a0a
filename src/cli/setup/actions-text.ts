import { count } from "../../core/text/count.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import type { FileAction } from "../../setup/scaffold.ts";
import type { Style } from "../../view/text/style.ts";
import { columns, fit, wrap } from "../../view/text/text.ts";

const MARKS: Readonly<Record<FileAction["kind"], string>> = {
  create: "+",
  update: "~",
  merge: "~",
  replace: "!",
  move: ">",
  remove: "-",
  restore: "<",
  keep: "=",
};

/** The fewest columns that a reason is shown in. */
const LEAST_WHY = 16;

type Look = {
  style: Style;
  /** Width of a line in columns. */
  width: number;
  /** A git repository is made as well, with these files as its first commit. */
  begins?: boolean;
};

/** The user's own templates from which these files are made. */
export function templatesUsed(actions: readonly FileAction[]): string[] {
  return actions.flatMap((action) => ("template" in action && action.template !== undefined ? [action.template] : []));
}

/** What will happen (or happened) to each file, one by one: changed files first, kept files last, then the user's templates. */
export function actionLines(actions: readonly FileAction[], { style, width, begins = false }: Look): string[] {
  const [small, shown] = split(actions);
  const ordered = [...shown.filter(({ kind }) => kind !== "keep"), ...shown.filter(({ kind }) => kind === "keep")];
  const widest = Math.max(0, ...ordered.map(({ path }) => columns(singleLine(path)))) + 2;
  const column = Math.min(widest, Math.max(34, Math.floor(width / 2)));
  const line = (mark: string, path: string, why: string) => fit(`${mark} ${padded(path, column)}${why}`, width);
  // A truncated reason says less than none.
  const hasRoom = width - column >= LEAST_WHY + 2;
  const changing = ordered.filter(({ kind }) => kind !== "keep").length;
  const lines = ordered.map((action) => {
    const why = action.kind === "move" ? `to ${singleLine(action.to)}` : hasRoom ? action.why : "";
    return painter(action.kind, style)(line(MARKS[action.kind], singleLine(action.path), why));
  });
  const last = begins
    ? [style.green(line(MARKS.create, ".git", hasRoom ? "new, all of this its first commit" : ""))]
    : [];
  const templates = templatesUsed(actions).flatMap((file) => wrap(`From your template ${singleLine(file)}`, width));
  return [
    ...lines.slice(0, changing),
    ...smallLines(small, { style, width }),
    ...last,
    ...lines.slice(changing),
    ...templates,
  ];
}

/** Number of files of each kind, in words: `7 new files, 2 kept`. */
export function actionCounts(actions: readonly FileAction[]): string {
  const of = (...kinds: FileAction["kind"][]) => actions.filter(({ kind }) => kinds.includes(kind)).length;
  const parts: (readonly [number, string])[] = [
    [of("create"), "new"],
    [of("update", "merge", "replace"), "changed"],
    [of("move"), "moved"],
    [of("remove"), "removed"],
    [of("restore"), "restored"],
    [of("keep"), "kept"],
  ];
  return parts
    .filter(([number]) => number > 0)
    .map(([number, word], index) => {
      if (index > 0) return `${number} ${word}`;
      return word === "new" ? count(number, "new file") : `${count(number, "file")} ${word}`;
    })
    .join(", ");
}

/** Separates the files that only keep a folder or a hash: several of them share a line. */
function split(actions: readonly FileAction[]): [small: FileAction[], shown: FileAction[]] {
  const isSmall = ({ kind, path }: FileAction) =>
    (kind === "create" || kind === "update") && /(?:^|\/)\.(?:gitkeep|setup\.json)$/.test(path);
  const small = actions.filter(isSmall);
  return small.length < 2 ? [[], [...actions]] : [small, actions.filter((action) => !isSmall(action))];
}

function smallLines(actions: readonly FileAction[], { style, width }: { style: Style; width: number }): string[] {
  return (["create", "update"] as const).flatMap((kind) => {
    const paths = actions.filter((action) => action.kind === kind).map(({ path }) => singleLine(path));
    if (paths.length === 0) return [];
    const lines = wrap(paths.join(", "), width - 2);
    return lines.map((line, index) => painter(kind, style)(`${index === 0 ? MARKS[kind] : " "} ${line}`));
  });
}

function painter(kind: FileAction["kind"], style: Style): (text: string) => string {
  if (kind === "keep") return style.dim;
  if (kind === "replace" || kind === "remove") return style.yellow;
  return kind === "create" ? style.green : style.cyan;
}

function padded(path: string, column: number): string {
  return `${path}${" ".repeat(Math.max(0, column - columns(path) - 2))}  `;
}
