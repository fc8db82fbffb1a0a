import { type CommandPart, commandParts } from "../text/command-parts.ts";
import { splitLines } from "../text/text-lines.ts";
import { clipCodePoints } from "../text/truncate.ts";

/** A tool call that the agent's CLI refused. */
export type Denial = { readonly tool: string; readonly command: string | null; readonly toolUseId: string | null };

const COMMAND_CHARS = 60;
/**
 * These commands only read or pass data on, so they need no permission of their own beside a covered part (product.md
 * "Compound denial").
 */
const FILTERS = new Set([
  "cat",
  "head",
  "tail",
  "grep",
  "sort",
  "uniq",
  "wc",
  "cut",
  "tr",
  "tee",
  "echo",
  "cd",
  "true",
]);

/** A denial's name in lists: `Bash(<first line, at most 60 characters>)` or the tool's name (interfaces.md). */
export function denialName({ tool, command }: Denial): string {
  const line = splitLines(command ?? "")
    .find((one) => one.trim() !== "")
    ?.trim();
  return tool === "Bash" && line !== undefined ? `Bash(${clipCodePoints(line, COMMAND_CHARS)})` : tool;
}

/**
 * Denials as people and agents read them: a command of as many characters as a name holds was cut there, as far as the name can
 * tell.
 */
export function shownDenials(names: readonly string[]): string[] {
  return names.map((name) => {
    const command = /^Bash\(([\s\S]*)\)$/.exec(name)?.[1] ?? "";
    return [...command].length < COMMAND_CHARS ? name : `Bash(${command}…)`;
  });
}

/**
 * Whether a denial is only advice to the agent: a denied pipeline or list whose parts are all allowed should run part
 * by part. A denied single command is a denial, allowed or not.
 * @param allowedTools the patterns of ALLOWED_TOOLS
 */
export function isCompoundAdvice({ tool, command }: Denial, allowedTools: readonly string[]): boolean {
  if (tool !== "Bash" || command === null) return false;
  const parts = commandParts(command);
  if (parts === null || parts.length < 2) return false;
  const covered = (part: CommandPart): boolean => allowedTools.some((pattern) => covers(pattern, part.text));
  return parts.some(covered) && parts.every((part) => covered(part) || isFilter(part));
}

function isFilter({ text, redirects }: CommandPart): boolean {
  return !redirects && FILTERS.has(text.split(/\s/, 1)[0] ?? "");
}

/** Whether an entry of the allow list covers a command: `*`, `Bash`, `Bash(npm test)`, `Bash(npm *)`, `Bash(npm:*)`. */
function covers(pattern: string, command: string): boolean {
  const entry = pattern.trim();
  if (entry === "*" || entry === "Bash") return true;
  if (!entry.startsWith("Bash(") || !entry.endsWith(")")) return false;
  const inner = entry.slice("Bash(".length, -1).trim();
  const prefix = / \*$|:\*$/.test(inner) ? inner.slice(0, -2) : null;
  if (prefix !== null && !prefix.includes("*")) return command === prefix || command.startsWith(`${prefix} `);
  return globCovers(inner, command);
}

/** `*` matches any characters; the pieces between are matched from left to right. */
function globCovers(glob: string, text: string): boolean {
  const [first = "", ...rest] = glob.split("*");
  const last = rest.pop();
  if (last === undefined) return text === glob;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
