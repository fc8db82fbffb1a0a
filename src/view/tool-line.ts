import type { EventOf } from "../core/event.ts";
import type { Shorten } from "./path.ts";
import type { Style } from "./style.ts";
import { fit, oneLine } from "./text.ts";

type ToolOptions = { width: number; style: Style; shorten: Shorten; verbose: boolean };

/** A tool call on one line: `Edit src/a.ts +12 -3`, `$ npm test`. */
export function toolLine(event: EventOf<"agent_tool_started">, { width, style, shorten }: ToolOptions): string {
  const room = width - 12;
  const short = (text: string) => fit(oneLine(shorten(text).replace(/^⌂[\\/]/, "")), room);
  switch (event.tool) {
    case "Read":
      return `${style.cyan("Read")} ${short(event.input.file_path)}`;
    case "Write":
      return `${style.cyan("Write")} ${short(event.input.file_path)} ${style.green(`+${lineCount(event.input.content)}`)}`;
    case "Edit":
      return `${style.cyan("Edit")} ${short(event.input.file_path)} ${style.green(`+${lineCount(event.input.new_string)}`)} ${style.red(`-${lineCount(event.input.old_string)}`)}`;
    case "Bash":
      return `${style.cyan("$")} ${short(event.input.command)}`;
    case "Glob":
      return `${style.cyan("Glob")} ${short(event.input.pattern)}`;
    case "Grep":
      return `${style.cyan("Grep")} ${short(event.input.pattern)}${event.input.path === null ? "" : ` ${style.dim(short(event.input.path))}`}`;
    case "Other":
      return `${style.cyan(oneLine(event.name))} ${style.dim(fit(oneLine(shorten(firstText(event.input))), Math.max(10, room - event.name.length)))}`;
  }
}

/** A tool's result: failures always, successes only when asked for. */
export function toolResultLine(
  event: EventOf<"agent_tool_finished">,
  { width, style, shorten, verbose }: ToolOptions,
): string[] {
  if (!event.is_error && !verbose) return [];
  const text = fit(oneLine(shorten(event.content)), width - 6);
  return [event.is_error ? `    ${style.red("✗")} ${text}` : style.dim(`    ✓ ${text}`)];
}

function lineCount(text: string): number {
  return text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
}

function firstText(input: Record<string, unknown>): string {
  const value = Object.values(input).find((entry) => typeof entry === "string");
  return typeof value === "string" ? value : "";
}
