import { parseBox, parseHeading } from "../../core/text/markdown-blocks.ts";
import { visibleLines } from "../../core/text/markdown-lines.ts";
import { SECTIONS } from "../plan/headings.ts";
import { idOfBox, type Priority, type Task, titleOfBox } from "../plan/task.ts";
import { sanitizeLine } from "../sanitize-text.ts";

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

/** A slip that agents make; without the blank it would be no box. */
const EMPTY_BRACKETS = /^(\s*[-*+]\s+)\[\](?=\s)/;

/** The boxes of a plan as tasks: their sections become priorities, the lines below them details. */
export function tasksOfPlan(plan: string): Task[] {
  const tasks: (Task & { details: string[] })[] = [];
  let priority: Priority = "high";
  for (const { text } of visibleLines(plan)) {
    const title = parseHeading(text)
      ?.title.replace(/[*_`:]/g, "")
      .trim();
    if (title !== undefined) {
      priority =
        (["high", "medium", "low", "optional"] as const).find((one) => SECTIONS[one].match.test(title)) ?? priority;
      continue;
    }
    const box = parseBox(text.replace(EMPTY_BRACKETS, "$1[ ]"));
    if (box !== null && box.text.trim() !== "")
      tasks.push({
        id: idOfBox(box.text),
        title: sanitizeLine(titleOfBox(box.text), 300),
        priority,
        done: box.isDone,
        details: [],
      });
    else if (/^\s+(?:>|[-*+])?\s*\S/.test(text))
      tasks.at(-1)?.details.push(sanitizeLine(text.replace(/^\s*(?:>|[-*+])?\s*/, ""), 300));
  }
  return tasks;
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
