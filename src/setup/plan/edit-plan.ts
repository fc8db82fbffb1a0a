import { parseBox, parseHeading } from "../../core/text/markdown-blocks.ts";
import { sanitizeLine, uncommented } from "../sanitize-text.ts";
import { endBelow, type Heading, headingsOf, NOTES, type PlanSection, SECTIONS } from "./headings.ts";
import { insert } from "./insert.ts";
import { comparableTitle, type Priority } from "./task.ts";

/** A longer task belongs into a file that the task names. */
const MAX_TASK_CHARS = 1000;

/** A line of a plan, and the line end behind it; the last one has none. */
type Line = { text: string; end: string };

/** Where a new task goes. Lines count from 1. */
export type Place =
  /** Behind the last open task, so that it is done last of what is due; without any, where tasks go. */
  | { kind: "last"; openLines: readonly number[] }
  | { kind: "priority"; priority: Priority }
  | { kind: "section"; title: string }
  | { kind: "before" | "after"; line: number };

/** The plan with a change, and where the task stands now (line from 1); null if the plan has no such place. */
export type PlanEdit = { text: string; line: number } | null;

/**
 * Ticks or unticks the box of a line; all else stays byte for byte. Null if that line is no plain box.
 * @param line from 1
 */
export function markTask(plan: string, line: number, isDone: boolean): PlanEdit {
  return changeBox(plan, line, ({ before, after, text }) => `${before}${isDone ? "x" : " "}${after}${text}`);
}

/** Replaces the words of a box; a comment behind them stays. Null if that line is no plain box. */
export function rewordTask(plan: string, line: number, words: string): PlanEdit {
  return changeBox(plan, line, ({ before, mark, after, text }) => {
    const comment = /\s*<!--(?:(?!-->).)*-->\s*$/.exec(text)?.[0] ?? "";
    return `${before}${mark}${after === "]" ? "] " : after}${taskText(words)}${comment}`;
  });
}

/** Adds an open task. Null if the plan lacks the section, or the line is no plain box. */
export function addTask(plan: string, words: string, place: Place): PlanEdit {
  const lines = splitPlan(plan);
  const title = taskText(words);
  if (place.kind === "priority") return addByPriority(lines, title, place.priority);
  if (place.kind === "section") {
    const headings = headingsOf(lines.map(({ text }) => text));
    const found = headings.find((heading) => comparableTitle(heading.title) === comparableTitle(place.title));
    if (found === undefined) return null;
    return putInSection(lines, { headings, found }, [`- [ ] ${title}`]);
  }
  const last = place.kind === "last" ? Math.max(0, ...place.openLines) : place.line;
  const box = parseBox(lines[last - 1]?.text ?? "");
  if (box === null) {
    return place.kind === "last" ? addFirst(lines, title) : null;
  }
  if (place.kind === "before") return put(lines, last - 1, [`${box.before} ] ${title}`]);
  const owner = place.kind === "last" ? outermost(lines, last - 1) : last - 1;
  const { before } = parseBox(lines[owner]?.text ?? "") ?? box;
  return put(lines, endOfTask(lines, owner), [`${before} ] ${title}`]);
}

/** The task that a box is a part of, over all others: what is done with that one does not concern a task behind it. */
function outermost(lines: readonly Line[], box: number): number {
  let found = box;
  for (let at = box - 1; at >= 0; at -= 1) {
    const text = lines[at]?.text ?? "";
    if (parseHeading(text) !== null) break;
    if (parseBox(text) !== null && endOfTask(lines, at) > box) found = at;
  }
  return found;
}

/**
 * Moves a task, with the lines that belong to it, before another. Null if a line is no plain box, or the one lies within the
 * other.
 * @param line from 1
 * @param before from 1
 */
export function moveTask(plan: string, line: number, before: number): PlanEdit {
  const lines = splitPlan(plan);
  const [from, to] = [line - 1, before - 1];
  const end = endOfTask(lines, from);
  const [own, other] = [lines[from], lines[to]].map((one) => (one === undefined ? null : parseBox(one.text)));
  if (own == null || other == null || (to >= from && to < end)) return null;
  const [oldIndent = "", indent = ""] = [own.before, other.before].map((text) => /^\s*/.exec(text)?.[0] ?? "");
  const shifted = (text: string) => (text.trim() === "" ? text : `${indent}${text.slice(oldIndent.length)}`);
  const block = lines.slice(from, end).map(({ text }) => (text.startsWith(oldIndent) ? shifted(text) : text));
  return put(without(lines, from, end), to > from ? to - (end - from) : to, block, endOfLines(lines));
}

/**
 * Moves a task, with the lines that belong to it, to the end of the section whose tasks do not block "done". Null if the line is
 * no plain box.
 * @param line from 1
 * @param titles of such sections; without one in the plan the first is made at its end
 */
export function skipTask(plan: string, line: number, titles: readonly [string, ...string[]]): PlanEdit {
  const lines = splitPlan(plan);
  const from = line - 1;
  const box = parseBox(lines[from]?.text ?? "");
  if (box === null) return null;
  const end = endOfTask(lines, from);
  const indent = /^\s*/.exec(box.before)?.[0] ?? "";
  const block = lines.slice(from, end).map(({ text }) => (text.startsWith(indent) ? text.slice(indent.length) : text));
  const rest = without(lines, from, end);
  const headings = headingsOf(rest.map(({ text }) => text));
  const wanted = new Set(titles.map(comparableTitle));
  const found = headings.find(({ title }) => wanted.has(comparableTitle(title)));
  if (found !== undefined) return putInSection(rest, { headings, found }, block, endOfLines(lines));
  let at = rest.length;
  while (at > 0 && (rest[at - 1]?.text ?? "").trim() === "") at -= 1;
  return put(rest, at, ["", `## ${titles[0]}`, "", ...block], endOfLines(lines));
}

/** Puts lines at the end of a section, before its own sub-headings. */
function putInSection(
  lines: readonly Line[],
  { headings, found }: { headings: readonly Heading[]; found: Heading },
  added: readonly string[],
  end = endOfLines(lines),
): PlanEdit {
  let at = endBelow(headings, found, lines.length);
  at = Math.min(at, headings.find(({ line }) => line > found.line)?.line ?? at);
  while (at > found.line + 1 && (lines[at - 1]?.text ?? "").trim() === "") at -= 1;
  return put(lines, at, at === found.line + 1 ? ["", ...added] : added, end);
}

/** The lines but for some; the last one of the plan keeps to have no line end. */
function without(lines: readonly Line[], from: number, end: number): Line[] {
  const rest = lines.toSpliced(from, end - from);
  const last = rest.at(-1);
  if (last !== undefined && end === lines.length) last.end = "";
  return rest;
}

/** The box of a task that was copied from a plan. */
const PASTED_BOX = /^\s*(?:[-*+]|\d+[.)])\s+\[[ xX]\](?:\s+|$)/;

/** A task on one line, without a box that came with it, which no comment can hide. */
export function taskText(words: string): string {
  return uncommented(sanitizeLine(words.replace(PASTED_BOX, ""), MAX_TASK_CHARS));
}

function changeBox(
  plan: string,
  line: number,
  change: (box: NonNullable<ReturnType<typeof parseBox>>) => string,
): PlanEdit {
  const lines = splitPlan(plan);
  const found = lines[line - 1];
  const box = found === undefined ? null : parseBox(found.text);
  if (found === undefined || box === null) return null;
  found.text = change(box);
  return { text: joinPlan(lines), line };
}

/** The one open task of a plan: in its first section for tasks, else at the end, but above what is no work to come. */
function addFirst(lines: readonly Line[], title: string): PlanEdit {
  const headings = headingsOf(lines.map(({ text }) => text));
  const isOf = (section: PlanSection) => (heading: Heading) => SECTIONS[section].match.test(heading.title);
  const priority = (["high", "medium", "low"] as const).find((one) => headings.some(isOf(one)));
  if (priority !== undefined) return addByPriority(lines, title, priority);
  const beyond = headings.find(
    (heading) => isOf("optional")(heading) || isOf("completed")(heading) || NOTES.test(heading.title),
  );
  const isClosed = lines.at(-1)?.text === "";
  let at = beyond?.line ?? (isClosed ? lines.length - 1 : lines.length);
  if (beyond === undefined) return put(lines, at, [`- [ ] ${title}`]);
  while (at > 0 && (lines[at - 1]?.text ?? "").trim() === "") at -= 1;
  const above = lines[at - 1]?.text;
  const isList = above === undefined || parseBox(above) !== null;
  return put(lines, at, [...(isList ? [] : [""]), `- [ ] ${title}`, ...(at === beyond.line ? [""] : [])]);
}

/** In the section of a priority, which is made if the plan has none. */
function addByPriority(lines: readonly Line[], title: string, priority: Priority): PlanEdit {
  const texts = lines.map(({ text }) => text);
  insert(texts, [{ id: null, title, priority, done: false, details: [] }]);
  // Lines were only added, so the old ones are found again in their order.
  let next = 0;
  let line = 0;
  const result = texts.map((text, index): Line => {
    const old = lines[next];
    if (old?.text === text) {
      next += 1;
      return { ...old };
    }
    if (text === `- [ ] ${title}`) line = index + 1;
    return { text, end: endOfLines(lines) };
  });
  return { text: joinPlan(withEnds(result, endOfLines(lines))), line };
}

/** Puts lines before the one at an index. */
function put(lines: readonly Line[], index: number, added: readonly string[], end = endOfLines(lines)): PlanEdit {
  const fresh = added.map((text): Line => ({ text, end }));
  const all = lines.toSpliced(index, 0, ...fresh);
  const last = all.at(-1);
  // A plan that ends without a line end still does.
  if (index === lines.length && last !== undefined) last.end = "";
  const line = index + 1 + added.findIndex((text) => parseBox(text) !== null);
  return { text: joinPlan(withEnds(all, end)), line };
}

/** Only the last line may have no line end. */
function withEnds(lines: readonly Line[], end: string): Line[] {
  return lines.map((line, at) => (line.end === "" && at < lines.length - 1 ? { ...line, end } : line));
}

/** The index behind a box and the lines that belong to it: those that are indented more, with the blank ones between them. */
function endOfTask(lines: readonly Line[], from: number): number {
  const indent = (text: string) => /^\s*/.exec(text)?.[0].length ?? 0;
  const own = indent(lines[from]?.text ?? "");
  let end = from + 1;
  for (let at = end; at < lines.length; at += 1) {
    const text = lines[at]?.text ?? "";
    if (text.trim() === "") continue;
    if (indent(text) <= own) break;
    end = at + 1;
  }
  return end;
}

/** The line end that most lines have. */
function endOfLines(lines: readonly Line[]): string {
  const counts = Map.groupBy(
    lines.filter(({ end }) => end !== ""),
    ({ end }) => end,
  );
  return [...counts].sort(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? "\n";
}

/** The lines as `visibleLines` numbers them. */
function splitPlan(plan: string): Line[] {
  const parts = plan.split(/(\r\n|\n|\r)/);
  return parts.flatMap((text, at) => (at % 2 === 0 ? [{ text, end: parts[at + 1] ?? "" }] : []));
}

function joinPlan(lines: readonly Line[]): string {
  return lines.map(({ text, end }) => text + end).join("");
}
