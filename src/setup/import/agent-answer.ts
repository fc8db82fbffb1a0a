import { parseBox, parseHeading } from "../../core/text/markdown-blocks.ts";
import { visibleLines } from "../../core/text/markdown-lines.ts";
import { holdsTasks, SECTIONS } from "../plan/headings.ts";
import { comparableTitle, idOfBox, isOfTracker, PART_OF, type Priority, type Task, titleOfBox } from "../plan/task.ts";
import { sanitizeLine } from "../sanitize-text.ts";
import { plainTitle } from "./formats/inline.ts";

/** The files of an agent's answer by name, the names that are not allowed, and the unfinished files. */
export type AgentAnswer = { files: Map<string, string>; refused: string[]; unfinished: string[] };

const MAX_FILES = 60;
const MAX_CHARS = 2_000_000;
const SPEC = /^specs\/[A-Za-z0-9][\w-]*(?:\.[\w-]+)*\.md$/;

/** Reads the blocks of an answer. Takes only names that an import may write, whatever the answer contains. */
export function parseAgentAnswer(text: string, mark: string): AgentAnswer {
  const answer: AgentAnswer = { files: new Map(), refused: [], unfinished: [] };
  let open: { name: string; lines: string[] } | null = null;
  for (const line of text.replace(/\r\n?/g, "\n").split("\n")) {
    const name = startOf(line, mark);
    if (name !== null) {
      if (open !== null) answer.unfinished.push(open.name);
      open = { name, lines: [] };
    } else if (open !== null && line.trim() === `>>>END ${mark}`) {
      take(answer, open.name, open.lines);
      open = null;
    } else open?.lines.push(line);
  }
  if (open !== null) answer.unfinished.push(open.name);
  return answer;
}

function startOf(line: string, mark: string): string | null {
  const start = `<<<FILE ${mark} `;
  return line.trim().startsWith(start)
    ? sanitizeLine(line.trim().slice(start.length).replace(/[`"']/g, ""), 200)
    : null;
}

function take(answer: AgentAnswer, name: string, lines: readonly string[]): void {
  const path = name
    .replace(/^\.\//, "")
    .replace(/^\.ralph\//, "")
    .replace(/^fix_plan\.md$/, "@fix_plan.md");
  const content = `${unfenced(lines).join("\n").trim()}\n`;
  const isAllowed = path === "goal.md" || path === "@fix_plan.md" || SPEC.test(path);
  if (
    !isAllowed ||
    path.toLowerCase() === "specs/readme.md" ||
    answer.files.size >= MAX_FILES ||
    content.length > MAX_CHARS
  )
    answer.refused.push(name);
  else if (content.trim() === "") answer.unfinished.push(path);
  else answer.files.set(path, content);
}

/** Some agents put the whole file into a code fence. */
function unfenced(lines: readonly string[]): readonly string[] {
  const text = lines.join("\n").trim();
  const inner = /^(`{3,}|~{3,})(?:markdown|md)?[ \t]*\n([\s\S]*)\n\1$/.exec(text);
  return inner?.[2] === undefined || inner[2].includes(inner[1] ?? "```") ? lines : inner[2].split("\n");
}

/**
 * The boxes of a plan as tasks: their sections become priorities, other headings their groups, the lines below them details; one
 * below another names that one.
 * A name in brackets that several boxes share is a label of theirs, and no id.
 */
export function tasksOfPlan(plan: string): Task[] {
  const tasks: (Task & { details: string[] })[] = [];
  const lines = [...visibleLines(plan)].map(({ text }) => ({ text, heading: parseHeading(text) }));
  const isTitled = lines.filter(({ heading }) => heading?.level === 1).length === 1;
  const isLabel = labelsOf(lines.flatMap(({ text }) => parseBox(text)?.text ?? []));
  let priority: Priority = "high";
  let group: string | null = null;
  /** The boxes that the next one may be a part of, the outermost first. */
  let above: { indent: number; title: string }[] = [];
  for (const { text, heading } of lines) {
    if (heading !== null) {
      const title = heading.title.replace(/[*_`:]/g, "").trim();
      const found = (["high", "medium", "low", "optional"] as const).find((one) => SECTIONS[one].match.test(title));
      priority = found ?? priority;
      const isGroup = found === undefined && holdsTasks(title) && !(isTitled && heading.level === 1);
      above = [];
      group = isGroup ? sanitizeLine(plainTitle(heading.title), 200) : null;
      continue;
    }
    const box = parseBox(text);
    if (box !== null && box.text.trim() !== "") {
      const id = idOfBox(box.text);
      const asLabel = id !== null && isLabel(id);
      const title = sanitizeLine(asLabel ? box.text : titleOfBox(box.text), 300);
      const indent = box.before.search(/\S/);
      above = above.filter((one) => one.indent < indent);
      const details = above.slice(-1).map((one) => `${PART_OF}${one.title}`);
      above.push({ indent, title });
      const task = { id: asLabel ? null : id, title, priority, done: box.isDone, details };
      tasks.push(group === null || group === "" ? task : { ...task, group });
    } else if (/^\s+(?:>|[-*+])?\s*\S/.test(text))
      tasks.at(-1)?.details.push(sanitizeLine(text.replace(/^\s*(?:>|[-*+])?\s*/, ""), 300));
  }
  return tasks;
}

/** Whether a tracker's id stands before different titles, which it cannot. */
function labelsOf(texts: readonly string[]): (id: string) => boolean {
  const titles = new Map<string, Set<string>>();
  for (const text of texts) {
    const id = idOfBox(text)?.toLowerCase();
    if (id !== undefined) titles.set(id, (titles.get(id) ?? new Set()).add(comparableTitle(titleOfBox(text))));
  }
  return (id) => isOfTracker(id) && !id.startsWith("#") && (titles.get(id.toLowerCase())?.size ?? 0) > 1;
}

/** The goal as a quotation for the prompt: a few lines of plain text. */
export function goalText(text: string): string {
  const lines = text
    .split("\n")
    .filter((line) => !/^\s*(?:#|```|~~~|<!--|---)/.test(line))
    .map((line) => sanitizeLine(line.replace(/^\s*>\s?/, ""), 1000))
    .filter((line) => line !== "");
  return lines
    .slice(0, 8)
    .map((line) => `> ${line}`)
    .join("\n");
}
