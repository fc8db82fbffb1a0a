import type { EventOf } from "../core/event.ts";
import type { OpenTool } from "../core/open-tools.ts";
import { duration } from "./figures.ts";
import type { Shorten } from "./path.ts";
import type { Style } from "./style.ts";
import { fit, oneLine } from "./text.ts";

type ToolOptions = { width: number; style: Style; shorten: Shorten; verbose: boolean };

/** Figures, mark and time behind a tool's argument. */
const SUFFIX_COLUMNS = 26;
/** A narrow screen keeps most of its columns for the argument. */
const SUFFIX_SHARE = 0.4;
/** Quicker tools need no time shown. */
const WORTH_TELLING_MS = 1000;

/** A tool call on one line: `Edit src/a.ts +12 -3`, `$ npm test`. */
export function toolLine(event: OpenTool, { width, style, shorten }: Omit<ToolOptions, "verbose">): string {
  const room = Math.max(10, width - Math.min(SUFFIX_COLUMNS, Math.ceil(width * SUFFIX_SHARE)));
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
    case "Grep": {
      const path = event.input.path === null ? "" : fit(oneLine(shorten(event.input.path).replace(/^⌂[\\/]/, "")), 20);
      return `${style.cyan("Grep")} ${fit(oneLine(event.input.pattern), Math.max(10, room - 21))}${path === "" ? "" : ` ${style.dim(path)}`}`;
    }
    case "Other": {
      const name = fit(oneLine(event.name), Math.floor(room / 2));
      return `${style.cyan(name)} ${style.dim(fit(oneLine(shorten(firstText(event.input))), room - name.length))}`.trimEnd();
    }
  }
}

/**
 * A tool and what came of it: `$ npm test ✓ 3.2 s`, and the first words of a failure below it.
 * @param started null where its beginning is unknown
 */
export function toolLines(
  started: OpenTool | null,
  event: EventOf<"agent_tool_finished">,
  options: ToolOptions,
): string[] {
  const { style, width, shorten, verbose } = options;
  const said = () => fit(oneLine(shorten(event.content)), width - 6);
  const below = event.is_error ? [`    ${style.red("✗")} ${said()}`] : verbose ? [style.dim(`    ${said()}`)] : [];
  if (started === null) return below;
  const ms = Date.parse(event.at) - Date.parse(started.at);
  const time = ms >= WORTH_TELLING_MS ? style.dim(` ${duration(ms)}`) : "";
  const runs = started.tool === "Bash" || started.tool === "Other";
  const mark = event.is_error ? ` ${style.red("✗")}` : runs ? ` ${style.green("✓")}` : "";
  return [
    `${indent(started)}${toolLine(started, options)}${mark}${time}`,
    ...below.filter((line) => line.trim() !== "✗"),
  ];
}

/** A tool of which no end is told. */
export function openToolLine(started: OpenTool, options: ToolOptions): string {
  return `${indent(started)}${toolLine(started, options)}`;
}

function indent({ nested }: OpenTool): string {
  return nested === true ? "    " : "  ";
}

function lineCount(text: string): number {
  return text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
}

function firstText(input: Record<string, unknown>): string {
  const value = Object.values(input).find((entry) => typeof entry === "string");
  return typeof value === "string" ? value : "";
}
