/** `ralph run --shard` with the real git: workers in clones of their own, and a bare repository that is queue, lock and result. */
import { afterAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { cpSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../../../scripts/lib/paths.ts";
import { run } from "../../../scripts/lib/run-program.ts";
import { planSource } from "../../../src/core/tasks/task-source.ts";
import { queueName } from "../../../src/effects/fleet/queue.ts";
import { cleanUp } from "../support/harness.ts";
import { until as eventually } from "../support/until.ts";
import { sharedPlan, until } from "./shared-plan.ts";

afterAll(cleanUp);

const plan = (count: number) => `# Plan\n${Array.from({ length: count }, (_, n) => `- [ ] t${n + 1}\n`).join("")}`;

/** A bare repository with the plan, and clones of it. */
function fleet(given: Parameters<typeof sharedPlan>[0], clones: number) {
  const shared = sharedPlan(given);
  const { at, git } = shared;
  const hub = join(at.dir, "..", "hub.git");
  git("clone", "--quiet", "--bare", ".", hub);
  const dirs = Array.from({ length: clones }, (_, n) => join(at.dir, "..", `clone${n + 1}`));
  for (const dir of dirs) git("clone", "--quiet", hub, dir);
  const inHub = (...words: string[]) => git("-C", hub, ...words);
  const work = (dir: string, ...words: string[]) =>
    run([binary, "run", ...words], { cwd: dir, env: { ...at.env, CLAIM_LEASE_MINUTES: "2s" } });
  return { ...shared, hub, dirs, inHub, work };
}

const branches = (names: string) =>
  names
    .split("\n")
    .filter((name) => name !== "")
    .map((name) => name.replace(/^ralph\/(.*)-[0-9a-f]{12}$/, "$1"));

test("workers in clones do each task once, each on a branch with its receipt as a note", async () => {
  const { did, dirs, inHub, work } = fleet({ plan: plan(6) }, 3);
  const ends = await Promise.all(dirs.map((dir, n) => work(dir, `--shard=${n + 1}/3`)));
  expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  expect(did().sort()).toEqual(["t1", "t2", "t3", "t4", "t5", "t6"]);
  const made = inHub("for-each-ref", "--format=%(refname:short)", "refs/heads/ralph");
  expect(branches(made)).toEqual(["t1", "t2", "t3", "t4", "t5", "t6"]);
  for (const branch of made.split("\n")) {
    expect(inHub("diff", "--name-only", "main", branch)).toBe(`done/${branches(branch)[0]}`);
    const note = JSON.parse(inHub("notes", `--ref=ralph/${branch.slice(-12)}`, "show", branch));
    expect(note).toMatchObject({ outcome: "handed_in", iterations: 1, gates: [{ command: "sh check.sh", ok: true }] });
  }
  expect(ends[0]?.output).toContain("6 tasks handed in, to be landed with `ralph land`");
});

test("what a worker held that was killed is done by another after the lease, and what it did goes on", async () => {
  const { at, did, meet, dirs, work } = fleet(
    { plan: plan(3), cases: `t1) test -e "$MEET/t1" || { touch "$MEET/t1"; ${until("never")}; };;` },
    2,
  );
  const [first = "", second = ""] = dirs;
  const env = { ...at.env, CLAIM_LEASE_MINUTES: "2s" };
  const killed = Bun.spawn([binary, "run", "--shard=1/2"], { cwd: first, env, stdio: ["ignore", "ignore", "ignore"] });
  await eventually("the agent works", () => existsSync(join(meet, "t1")));
  killed.kill("SIGKILL");
  await killed.exited;
  const { exitCode, output } = await work(second, "--shard=2/2");
  expect([exitCode, output]).toEqual([0, expect.stringContaining("Handed in: t1")]);
  expect(did().sort()).toEqual(["t1", "t1", "t2", "t3"]);
});

test("work that the hub refuses is handed in by the worker's next start, and not done again", async () => {
  const { did, dirs, hub, inHub, work } = fleet({ plan: plan(2) }, 1);
  const [dir = ""] = dirs;
  const hook = join(hub, "hooks", "update");
  const noBranches = `#!/bin/sh\ncase "$1" in refs/heads/ralph/*) echo "Names of branches begin with a ticket." >&2; exit 1;; esac\n`;
  writeFileSync(hook, noBranches, { mode: 0o755 });
  for (const _ of [1, 2]) {
    const { exitCode, output } = await work(dir, "--shard=1/1");
    expect([exitCode, output]).toEqual([7, expect.stringContaining("Names of branches begin with a ticket.")]);
    expect(did()).toEqual(["t1"]);
  }
  rmSync(hook);
  const { exitCode, output } = await work(dir, "--shard=1/1");
  expect([exitCode, output]).toEqual([0, expect.stringContaining("Handed in: t1")]);
  expect(did()).toEqual(["t1", "t2"]);
  expect(branches(inHub("for-each-ref", "--format=%(refname:short)", "refs/heads/ralph"))).toEqual(["t1", "t2"]);
}, 60_000);

test("a worker whose clock is behind keeps its task as long as it renews its claim", async () => {
  const text = plan(2);
  const { did, dirs, inHub, work } = fleet({ plan: text }, 1);
  const queue = queueName({ target: "main", prefix: "" });
  const hash = (words: string) => createHash("sha256").update(queue).update(words).digest("hex");
  const [first] = planSource(text, [], hash).graph.tasks;
  const claim = { state: "claimed", task: first?.id, text: "t1", worker: { name: "elsewhere" }, tries: 0 };
  const behindMs = 3_600_000;
  let renewedAt = Number.NEGATIVE_INFINITY;
  const renew = () => {
    if (performance.now() - renewedAt < 500) return;
    renewedAt = performance.now();
    const message = JSON.stringify({ ...claim, until: Date.now() - behindMs + 2000 });
    const commit = inHub("commit-tree", "main^{tree}", "-m", message);
    inHub("update-ref", `refs/ralph/claims/${queue}/${first?.id}`, commit);
  };
  renew();
  const other = work(dirs[0] ?? "", "--shard=1/1");
  await eventually("it does what is free", () => {
    renew();
    return did().length > 0;
  });
  const begunAt = performance.now();
  await eventually("two leases are over", () => {
    renew();
    return performance.now() - begunAt > 4000;
  });
  expect(did()).toEqual(["t2"]);
  expect((await other).exitCode).toBe(0);
  expect(did()).toEqual(["t2", "t1"]);
}, 60_000);

test("a task whose claim another version wrote is left to a person, and the others are done", async () => {
  const text = plan(2);
  const { at, did, dirs, inHub } = fleet({ plan: text }, 1);
  const queue = queueName({ target: "main", prefix: "" });
  const hash = (words: string) => createHash("sha256").update(queue).update(words).digest("hex");
  const [first] = planSource(text, [], hash).graph.tasks;
  const commit = inHub("commit-tree", "main^{tree}", "-m", '{"state":"held","version":2}');
  inHub("update-ref", `refs/ralph/claims/${queue}/${first?.id}`, commit);
  const end = await run([binary, "run", "--shard=1/1"], { cwd: dirs[0] ?? "", env: at.env, timeoutMs: 20_000 });
  expect(did()).toEqual(["t2"]);
  expect(end.output).toContain("one task that a person has to look at");
  expect(end.exitCode).toBe(6);
  expect(inHub("for-each-ref", "--format=%(objectname)", `refs/ralph/claims/${queue}/${first?.id}`)).toBe(commit);
}, 60_000);

test("a copy of a folder in which a worker was is another worker: no task is done twice", async () => {
  const { did, meet, dirs, work } = fleet({ plan: plan(3), cases: `t2) ${until("t3")};;` }, 2);
  const [first = "", second = ""] = dirs;
  expect((await work(first, "--shard=1/1", "--max-iterations", "1")).exitCode).toBe(4);
  rmSync(second, { recursive: true });
  cpSync(first, second, { recursive: true });
  const one = work(first, "--shard=1/1");
  await eventually("t2 is at work", () => did().length === 2);
  const two = work(second, "--shard=1/1");
  await eventually("another task is at work", () => did().length === 3);
  writeFileSync(join(meet, "t3"), "");
  const ends = await Promise.all([one, two]);
  expect(did()).toEqual(["t1", "t2", "t3"]);
  expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
}, 60_000);

test("a second worker in the same folder takes nothing of the first one's", async () => {
  const { did, meet, dirs, work } = fleet({ plan: plan(2), cases: `t1) touch "$MEET/t1"; ${until("go")};;` }, 1);
  const [dir = ""] = dirs;
  const first = work(dir, "--shard=1/2");
  await eventually("the agent works", () => existsSync(join(meet, "t1")));
  const second = await work(dir, "--shard=2/2");
  expect([second.exitCode, second.output]).toEqual([7, expect.stringMatching(/Another worker \(pid \d+\) works here/)]);
  writeFileSync(join(meet, "go"), "");
  expect((await first).exitCode).toBe(0);
  expect(did()).toEqual(["t1", "t2"]);
});

test("what waits for a task builds on its branch; ralph land lands it all, and ticks the plan", async () => {
  const text = "- [ ] base\n- [ ] top (after: base)\n";
  const { at, dirs, git, hub, inHub, work } = fleet({ plan: text, cases: "top) test -e done/base || exit 3;;" }, 1);
  const { exitCode } = await work(dirs[0] ?? "", "--shard=1/1");
  expect(exitCode).toBe(0);
  git("remote", "add", "origin", hub);
  const landed = await at.ralph("land", "--remote", "origin");
  expect(landed.exit).toBe(0);
  expect(inHub("show", "main:.ralph/fix_plan.md")).toBe("- [x] base\n- [x] top (after: base)");
  expect(inHub("for-each-ref", "refs/ralph", "refs/heads/ralph")).toBe("");
  expect((await work(dirs[0] ?? "", "--shard=1/1")).output).toContain("Every task is done.");
});

test("the scheduler says which worker it is; what keeps it from beginning is said, and a person's changes stay", async () => {
  const { at, dirs, inHub } = fleet({ plan: plan(1) }, 1);
  const dir = dirs[0] ?? "";
  const start = (env: Record<string, string>, ...words: string[]) =>
    run([binary, "run", ...words], { cwd: dir, env: { ...at.env, ...env } });
  expect((await start({}, "--shard")).output).toContain("No scheduler says which worker this is");
  expect((await start({}, "--shard=3/2")).exitCode).toBe(2);
  const nowhere = (await start({}, "--shard=1/1", "--hub", "nowhere")).output;
  expect(nowhere).toContain("`git ls-remote` failed: fatal: 'nowhere'");
  expect(nowhere).toContain("or in the one of --hub: see git remote --verbose");
  writeFileSync(join(dir, "shared.txt"), "mine\n");
  const dirty = await start({}, "--shard=1/1");
  expect([dirty.exitCode, dirty.output]).toEqual([7, expect.stringContaining("There are uncommitted changes")]);
  expect(inHub("for-each-ref", "refs/ralph/claims")).toBe("");
  writeFileSync(join(dir, "shared.txt"), "one\ntwo\n");
  const slurm = { SLURM_ARRAY_TASK_ID: "4", SLURM_ARRAY_TASK_COUNT: "8", SLURM_ARRAY_TASK_MIN: "1" };
  expect((await start(slurm, "--shard")).output).toContain("This is worker 4 of 8");
});

test("a bound holds for all tasks of a worker; what it leaves is done by the next", async () => {
  const { did, dirs, work } = fleet({ plan: plan(3) }, 1);
  const [dir = ""] = dirs;
  const first = await work(dir, "--shard=1/1", "--max-iterations=2");
  expect([first.exitCode, first.output]).toEqual([4, expect.stringContaining("has used up MAX_ITERATIONS")]);
  expect(did()).toEqual(["t1", "t2"]);
  expect((await work(dir, "--shard=1/1", "--max-iterations=2")).exitCode).toBe(0);
  expect(did()).toEqual(["t1", "t2", "t3"]);
});

test("a repository that an agent makes in the clone is not handed in, which is told once, by its name", async () => {
  const made = "t1) mkdir lib; git init --quiet lib; echo 1 > lib/work.txt;;";
  const { dirs, inHub, work } = fleet({ plan: plan(2), cases: made }, 1);
  const { exitCode, output } = await work(dirs[0] ?? "", "--shard=1/1");
  expect(exitCode).toBe(0);
  expect(output.replace(/\s+/g, " ").split(/lib\/ in \S+ is a repository of its own/)).toHaveLength(2);
  for (const branch of inHub("for-each-ref", "--format=%(refname)", "refs/heads/ralph").split("\n"))
    expect(inHub("ls-tree", "-r", "--name-only", branch)).not.toContain("lib");
});
