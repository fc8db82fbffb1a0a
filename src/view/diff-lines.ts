import type { FileDiff } from "../core/diff/file-diff.ts";
import type { DiffPart, RunDiff } from "../core/diff/run-diff.ts";
import { count } from "../core/text/count.ts";
import { singleLine } from "../core/text/plain-text.ts";
import { lineFigures, shortId } from "./text/figures.ts";
import { fitPath } from "./text/path.ts";
import type { Look, Style } from "./text/style.ts";
import { columns, plain, wrap } from "./text/text.ts";

/** A file with more lines than this is told in a line on a terminal, which has no way back to what scrolled off. */
const MOST_LINES = 400;
/** The widest bar of `--stat`, in columns. */
const BAR = 30;
/** Columns of a row of `--stat` beside the name and the bar, which may be one too wide. */
const STAT_COLUMNS = 11;

/** Why a diff is not that of the commits. */
export const COMMITS_UNREADABLE =
  "Commits of this run cannot be read here any more, so what the agent's tools reported stands in.";

/**
 * `ralph diff`: the changes as unified diffs. In a pipe they are a patch: the headings are no part of it for `git apply`.
 * `width` is Infinity for a pipe or a file, which gets every line as it is.
 */
export function diffTextLines(diff: RunDiff, options: Look): string[] {
  const { style, width } = options;
  const isCut = Number.isFinite(width);
  const parts = diff.parts.flatMap((part) => [
    ...heading(part, options),
    ...part.files.flatMap((file) =>
      isCut && file.lines.length > MOST_LINES ? [fileInALine(file, style)] : paintedDiff(file, style, isCut),
    ),
    "",
  ]);
  return [...unreadable(diff, options), ...parts, ...(isCut ? [totalLine(diff, style)] : [])];
}

/** `ralph diff --stat`: a row for each file. */
export function diffStatLines(diff: RunDiff, options: Look): string[] {
  const most = Math.max(1, ...diff.parts.flatMap(({ files }) => files.map(({ added, removed }) => added + removed)));
  return [
    ...unreadable(diff, options),
    ...diff.parts.flatMap((part) => [...heading(part, options), ...statRows(part.files, most, options), ""]),
    totalLine(diff, options.style),
  ];
}

/** The lines of a file's diff in colour. @param clean whether control characters and tabs are replaced, as a terminal needs */
export function paintedDiff({ lines }: Pick<FileDiff, "lines">, style: Style, clean: boolean): string[] {
  let isHeader = true;
  return lines.map((line) => {
    if (line.startsWith("@@")) isHeader = false;
    const text = clean ? plain(line) : line;
    if (isHeader) return style.bold(text);
    if (line.startsWith("@@")) return style.cyan(text);
    return line.startsWith("+") ? style.green(text) : line.startsWith("-") ? style.red(text) : text;
  });
}

function heading({ source, commits }: DiffPart, { style, width }: Look): string[] {
  if (source === "commits" || source === "checkpoints")
    return commits.flatMap(({ id, subject }) =>
      wrap(`commit ${shortId(id)} ${singleLine(subject ?? "")}`.trimEnd(), width).map(style.yellow),
    );
  const words =
    source === "work_tree"
      ? "Not committed: the files as they are now, against HEAD."
      : "As the agent's tools reported it; where in a file an edit stands is not known.";
  return wrap(words, width).map(style.yellow);
}

function unreadable({ commits_unreadable }: RunDiff, { style, width }: Look): string[] {
  if (!commits_unreadable) return [];
  return [...wrap(`! ${COMMITS_UNREADABLE}`, width).map(style.yellow), ""];
}

function fileInALine({ lines, added, removed, path }: FileDiff, style: Style): string {
  return `${style.bold(singleLine(path))} ${lineFigures(added, removed, style)} ${style.dim(`${lines.length} lines; whole in a pipe: ralph diff | less`)}`;
}

function statRows(files: readonly FileDiff[], most: number, { style, width }: Look): string[] {
  const names = files.map(({ path, from }) => singleLine(from === null ? path : `${from} → ${path}`));
  const widest = Math.min(BAR, Math.floor(width / 4));
  const room = Math.min(Math.max(0, ...names.map(columns)), width - widest - STAT_COLUMNS);
  const bar = (lines: number) => (lines === 0 ? 0 : Math.max(1, Math.floor((lines / most) * widest)));
  return files.map(({ added, removed, omitted, change }, at) => {
    const name = fitPath(names[at] ?? "", room);
    const gap = " ".repeat(Math.max(0, room - columns(name)));
    const what = omitted ?? (added + removed === 0 ? change : null);
    if (what !== null) return `  ${name}${gap}  ${style.dim(what)}`;
    const drawn = `${style.green("+".repeat(bar(added)))}${style.red("-".repeat(bar(removed)))}`;
    return `  ${name}${gap}  ${String(added + removed).padStart(5)} ${drawn}`;
  });
}

function totalLine({ parts }: RunDiff, style: Style): string {
  const files = parts.flatMap((part) => part.files);
  const sum = (which: "added" | "removed") => files.reduce((all, file) => all + file[which], 0);
  const paths = new Set(files.map(({ path }) => path));
  return `${count(paths.size, "file")} ${lineFigures(sum("added"), sum("removed"), style)}`.trimEnd();
}
