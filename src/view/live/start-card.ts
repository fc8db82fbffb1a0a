import type { Settings } from "../../core/settings/settings.ts";
import type { BoundSettings } from "../../core/stop/stop-reasons.ts";
import { count } from "../../core/text/count.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { filesBack } from "../../core/words.ts";
import type { Look } from "../text/style.ts";
import { fit } from "../text/text.ts";
import { boundTexts } from "./headroom-text.ts";

/** The facts about a run without files, before it starts. */
export type StartCard = {
  task: string;
  agent: string;
  /** Null outside a repository, or with a detached HEAD. */
  branch: string | null;
  isGitRepository: boolean;
  /** The working tree has uncommitted changes. */
  uncommitted: boolean;
  /** The gates. */
  gates: readonly string[];
  settings: BoundSettings & Pick<Settings, "CLAUDE_PERMISSION_MODE" | "MAX_CALLS_PER_HOUR" | "CHECKPOINTS">;
};

const LABEL = 9;

/** The lines that `ralph "TEXT"` shows before it starts. They state everything, because ralph asks nothing. */
export function startCard(card: StartCard, { style, width }: Look): string[] {
  const rows: (readonly [string, string])[] = [
    ["task", card.task],
    ["agent", card.agent],
    ["branch", branchText(card)],
    ["gates", card.gates.length === 0 ? "none: done is what the agent says" : card.gates.join(" · ")],
    ...rightsAndBounds(card),
    ["stop", "Ctrl+C after this iteration, twice at once; elsewhere: ralph stop"],
  ];
  return rows.map(([label, text]) => `  ${style.dim(label.padEnd(LABEL))}${fit(singleLine(text), width - LABEL - 2)}`);
}

/** The two rows with consequences: what ends a run, and what the agent may do. Set-up shows them before it writes. */
export function rightsAndBounds(
  card: Pick<StartCard, "settings" | "isGitRepository">,
): (readonly ["bounds" | "touches", string])[] {
  return [
    ["bounds", boundsText(card.settings)],
    ["touches", touchesText(card)],
  ];
}

function branchText({ branch, isGitRepository, uncommitted, settings }: StartCard): string {
  if (!isGitRepository) return `no git repository: ${filesBack(settings)}`;
  return `${branch ?? "no branch is checked out"}${uncommitted ? ", with changes that are not committed" : ""}`;
}

function boundsText(settings: StartCard["settings"]): string {
  const set = boundTexts(settings);
  const calls = `${count(settings.MAX_CALLS_PER_HOUR, "call")} an hour`;
  return set.length === 0 ? `${calls}, else none (--max-iterations, --max-cost)` : `${set.join(", ")}, ${calls}`;
}

function touchesText({ settings, isGitRepository }: Pick<StartCard, "settings" | "isGitRepository">): string {
  const where = isGitRepository ? "this folder and its git history" : "this folder";
  return settings.CLAUDE_PERMISSION_MODE === "bypassPermissions"
    ? `${where}; the agent runs commands unasked`
    : `${where}, as far as the agent's mode ${settings.CLAUDE_PERMISSION_MODE} allows`;
}
