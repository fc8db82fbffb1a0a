import { readStatus } from "../../core/answer/status-block.ts";
import { gatePassed } from "../../core/decide/gate-rules.ts";
import type { CallPurpose, EventOf, RalphEvent } from "../../core/journal/event.ts";
import { logEntry } from "../../core/state-files/run-log.ts";
import { truncate } from "../../core/text/truncate.ts";
import { duration } from "../text/figures.ts";
import type { Shorten } from "../text/path.ts";
import { plain } from "../text/text.ts";
import { text } from "./html.ts";
import { richText } from "./rich-text.ts";
import { toolEntry } from "./tool-entry.ts";

const TEXT_CHARS = 20_000;

/** The agent's text and actions, one HTML entry after another. */
export type Transcript = {
  /** The entries that an event completes. */
  entries(event: RalphEvent): string[];
  /** Entries for tools without a reported end. */
  rest(): string[];
};

/** Pairs tools with their results, as the live view does: the entry comes with the result. */
export function createTranscript(shorten: Shorten): Transcript {
  const open = new Map<string, EventOf<"agent_tool_started">>();
  const rest = (): string[] => {
    const unfinished = [...open.values()].map((tool) => toolEntry(tool, null, shorten));
    open.clear();
    return unfinished;
  };
  return {
    entries(event) {
      switch (event.type) {
        case "agent_tool_started":
          open.set(event.tool_id, event);
          return [];
        case "agent_tool_finished": {
          const started = open.get(event.tool_use_id);
          open.delete(event.tool_use_id);
          return started === undefined ? [] : [toolEntry(started, event, shorten)];
        }
        case "agent_text":
          // Agents that report no results speak again once they have them.
          return [...(event.nested === true ? [] : rest()), ...words(event, shorten)];
        case "agent_finished":
          return [...rest(), ...note(event, shorten)];
        default:
          return note(event, shorten);
      }
    },
    rest,
  };
}

/** The agent's text without the status block, because the verdict has its outcome. */
function words(event: EventOf<"agent_text">, shorten: Shorten): string[] {
  const prose = readStatus(shorten(plain(event.text)))
    .prose.join("\n")
    .trim();
  if (prose === "") return [];
  return [`<div class="text${event.nested === true ? " nested" : ""}">${richText(truncate(prose, TEXT_CHARS))}</div>`];
}

const LEVELS = { INFO: "", LOOP: "", SUCCESS: "", WARN: " warn", ERROR: " error" } as const;

/** Calls of an agent for something else than the work: what is written below the label is theirs. */
const STEPS: Partial<Record<CallPurpose, string>> = {
  review: "review",
  look: "a stranger’s look",
  rebase: "rebase",
};

/** An action of the loop itself; the start and end of an iteration are in its header. */
function note(event: RalphEvent, shorten: Shorten): string[] {
  if (event.type === "iteration_started") return began(event, shorten);
  if (event.type === "agent_started") {
    const step = STEPS[event.purpose];
    return step === undefined ? [] : [`<p class="phase"><b>${step}</b></p>`];
  }
  if (event.type === "iteration_finished" || event.type === "run_started" || event.type === "run_finished") return [];
  if (event.type === "gate_finished") return [gate(event, shorten)];
  if (event.type === "said") return [`<p class="note said">✉ ${text(event.text)}</p>`];
  if (event.type === "paused") return [`<p class="note warn">Paused.</p>`];
  if (event.type === "resumed") return [`<p class="note">Going on.</p>`];
  return logNote(event, shorten);
}

/** What the agent was told beside the prompt, folded. */
function began(event: EventOf<"iteration_started">, shorten: Shorten): string[] {
  const again = event.call === 1 ? [] : logNote(event, shorten);
  if (event.notes === undefined) return again;
  const told = richText(shorten(plain(event.notes)));
  return [
    ...again,
    `<details class="told"><summary><b>told</b> beside the prompt</summary><div class="text">${told}</div></details>`,
  ];
}

function logNote(event: RalphEvent, shorten: Shorten): string[] {
  const entry = logEntry(event);
  return entry === null ? [] : [`<p class="note${LEVELS[entry.level]}">${text(shorten(entry.text))}</p>`];
}

function gate(event: EventOf<"gate_finished">, shorten: Shorten): string {
  const ok = gatePassed(event);
  const output = shorten(event.output).trim();
  const head = `<b class="${ok ? "good" : "bad"}">${ok ? "✓" : "✗"}</b> gate <code>${text(event.command)}</code> <small>${duration(event.ms)}</small>`;
  const kind = `tool gate${ok ? "" : " bad"}`;
  if (output === "") return `<div class="${kind}">${head}</div>`;
  return `<details class="${kind}"><summary>${head}</summary><pre>${text(output)}</pre></details>`;
}
