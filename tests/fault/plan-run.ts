/** A run of three tasks. The agent does one after the other, whatever happens in between. */
import { expect } from "bun:test";
import { existsSync, readdirSync, utimesSync } from "node:fs";
import { listens, prints, tellsOfCall } from "../e2e/support/agent-of-shell.ts";
import { answer } from "../e2e/support/answers.ts";
import { FSCK } from "../e2e/support/git.ts";
import { type Project, project } from "../e2e/support/harness.ts";

export const TASKS = 3;
const PLAN = ".ralph/@fix_plan.md";

/** Does the first open task; a call for a finished task changes nothing. It starts no program but `mv`. */
const doesTheNextTask = `
${listens}
${tellsOfCall}
ticked=
while IFS= read -r line; do
  case $ticked$line in "- [ ]"*) line="- [x]\${line#"- [ ]"}"; ticked=1 ;; esac
  printf '%s\\n' "$line"
done < ${PLAN} > .ralph/next && mv .ralph/next ${PLAN}
echo 1 >> src.txt
${prints(answer())}
exit
`;

/** A new project; `copyOf` it rather than to make another. */
export function planProject(ticked = 0): Project {
  const boxes = Array.from({ length: TASKS }, (_, n) => `- [${n < ticked ? "x" : " "}] task ${n + 1}\n`);
  const files = { ".ralph/PROMPT.md": "Do the next task.\n", [PLAN]: boxes.join(""), "src.txt": "0\n" };
  return project({ files, plays: doesTheNextTask });
}

/** The part of the state that must not depend on interruptions. */
export function finalState(at: Project): Record<string, unknown> {
  const { status, exit_reason } = at.status();
  return {
    status,
    exit_reason,
    plan: at.read(PLAN),
    breaker: JSON.parse(at.read(".ralph/.circuit_breaker_state")).state,
    session: JSON.parse(at.read(".ralph/.ralph_session")).session_id,
    lock: at.has(".ralph/lock"),
    temporary: filesBelow(at.path(".ralph")).filter((name) => /\.tmp|takeover|lock\./.test(name)),
  };
}

/** A minute later: a temporary file that nobody has renamed since is taken for what a killed ralph left. */
export function aMinuteLater(at: Project): void {
  const then = new Date(Date.now() - 61_000);
  for (const name of filesBelow(at.dir)) if (name.endsWith(".tmp")) utimesSync(at.path(name), then, then);
}

/** Every journal has all its lines in a row, everything started has an end, and every state file is complete. */
export function expectSound(at: Project): void {
  for (const [index] of at.runs().entries()) {
    const events = at.events(index + 1);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, n) => n + 1));
    const count = (...types: string[]) => events.filter(({ type }) => types.includes(type)).length;
    expect(count("iteration_started")).toBe(count("iteration_finished", "iteration_interrupted"));
    expect(count("agent_started")).toBe(count("agent_finished"));
  }
  expectWholeFiles(at);
}

/** What the journal calls kept is there, and git finds nothing wrong in the repository. */
export function expectWholeCheckpoints(at: Project): void {
  const commits = at
    .runs()
    .flatMap((_, run) =>
      at.events(run + 1).flatMap((event) => (event.type === "checkpoint_made" ? [event.commit] : [])),
    );
  const git = (argv: string[], input = "") =>
    Bun.spawnSync(["git", ...argv], { cwd: at.dir, env: at.env, stdin: Buffer.from(input) });
  // Where the repository could not be seen, ralph's own store took them.
  const stores = [[], ...(at.has(".ralph/checkpoints") ? [["--git-dir", ".ralph/checkpoints"]] : [])];
  const found = stores.map((store) =>
    git([...store, "cat-file", "--batch-check"], commits.join("\n")).stdout.toString(),
  );
  expect(commits.filter((commit) => !found.some((list) => list.includes(`${commit} commit`)))).toEqual([]);
  for (const store of stores) {
    const { exitCode, stderr } = git([...store, ...FSCK]);
    expect([exitCode, stderr.toString().replace("notice: HEAD points to an unborn branch (none)\n", "")]).toEqual([
      0,
      "",
    ]);
  }
}

/** No reader ever sees a truncated state file, not even after a kill. */
export function expectWholeFiles(at: Project): void {
  const names = ["status.json", "progress.json", ".circuit_breaker_state", ".ralph_session", ".exit_signals"];
  for (const name of names) if (at.has(`.ralph/${name}`)) JSON.parse(at.read(`.ralph/${name}`));
}

/** A call is reserved before it is made, so no more calls were made than counted. */
export function expectEveryCallCounted(at: Project): void {
  expect(Number(at.read(".ralph/.call_count"))).toBeGreaterThanOrEqual(at.calls().length);
}

function filesBelow(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];
}
