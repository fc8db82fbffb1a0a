import { POLICIES, type Policy, USUAL } from "../policies.ts";
import type { Given, Loop } from "./loops.ts";
import type { CliName } from "./speech/speech.ts";

export const TASK = "Do the next open task of the plan. Say that you are done only when every task of it is done.";

/** Ours waits by the clock before it calls an idle agent again: its clock runs faster, as
 * the sleeps of the others are cut. Much faster would let its time limits strike on a busy machine. */
export const FASTER: readonly string[] = ["faketime", "-f", "+0 x10"];

/** Ours, under each policy and with each CLI. */
export const OURS: readonly Loop[] = [
  ...POLICIES.map((policy) => ours(policy.name, policy)),
  ours("ours with Codex", USUAL, "codex"),
  ours("ours with OpenCode", USUAL, "opencode"),
  ours("ours with Copilot", USUAL, "copilot"),
  ours("ours with Cursor", USUAL, "cursor-agent"),
];

function ours(name: string, { lines }: Policy, cli: CliName = "claude"): Loop {
  return {
    name,
    from: null,
    entry: null,
    cli,
    isVariant: cli !== "claude",
    marker: null,
    planFile: ".ralph/fix_plan.md",
    files: { ".ralph/PROMPT.md": `${TASK}\n`, ".ralph/.ralphrc": lines },
    argv: ({ ralph, most }: Given) => [
      ...FASTER,
      ralph,
      "run",
      `--driver=${cli === "cursor-agent" ? "cursor" : cli === "claude" ? "claude-code" : cli}`,
      `--max-iterations=${most}`,
      "--permission-mode=acceptEdits",
    ],
    env: { RALPH_TRUST: "true" },
    saidDone: (exitCode) => exitCode === 0,
  };
}
