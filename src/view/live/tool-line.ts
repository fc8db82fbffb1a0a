import type { EventOf } from "../../core/journal/event.ts";
import type { OpenTool } from "../../core/journal/open-tools.ts";
import { toolChange } from "../../core/report/line-changes.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { duration } from "../text/figures.ts";
import { fitPath, type Shorten } from "../text/path.ts";
import type { Style } from "../text/style.ts";
import { columns, fit } from "../text/text.ts";

type ToolOptions = { width: number; style: Style; shorten: Shorten; verbose: boolean };

/** A tool's action and its object. */
type ToolWords = { name: string; about: string; figures: string; isPath: boolean };

/** A shorter call needs no time. */
const WORTH_TELLING_MS = 1000;
/** Minimum columns of an argument, however narrow the screen. */
const LEAST_COLUMNS = 4;
const SEARCHED_COLUMNS = 24;

/**
 * A tool call on one line, below the text it belongs to: `Edit src/a.ts +12 -3`, `$ npm test`.
 * @param after the end of the line, styled
 */
export function toolLine(
  tool: OpenTool,
  { width, style, shorten }: Omit<ToolOptions, "verbose">,
  after: string,
): string {
  const { name, about, figures, isPath } = toolWords(tool, style, shorten);
  const head = `${indent(tool)}${style.cyan(fit(name, Math.max(LEAST_COLUMNS, Math.floor(width / 2))))}`;
  const tail = figures + after;
  const room = Math.max(LEAST_COLUMNS, width - columns(head) - columns(tail) - 1);
  const shown = isPath ? fitPath(about, room) : fit(about, room);
  return `${head}${shown === "" ? "" : ` ${tool.tool === "Other" ? style.dim(shown) : shown}`}${tail}`;
}

function toolWords(tool: OpenTool, style: Style, shorten: Shorten): ToolWords {
  const short = (text: string) => singleLine(shorten(text).replace(/^⌂[\\/]/, ""));
  const words = (name: string, about: string, more: Partial<ToolWords> = {}): ToolWords => ({
    ...{ name, about, figures: "", isPath: false },
    ...more,
  });
  switch (tool.tool) {
    case "Read":
      return words("Read", short(tool.input.file_path), { isPath: true });
    case "Write":
    case "Edit": {
      const { added = [], removed = [] } = toolChange(tool) ?? {};
      const less = tool.tool === "Edit" ? ` ${style.red(`-${removed.length}`)}` : "";
      // Some CLIs name the files alone.
      const isTold = added.length + removed.length > 0;
      const figures = isTold ? ` ${style.green(`+${added.length}`)}${less}` : "";
      return words(tool.tool, short(tool.input.file_path), { figures, isPath: true });
    }
    case "Bash":
      return words("$", short(tool.input.command));
    case "Glob":
      return words("Glob", short(tool.input.pattern));
    case "Grep": {
      const where = tool.input.path === null ? "" : fitPath(short(tool.input.path), SEARCHED_COLUMNS);
      return words("Grep", singleLine(tool.input.pattern), { figures: where === "" ? "" : ` ${style.dim(where)}` });
    }
    case "Other":
      return words(ownName(singleLine(tool.name)), short(firstText(tool.input)));
  }
}

/** A tool of an MCP server by its server's and its own name: `github create_issue`. */
function ownName(name: string): string {
  return name.replace(/^mcp__(.+?)__/, "$1 ");
}

/**
 * A tool and its outcome: `$ npm test ✓ 3.2 s`, and the first lines of a failure below it.
 * @param started null if its start is unknown
 */
export function toolLines(
  started: OpenTool | null,
  event: EventOf<"agent_tool_finished">,
  options: ToolOptions,
): string[] {
  const shown = resultLines(started, event, options);
  return started === null ? shown : [toolLine(started, options, outcome(started, event, options)), ...shown];
}

/**
 * The outcome of a tool whose line is already there: `✓ 3.2 s` or the first lines of a failure. A short success needs none.
 * Its line is repeated if other tools run beside it.
 * @param started null if its start is unknown
 */
export function toolEndLines(
  started: OpenTool | null,
  event: EventOf<"agent_tool_finished">,
  { isAlone, ...options }: ToolOptions & { isAlone: boolean },
): string[] {
  const shown = resultLines(started, event, options);
  const isShort = started !== null && took(started, event) < WORTH_TELLING_MS && !event.is_error;
  if (started === null || isShort) return shown;
  const after = outcome(started, event, options);
  if (!isAlone) return [toolLine(started, options, after), ...shown];
  return after === "" || (event.is_error && shown.length > 0) ? shown : [`${indent(started)} ${after}`, ...shown];
}

/** The result itself: of a failure, and of every call if everything is wanted. */
function resultLines(
  started: OpenTool | null,
  event: EventOf<"agent_tool_finished">,
  { style, width, shorten, verbose }: ToolOptions,
): string[] {
  if (!event.is_error && !verbose) return [];
  const lead = `${indent(started ?? {})}  `;
  const result = fit(singleLine(shorten(event.content)), width - lead.length - 2);
  if (result === "") return [];
  return event.is_error ? [`${lead}${style.red("✗")} ${result}`] : [style.dim(lead + result)];
}

function outcome(started: OpenTool, event: EventOf<"agent_tool_finished">, { style }: ToolOptions): string {
  const ms = took(started, event);
  const time = ms >= WORTH_TELLING_MS ? style.dim(` ${duration(ms)}`) : "";
  const runs = started.tool === "Bash" || started.tool === "Other";
  return (event.is_error ? ` ${style.red("✗")}` : runs ? ` ${style.green("✓")}` : "") + time;
}

function took(started: OpenTool, event: EventOf<"agent_tool_finished">): number {
  return Date.parse(event.at) - Date.parse(started.at);
}

function indent({ nested }: { nested?: boolean }): string {
  return nested === true ? "      " : "    ";
}

/** The first text among a tool's arguments; for a list of tasks the one in progress. */
function firstText(input: Record<string, unknown>): string {
  const values = Object.values(input);
  const value = values.find((entry) => typeof entry === "string");
  return typeof value === "string" ? value : (values.map(taskAtWork).find((text) => text !== "") ?? "");
}

function taskAtWork(list: unknown): string {
  const tasks: unknown[] = Array.isArray(list) ? list : [];
  for (const task of tasks) {
    const { status, content } = (task ?? {}) as { status?: unknown; content?: unknown };
    if (status === "in_progress" && typeof content === "string") return content;
  }
  return "";
}
