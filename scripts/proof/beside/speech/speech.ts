import type { AgentEvent, Usage } from "../../../../src/driver.ts";
import type { Answer } from "../../agent.ts";

/** The agent CLIs that the stand-in can be. */
export type CliName = "claude" | "codex" | "copilot" | "opencode" | "cursor-agent";

/** How one CLI is asked and how it answers. */
export type Speech = {
  /** What `--version` prints. */
  version: string;
  /** Whether these arguments ask the model; else they ask the program about itself, and it knows nothing. */
  asksModel: (flags: readonly string[]) => boolean;
  /** The conversation to go on with; null for a new one. */
  resumes: (flags: readonly string[]) => string | null;
  /** What stdout gets for an answer. */
  printed: (said: Said) => string;
  /**
   * What stdout gets when the provider's limit refuses the call.
   * @param until its end, in milliseconds since 1970
   */
  limited: (said: Said, until: number) => string;
};

/** What the agent said. */
export type Said = {
  session: string;
  text: string;
  /** The answer came to its end; else the process crashed before it. */
  ended: boolean;
  usage: Usage | null;
  exit: number;
  flags: readonly string[];
};

/** The text that a loop reads: a marker in place of the status block where the loop asks for one. */
export function wordsOf(
  answer: Answer,
  marker: string | null,
  means: "all" | "task",
): { text: string; ended: boolean } {
  const end = answer.events.find((event) => event.type === "finished");
  const begun = answer.events.find((event) => event.type === "text");
  if (end?.type !== "finished") return { text: begun?.type === "text" ? begun.text : "", ended: false };
  const text = end.text ?? "";
  if (marker === null) return { text, ended: true };
  const [said = ""] = text.split("\n\n---RALPH_STATUS---");
  const claims = means === "task" ? answer.finishedTask : text.includes("EXIT_SIGNAL: true");
  return { text: claims ? `${said}\n\n${marker}` : said, ended: true };
}

export function usageIn(events: readonly AgentEvent[]): Usage | null {
  const usage = events.find((event) => event.type === "usage");
  return usage?.type === "usage" ? usage : null;
}

/** The value of the first of these flags; null without one, or if another flag follows. */
export function after(flags: readonly string[], names: readonly string[]): string | null {
  const at = flags.findIndex((flag) => names.includes(flag));
  const value = at < 0 ? undefined : flags[at + 1];
  return value === undefined || value.startsWith("--") ? null : value;
}

/** The notice of a limit in words, as subscriptions show it. */
export function noticeOf(until: number): string {
  // A whole minute, and never one before the end.
  const at = new Date(Math.ceil(until / 60_000) * 60_000);
  const hour = at.getUTCHours() % 12 === 0 ? 12 : at.getUTCHours() % 12;
  const minute = `${at.getUTCMinutes()}`.padStart(2, "0");
  return `You've hit your limit · resets ${hour}:${minute}${at.getUTCHours() < 12 ? "am" : "pm"} (UTC)`;
}

/** One line of JSON. */
export function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
