import type { Settings } from "../../core/settings/settings.ts";
import { count, duration, tokens } from "../text/figures.ts";
import type { Style } from "../text/style.ts";
import { fit, singleLine } from "../text/text.ts";

/** What a run without any files is about to do. */
export type StartCard = {
  agent: string;
  /** Null outside of a repository, or where none is checked out. */
  branch: string | null;
  isGitRepository: boolean;
  /** There is work that no commit has. */
  uncommitted: boolean;
  /** The gates. */
  checks: readonly string[];
  settings: Pick<
    Settings,
    | "CLAUDE_PERMISSION_MODE"
    | "MAX_CALLS_PER_HOUR"
    | "MAX_ITERATIONS"
    | "MAX_TIME"
    | "MAX_COST_USD"
    | "MAX_TOKENS"
    | "STOP_AT"
  >;
};

const LABEL = 9;

/** The six lines that `ralph "TEXT"` shows before it starts: nothing is asked, so everything is said. */
export function startCard(card: StartCard, { style, width }: { style: Style; width: number }): string[] {
  const rows: (readonly [string, string])[] = [
    ["agent", card.agent],
    ["branch", branchText(card)],
    ["checks", card.checks.length === 0 ? "none found: done is what the agent says" : card.checks.join(" · ")],
    ["bounds", boundsText(card.settings)],
    ["touches", touchesText(card)],
    ["stop", "Ctrl+C after this iteration, twice at once; elsewhere: ralph stop"],
  ];
  return rows.map(([label, text]) => `  ${style.dim(label.padEnd(LABEL))}${fit(singleLine(text), width - LABEL - 2)}`);
}

function branchText({ branch, isGitRepository, uncommitted }: StartCard): string {
  if (!isGitRepository) return "no git repository: what is changed cannot be taken back by git";
  return `${branch ?? "no branch is checked out"}${uncommitted ? ", with changes that are not committed" : ""}`;
}

function boundsText(settings: StartCard["settings"]): string {
  const { MAX_CALLS_PER_HOUR, MAX_ITERATIONS, MAX_TIME, MAX_COST_USD, MAX_TOKENS, STOP_AT } = settings;
  const set = [
    ...(MAX_ITERATIONS === null ? [] : [count(MAX_ITERATIONS, "iteration")]),
    ...(MAX_TIME === null ? [] : [duration(MAX_TIME * 60_000)]),
    ...(MAX_COST_USD === null ? [] : [`${MAX_COST_USD} USD`]),
    ...(MAX_TOKENS === null ? [] : [`${tokens(MAX_TOKENS)} tokens`]),
    ...(STOP_AT === null ? [] : [`until ${STOP_AT}`]),
  ];
  const calls = `${MAX_CALLS_PER_HOUR} calls an hour`;
  return set.length === 0 ? `${calls}, else none (--max-iterations, --max-cost)` : `${set.join(", ")}, ${calls}`;
}

function touchesText({ settings, isGitRepository }: StartCard): string {
  const where = isGitRepository ? "this folder and its git history" : "this folder";
  return settings.CLAUDE_PERMISSION_MODE === "bypassPermissions"
    ? `${where}; the agent runs commands unasked`
    : `${where}, as far as the agent's mode ${settings.CLAUDE_PERMISSION_MODE} allows`;
}
