import type { EventOf } from "../../core/journal/event.ts";
import { toolChange } from "../../core/report/line-changes.ts";
import { truncate } from "../../core/text/truncate.ts";
import type { ToolCall } from "../../driver.ts";
import { duration } from "../text/figures.ts";
import type { Shorten } from "../text/path.ts";
import { diff, text } from "./html.ts";

const DIFF_LINES = 80;
const LINE_CHARS = 400;
const RESULT_CHARS = 2000;
const TITLE_CHARS = 300;
const WORTH_TELLING_MS = 1000;
const PREVIEW_LINES = 2;
const PREVIEW_CHARS = 100;
/** Lines among which those of the preview are. */
const PREVIEW_READ = 20;

/**
 * A folded tool call: a summary line, and below it the change and the result.
 * @param ended null if no result was reported
 */
export function toolEntry(
  started: EventOf<"agent_tool_started">,
  ended: EventOf<"agent_tool_finished"> | null,
  shorten: Shorten,
): string {
  const failed = ended?.is_error === true;
  const kind = `tool${failed ? " bad" : ""}${started.nested === true ? " nested" : ""}`;
  const ms = ended === null ? 0 : Date.parse(ended.at) - Date.parse(started.at);
  const took = ms >= WORTH_TELLING_MS ? `<small>${duration(ms)}</small>` : "";
  const head = `${title(started, shorten)} ${took}${failed ? `<small class="failed">failed</small>` : ""}`.trimEnd();
  const body = changes(started) + result(ended, shorten);
  return body === ""
    ? `<div class="${kind}">${head}</div>`
    : `<details class="${kind}"><summary${preview(started, ended, shorten)}>${head}</summary>${body}</details>`;
}

function title(call: ToolCall, shorten: Shorten): string {
  const short = (value: string) =>
    `<code>${text(
      truncate(
        shorten(value)
          .replace(/^⌂[\\/]/, "")
          .replace(/\s+/g, " "),
        TITLE_CHARS,
      ),
    )}</code>`;
  switch (call.tool) {
    case "Read":
      return `<b>Read</b> ${short(call.input.file_path)}`;
    case "Write":
    case "Edit": {
      const change = toolChange(call);
      return `<b>${call.tool}</b> ${short(call.input.file_path)} ${diff(change?.added.length ?? 0, change?.removed.length ?? 0)}`;
    }
    case "Bash":
      return `<b>$</b> ${short(call.input.command)}`;
    case "Glob":
      return `<b>Glob</b> ${short(call.input.pattern)}`;
    case "Grep":
      return `<b>Grep</b> ${short(call.input.pattern)}${call.input.path === null ? "" : ` ${short(call.input.path)}`}`;
    case "Other": {
      const first = Object.values(call.input).find((value) => typeof value === "string");
      return `<b>${text(truncate(call.name, 80))}</b>${typeof first === "string" ? ` ${short(first)}` : ""}`;
    }
  }
}

function changes(call: ToolCall): string {
  const change = toolChange(call);
  if (change !== null)
    return `<pre class="diff">${lines(change.removed, "del", "−")}${lines(change.added, "ins", "+")}</pre>`;
  if (call.tool === "Bash" && /\n/.test(call.input.command.trim()))
    return `<pre>${text(truncate(call.input.command, RESULT_CHARS))}</pre>`;
  return "";
}

function lines(all: readonly string[], tag: "ins" | "del", mark: string): string {
  const shown = all
    .slice(0, DIFF_LINES)
    .map((line) => `<${tag}>${mark} ${text(truncate(line, LINE_CHARS))}</${tag}>\n`);
  const more = all.length - DIFF_LINES;
  return shown.join("") + (more > 0 ? `<i>and ${more} more lines</i>\n` : "");
}

function result(ended: EventOf<"agent_tool_finished"> | null, shorten: Shorten): string {
  const content = ended === null ? "" : truncate(shorten(ended.content).trimEnd(), RESULT_CHARS);
  if (content === "") return "";
  return IS_PATCH.test(content) ? `<pre class="diff">${patch(content)}</pre>` : `<pre>${text(content)}</pre>`;
}

/** Such as that of `git diff`. */
const IS_PATCH = /^@@ -\d+(,\d+)? \+\d+/m;

function patch(content: string): string {
  return content
    .split("\n")
    .map((line) => {
      const tag = line.startsWith("+") ? "ins" : line.startsWith("-") ? "del" : null;
      return tag === null ? `${text(line)}\n` : `<${tag}>${text(line)}</${tag}>\n`;
    })
    .join("");
}

/** What a command said first, for the folded entry; as an attribute, so that no search finds it twice. */
function preview(call: ToolCall, ended: EventOf<"agent_tool_finished"> | null, shorten: Shorten): string {
  if (ended === null || (call.tool !== "Bash" && !ended.is_error)) return "";
  const lines = shorten(ended.content)
    .split("\n", PREVIEW_READ)
    .filter((line) => line.trim() !== "")
    .slice(0, PREVIEW_LINES)
    .map((line) => truncate(line.trimEnd(), PREVIEW_CHARS));
  return lines.length === 0 ? "" : ` data-preview="${text(lines.join("\n"))}"`;
}
