/** Projects whose plan several workers share, with an agent that does the task in its plan. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "../support/git.ts";
import { type Project, project } from "../support/harness.ts";

/**
 * Does the first open task: a file of its name with a line for each time that it was done, what stands below for that task, and the
 * tick. `MEET` is a folder where agents can wait for each other; in its file `heard` is what each was told, below its task.
 */
const AGENT = `#!/bin/sh
test "$1" = --version && { echo "2.1.197 (Claude Code)"; exit; }
task=$(grep -m1 -- '- \\[ \\]' "$PWD"/.ralph/fix_plan.md | sed 's/.*\\] //; s/ *(after:.*//')
{ printf '%s\\n' "$task:" "$@"; cat; } >> "$MEET/heard"
if test -f shared.txt && grep -q '^<<<<' shared.txt; then grep -v '^<<<<\\|^====\\|^>>>>' shared.txt > kept; mv kept shared.txt; fi
mkdir -p done; echo "$task" >> "done/$task"; echo "$task" >> "$MEET/did"
say="Did it."
case "$task" in
CASES
esac
test -n "$ASKS" || sed -i 's/- \\[ \\]/- [x]/' .ralph/fix_plan.md
printf '%s\\n' '{"type":"system","subtype":"init","session_id":"00000000-0000-4000-8000-000000000000"}'
printf '{"type":"result","subtype":"success","is_error":false,"result":"%s","session_id":"00000000-0000-4000-8000-000000000000"}\\n' "$say"
`;

export type SharedPlan = {
  at: Project;
  /** The tasks that agents did, in order. */
  did(): string[];
  meet: string;
  git(...words: string[]): string;
};

export type PlanOptions = {
  plan: string;
  /** Of the shell, by task: `one) echo more >> shared.txt;;` */
  cases?: string;
  rc?: string;
  /** What each call of the agent costs; default: it does not say. */
  usd?: number;
  /** Of the projects, each with the plan, and with a slash at its end. Default: the root. */
  folders?: readonly string[];
};

export function sharedPlan({ plan, cases = "", rc = "", usd, folders = [""] }: PlanOptions): SharedPlan {
  const files = folders.flatMap((folder) => [
    [`${folder}.ralph/PROMPT.md`, "Do the next task.\n"],
    [`${folder}.ralph/fix_plan.md`, plan],
    [`${folder}.ralph/.ralphrc`, `QUALITY_GATES="sh check.sh"\n${rc}`],
    [`${folder}check.sh`, "! grep -rl BROKEN done\n"],
    [`${folder}shared.txt`, "one\ntwo\n"],
  ]);
  const at = project({ files: Object.fromEntries(files) });
  const meet = join(at.dir, "..", "meet");
  mkdirSync(meet);
  writeFileSync(join(meet, "did"), "");
  const agent = join(at.dir, "..", "agent.sh");
  const cost = usd === undefined ? "" : `"total_cost_usd":${usd},"usage":{"input_tokens":1,"output_tokens":1},`;
  writeFileSync(agent, AGENT.replace("CASES", () => cases).replace('"result":', `${cost}$&`));
  chmodSync(agent, 0o755);
  at.env.CLAUDE_CODE_CMD = agent;
  at.env.MEET = meet;
  git(at, "branch", "-m", "main");
  return {
    at,
    meet,
    git: (...words) => git(at, ...words),
    did: () =>
      readFileSync(join(meet, "did"), "utf8")
        .split("\n")
        .filter((line) => line !== ""),
  };
}

/** The same in a project with the submodule `lib`, which each worktree checks out. `inLib`: git in that of the first worker. */
export function withSubmodule(options: PlanOptions): SharedPlan & { inLib(...words: string[]): string } {
  const shared = sharedPlan(options);
  const { at, git } = shared;
  const source = join(at.dir, "..", "lib");
  git("init", "--quiet", source);
  git("-C", source, "commit", "--quiet", "--allow-empty", "-m", "lib");
  git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", source, "lib");
  git("commit", "--quiet", "-m", "lib");
  const settings = ["GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0"];
  for (const [nth, value] of ["1", "protocol.file.allow", "always"].entries()) at.env[settings[nth] ?? ""] = value;
  at.env.WORKTREE_SETUP = "git submodule --quiet update --init";
  return { ...shared, inLib: (...words) => git("-C", at.path(".ralph/worktrees/w1/lib"), ...words) };
}

/** Shell: waits until a file is there, and fails after two minutes. */
export const until = (file: string) =>
  `n=0; while [ ! -e "$MEET/${file}" ]; do n=$((n+1)); [ $n -gt 2400 ] && exit 9; sleep 0.05; done`;
