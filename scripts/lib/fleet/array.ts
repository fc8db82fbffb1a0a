/** Eight workers under Slurm on one plan, a third of them killed while at work. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../paths.ts";
import { cleanEnvironment } from "../tests/environment.ts";
import { startSlurm } from "./slurm.ts";

/** Works for `AGENT_SECONDS`, then writes a file for its task. The first call of every third worker never ends. */
const AGENT = `#!/bin/sh
test "$1" = --version && { echo "2.1.197 (Claude Code)"; exit; }
cat > /dev/null
task=$(grep -m1 -- '- \\[ \\]' .ralph/fix_plan.md | sed 's/.*\\] //')
if [ -n "$SLURM_ARRAY_TASK_ID" ] && [ $((SLURM_ARRAY_TASK_ID % 3)) = 1 ] && mkdir "$MEET/hung-$SLURM_ARRAY_TASK_ID" 2>/dev/null; then
  echo "$PPID" > "$MEET/hung-$SLURM_ARRAY_TASK_ID/pid"; sleep 600
fi
sleep "$AGENT_SECONDS"
echo "$task" > "$task.txt"; echo "$task" >> "$MEET/did"
sed -i 's/- \\[ \\]/- [x]/' .ralph/fix_plan.md
printf '{"type":"result","subtype":"success","is_error":false,"result":"Did it.","session_id":"00000000-0000-4000-8000-000000000000"}\\n'
`;

/** What a worker does with the end of a run, as \`ralph fleet manifest slurm\` writes it: killed ones begin again where they were. */
const JOB = `cd "$CLONES/$SLURM_ARRAY_TASK_ID"
date +%s%3N > "$MEET/begun-$SLURM_ARRAY_TASK_ID"
trap 'date +%s%3N > "$MEET/ended-$SLURM_ARRAY_TASK_ID"' EXIT
code=0
for try in 1 2 3 4; do
  "$RALPH" run --shard; code=$?
  case $code in 129|137|143) ;; *) exit $code ;; esac
done
exit $code
`;

export type ArrayRun = {
  /** Tasks that agents finished, each as often as it was. */
  did: string[];
  /** Branches in the repository that all share, by the names of their tasks. */
  branches: string[];
  killed: number;
  /** From the first worker's begin to the last one's end, in ms: how long Slurm takes to begin, and its tools to notice an end, is its own. */
  ms: number;
  /** What the workers printed. */
  outputs: string[];
};

/** @param agentSeconds how long each agent works */
export async function runSlurmArray(
  folder: string,
  { workers, tasks, agentSeconds }: { workers: number; tasks: number; agentSeconds: number },
): Promise<ArrayRun> {
  const { env, meet, hub, git } = makeFleet(folder, tasks, agentSeconds);
  const clones = join(folder, "clones");
  for (let n = 1; n <= workers; n += 1) git(folder, "clone", "--quiet", hub, join(clones, String(n)));
  const cluster = await startSlurm(makeFolder(join(folder, "slurm")), workers);
  const hung = Array.from({ length: workers }, (_, n) => join(meet, `hung-${n + 1}`, "pid")).filter(
    (_, n) => n % 3 === 0,
  );
  let killed = 0;
  const killer = setInterval(() => {
    for (const path of hung.slice(killed)) {
      const pid = existsSync(path) ? Number(readFileSync(path, "utf8")) : 0;
      if (pid <= 0) return;
      process.kill(pid, "SIGKILL");
      killed += 1;
    }
  }, 50);
  try {
    const outputs = await cluster.runArray(JOB, workers, { ...env, CLONES: clones, RALPH: binary });
    const times = (what: string) =>
      Array.from({ length: workers }, (_, n) => Number(readFileSync(join(meet, `${what}-${n + 1}`), "utf8")));
    const ms = Math.max(...times("ended")) - Math.min(...times("begun"));
    return { ...doneIn(meet, git, hub), killed, ms, outputs };
  } finally {
    clearInterval(killer);
    await cluster.stop();
  }
}

/** ms that one worker takes for a task, by itself. */
export async function runOneWorker(folder: string, tasks: number, agentSeconds: number): Promise<number> {
  const { env, hub, git } = makeFleet(folder, tasks, agentSeconds);
  const clone = join(folder, "clone");
  git(folder, "clone", "--quiet", hub, clone);
  const begin = performance.now();
  const worker = Bun.spawn([binary, "run", "--shard=1/1"], { cwd: clone, env, stdio: ["ignore", "ignore", "ignore"] });
  if ((await worker.exited) !== 0) throw new Error(`one worker ended with ${worker.exitCode}`);
  return (performance.now() - begin) / tasks;
}

type MadeFleet = {
  env: Record<string, string>;
  meet: string;
  hub: string;
  git(cwd: string, ...words: string[]): string;
};

function makeFleet(folder: string, tasks: number, agentSeconds: number): MadeFleet {
  const [project, meet, home, hub] = ["project", "meet", "home", "hub.git"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const dir of [project, meet, home]) makeFolder(dir);
  const agent = join(folder, "agent.sh");
  writeFileSync(agent, AGENT);
  chmodSync(agent, 0o755);
  const env = {
    ...cleanEnvironment(home),
    ...{ IS_SANDBOX: "1", RALPH_TRUST: "true", CLAUDE_CODE_CMD: agent, MAX_CALLS_PER_HOUR: "1000" },
    ...{ MEET: meet, AGENT_SECONDS: String(agentSeconds), RALPH_UPDATE_CHECK: "false" },
  };
  const git = (cwd: string, ...words: string[]) =>
    execFileSync("git", words, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  makeFolder(join(project, ".ralph"));
  const boxes = Array.from({ length: tasks }, (_, n) => `- [ ] task${n + 1}\n`);
  writeFileSync(join(project, ".ralph", "fix_plan.md"), `# Plan\n${boxes.join("")}`);
  writeFileSync(join(project, ".ralph", "PROMPT.md"), "Do the next task.\n");
  writeFileSync(join(meet, "did"), "");
  git(project, "init", "--quiet", "--initial-branch=main");
  git(project, "add", "--all");
  git(project, "-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "--quiet", "-m", "plan");
  git(folder, "clone", "--quiet", "--bare", project, hub);
  return { env, meet, hub, git };
}

function doneIn(meet: string, git: MadeFleet["git"], hub: string): Pick<ArrayRun, "did" | "branches"> {
  const lines = (text: string) => text.split("\n").filter((line) => line !== "");
  const names = lines(git(hub, "for-each-ref", "--format=%(refname:short)", "refs/heads/ralph"));
  return {
    did: lines(readFileSync(join(meet, "did"), "utf8")),
    branches: names.map((name) => name.replace(/^ralph\/(.*)-[0-9a-f]{12}$/, "$1")),
  };
}

function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true });
  return path;
}
