import { afterAll, describe, expect, test } from "bun:test";
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { answer, done, works } from "../support/answers.ts";
import { cleanUp, lives, project } from "../support/harness.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const PROMPT = { ".ralph/PROMPT.md": "Do the next task.\n" };
const blocked = { stdout: answer({ status: "BLOCKED", recommendation: "Give me the key of the vault." }) };
const asks = { stdout: answer({ text: "Which database should I use? Should I go on? Do you want me to ask again?" }) };

describe("a bound", () => {
  test.concurrent.each([
    [["--max-iterations", "2"], "max_iterations", 2],
    [["--max-cost", "0.015"], "max_cost", 2],
    [["--max-tokens", "300"], "max_tokens", 2],
    [["--max-time", "1s"], "max_time", 1],
  ])("%j ends the run with 4 as %s", async (flags, reason, calls) => {
    const slow = reason === "max_time" ? { delay_ms: 1100 } : {};
    const at = project({ steps: [1, 2, 3].map((nth) => ({ ...works(nth), ...slow })) });
    const { exit } = await at.ralph(...flags);
    expect(exit).toBe(4);
    expect(at.event("run_finished")).toMatchObject({ stop_reason: reason, calls });
    expect(at.status()).toMatchObject({ status: "stopped", exit_reason: reason });
    expect(at.calls().length).toBe(calls);
  });

  test.concurrent("on time ends a call that hangs, and everything it started", async () => {
    const at = project({ steps: [{ hangs: true, ignores_term: true, child: "holds_pipe" }] });
    const { exit } = await at.ralph("--max-time", "1s");
    expect(exit).toBe(4);
    expect(at.event("agent_finished")).toMatchObject({ outcome: "timed_out" });
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "max_time", calls: 1 });
    expect(
      at
        .calls()
        .flatMap(({ pid, child }) => [pid, child ?? 0])
        .map(lives),
    ).toEqual([false, false]);
  });

  test.concurrent("on time ends a wait as well", async () => {
    const at = project({ steps: [{ stdout: answer({ error: "overloaded" }), exit: 1 }] });
    const { exit } = await at.ralph("--max-time", "2s");
    expect(exit).toBe(4);
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "max_time", calls: 1 });
  });
});

describe("the work", () => {
  test.concurrent("that is done before the start costs no call", async () => {
    const at = project({ files: { ...PROMPT, ".ralph/@fix_plan.md": "- [x] one\n- [X] two\n" }, steps: [works(1)] });
    const { exit } = await at.ralph();
    expect({ exit, calls: at.calls().length }).toEqual({ exit: 0, calls: 0 });
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "plan_complete", iterations: 0 });
    expect(at.status()).toMatchObject({ status: "completed", exit_reason: "plan_complete" });
  });

  test.concurrent("whose open boxes lack their blank is not done", async () => {
    const plan = { ".ralph/@fix_plan.md": "- [x] one\n- [] two\n" };
    const step = { ...works(1), files: { ".ralph/@fix_plan.md": "- [x] one\n- [x] two\n" } };
    const at = project({ files: { ...PROMPT, ...plan }, steps: [step] });
    const { exit } = await at.ralph();
    expect({ exit, calls: at.calls().length }).toEqual({ exit: 0, calls: 1 });
    expect(at.event("iteration_finished")).toMatchObject({ evidence: { plan_delta: 1, plan_ticked: ["two"] } });
  });

  test.concurrent("that the agent twice says is done ends with 0", async () => {
    const at = project({ steps: [works(1), done, done] });
    const { exit, stdout } = await at.ralph();
    expect(exit).toBe(0);
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "project_complete", calls: 3 });
    expect(stdout).toContain("confirmed it");
    expect(JSON.parse(at.read(".ralph/.ralph_session"))).toMatchObject({ session_id: "" });
  });

  test.concurrent("is not over by words alone, whatever becomes of .response_analysis", async () => {
    const text = "All tasks are complete.";
    const at = project({
      steps: [
        works(1, { text }),
        { ...works(2, { text }), files: { "src/2.txt": "2\n", ".ralph/.response_analysis": null } },
        { ...works(3, { text }), files: { "src/3.txt": "3\n", ".ralph/.response_analysis": "{not json" } },
      ],
    });
    expect((await at.ralph("--max-iterations", "3")).exit).toBe(4);
    const exitSignal = () => JSON.parse(at.read(".ralph/.response_analysis")).analysis.exit_signal;
    expect(exitSignal()).toBe(false);
    expect(JSON.parse(at.read(".ralph/.exit_signals")).completion_indicators).toEqual([1, 2, 3]);
    at.script([works(4, { text }), done]);
    expect((await at.ralph()).exit).toBe(0);
    expect({ exitSignal: exitSignal(), reason: at.status().exit_reason }).toEqual({
      exitSignal: true,
      reason: "project_complete",
    });
  });

  test.concurrent("that is blocked twice in a row ends with 6 and the recommendation", async () => {
    const at = project({ steps: [blocked] });
    const { exit, stdout } = await at.ralph();
    expect({ exit, calls: at.calls().length }).toEqual({ exit: 6, calls: 2 });
    expect(stdout).toContain("the key of the vault");
    expect(at.status()).toMatchObject({ status: "halted", exit_reason: "blocked" });
  });

  test.concurrent("that is blocked and asks for the end of the loop by EXIT_SIGNAL has not done its work", async () => {
    const gives = answer({ status: "BLOCKED", exit: true, recommendation: "Give me the key of the vault." });
    const at = project({ steps: [works(1), { stdout: gives }] });
    expect((await at.ralph()).exit).toBe(6);
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "blocked", iterations: 3 });
    expect(at.event("run_finished")?.sentence).toContain("Give me the key of the vault.");
  });

  test.concurrent("that is blocked only once goes on", async () => {
    const at = project({ steps: [blocked, works(1), blocked, works(2)] });
    const { exit } = await at.ralph("--max-iterations", "4");
    expect(exit).toBe(4);
  });

  test.concurrent("that stops for a question freezes the breaker, and the next prompt answers", async () => {
    const at = project({ steps: [asks] });
    const { exit } = await at.ralph("--max-iterations", "4");
    expect(exit).toBe(4);
    expect(JSON.parse(at.read(".ralph/.circuit_breaker_state"))).toMatchObject({
      state: "CLOSED",
      consecutive_no_progress: 0,
    });
    const [first, second] = at.calls().map(({ argv, stdin }) => `${argv.join("\n")}\n${stdin}`);
    expect(second).toMatch(/question/i);
    expect(first).not.toMatch(/question/i);
  });

  test.concurrent("of an agent that is not logged in ends with 6 and no second call", async () => {
    const at = project({ steps: [{ stdout: answer({ error: "Invalid API key · Please run /login" }), exit: 1 }] });
    const { exit } = await at.ralph();
    expect({ exit, calls: at.calls().length }).toEqual({ exit: 6, calls: 1 });
    expect(at.status()).toMatchObject({ exit_reason: "authentication" });
  });
});

test.concurrent.each([
  ["OPEN - stagnation detected", { stdout: answer() }, { CB_NO_PROGRESS_THRESHOLD: "1" }],
  [
    "OPEN - permission_denied",
    works(1, { denied: "rm x" }),
    { PERMISSION_DENIAL_MODE: "threshold", CB_PERMISSION_DENIAL_THRESHOLD: "1" },
  ],
])("a breaker that opens is called %p on the screen, in the log and by the commands", async (words, step, env) => {
  const at = project({ steps: [step], env });
  const { exit, stdout } = await at.ralph();
  expect({ exit, stdout }).toEqual({ exit: 3, stdout: expect.stringContaining(words) });
  expect(at.read(".ralph/logs/ralph.log")).toContain(words);
  expect((await at.ralph("circuit", "status")).stdout).toContain(words);
  expect((await at.ralph("doctor")).stdout).toContain(words);
});

test.concurrent("a start refused by an open breaker adds nothing to the session history", async () => {
  const at = project({ steps: [{ stdout: answer() }], env: { CB_NO_PROGRESS_THRESHOLD: "1" } });
  expect((await at.ralph()).exit).toBe(3);
  const history = at.read(".ralph/.ralph_session_history");
  expect(JSON.parse(history)).toHaveLength(1);
  for (const _ of [1, 2]) expect((await at.ralph()).exit).toBe(3);
  expect(at.read(".ralph/.ralph_session_history")).toBe(history);
});

/** Shell that repeats `change` until `holds`: between two of its commands ralph may have put back what the first took. */
const insistently = (holds: string, change: string) => `until [ ${holds} ]; do ${change}; done`;

describe("a deleted file is restored and the run ends with 7", () => {
  const files = { ...PROMPT, ".ralph/@fix_plan.md": "- [ ] one\n", ".ralph/@AGENT.md": "# Agent\n", ".ralphrc": "\n" };
  test.concurrent.each([
    [".ralph/PROMPT.md"],
    [".ralph/@fix_plan.md"],
    [".ralph/@AGENT.md"],
    [".ralphrc"],
    [".ralph"],
    [".ralph/runs"],
  ])("%s", async (path) => {
    const at = project({ files, steps: [{ ...works(1), files: { [path]: null } }] });
    const { exit, stdout } = await at.ralph();
    expect(exit).toBe(7);
    for (const [name, content] of Object.entries(files)) expect(at.read(name)).toBe(content);
    expect(stdout).toContain("Put back");
    const events = at.events();
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)).toMatchObject({ type: "run_finished", stop_reason: "files_deleted" });
    expect(at.status()).toMatchObject({ status: "halted", exit_reason: "files_deleted" });
    expect(at.has(".ralph/lock")).toBe(false);
    const status = JSON.parse((await at.ralph("status", "--json")).stdout);
    expect(status).toMatchObject({ stop_reason: "files_deleted", iteration: 1 });
  });

  test.concurrent.skipIf(process.platform === "win32").each([
    ["a folder in its place", "rm .ralph/PROMPT.md && mkdir .ralph/PROMPT.md"],
    [
      "a folder with files in its place",
      "rm .ralph/@fix_plan.md && mkdir .ralph/@fix_plan.md && touch .ralph/@fix_plan.md/a",
    ],
    ["a link to nowhere in its place", "ln -sf nowhere .ralph/PROMPT.md"],
    ["a file in its place", insistently("-f .ralph", "rm -r .ralph; touch .ralph")],
    ["a link out of the project in its place", insistently("-L .ralph", 'rm -r .ralph; ln -s "$HOME" .ralph')],
    ["a link to nowhere in the place of all", insistently("-L .ralph", "rm -r .ralph; ln -s nowhere .ralph")],
    ["a file in the place of all runs", insistently("-f .ralph/runs", "rm -r .ralph/runs; touch .ralph/runs")],
    [
      "a file in the place of this run",
      `for run in .ralph/runs/*; do ${insistently("-f $run", "rm -r $run; touch $run")}; done`,
    ],
  ])("even if the agent leaves %s: %s", async (_, shell) => {
    const at = project({ files, steps: [{ ...works(1), shell }] });
    const { exit, stderr } = await at.ralph();
    expect({ exit, stderr }).toEqual({ exit: 7, stderr: "" });
    for (const [name, content] of Object.entries(files)) expect(at.read(name)).toBe(content);
    const events = at.events(1);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)).toMatchObject({ type: "run_finished", stop_reason: "files_deleted" });
    expect(at.status()).toMatchObject({ exit_reason: "files_deleted" });
    expect(lstatSync(at.path(".ralph")).isDirectory()).toBe(true);
    expect(at.event("iteration_finished", 1)?.evidence.files_changed).toEqual(["src/1.txt"]);
    const left = readdirSync(at.dir, { recursive: true }).map(String);
    expect(left.some((name) => name.includes(".changed-1")) || shell.startsWith("ln ")).toBe(true);
    expect(at.has(".ralph/lock")).toBe(false);
  });

  test.concurrent.each([[".ralph/@fix_plan.md"], [".ralph"]])(
    "as it was before the iteration that deleted %s, not as at the start: ticks and new tasks stay",
    async (path) => {
      const [ticked, grown] = ["- [x] one\n- [ ] two\n", "- [x] one\n- [x] two\n- [ ] three\n"];
      const at = project({
        files: { ...files, ".ralph/@fix_plan.md": "- [ ] one\n- [ ] two\n" },
        steps: [
          { ...works(1), files: { "1.txt": "1", ".ralph/@fix_plan.md": ticked } },
          { ...works(2), files: { "2.txt": "2", ".ralph/@fix_plan.md": grown } },
          { ...works(3), files: { [path]: null } },
        ],
      });
      expect((await at.ralph()).exit).toBe(7);
      expect(at.read(".ralph/@fix_plan.md")).toBe(grown);
    },
  );

  test.concurrent.skipIf(process.platform === "win32")(
    "and the agent's output during the deletion is kept",
    async () => {
      const at = project({ files, steps: [{ ...works(1), files: { ".ralph": null } }] });
      expect((await at.ralph()).exit).toBe(7);
      const [run = ""] = at.runs();
      expect(at.read(join(".ralph/runs", run, "1-1.out"))).toBe(works(1).stdout ?? "");
      expect(at.has(join(".ralph/runs", run, "1-1.err"))).toBe(true);
    },
  );

  test.concurrent.skipIf(process.platform === "win32")(
    "but not after a rename of the project, which keeps its journal in its new place",
    async () => {
      const at = project({ files, steps: [{ ...works(1), shell: 'mv "$PWD" "$PWD.new"' }] });
      expect((await at.ralph()).exit).toBe(7);
      expect(at.has(".")).toBe(false);
      const moved = (name: string) => at.read(join("..", "project.new", name));
      const [run = ""] = readdirSync(at.path("../project.new/.ralph/runs"));
      expect(moved(`.ralph/runs/${run}/events.jsonl`)).toMatch(/"stop_reason":"files_deleted".*no longer where it was/);
      expect(moved(`.ralph/runs/${run}/1-1.out`)).toBe(works(1).stdout ?? "");
    },
  );

  test.concurrent.skipIf(process.platform === "win32")(
    "but not the repository, whose loss is told, also to who wants to undo",
    async () => {
      const at = project({ files, steps: [{ ...works(1), shell: "find . -mindepth 1 -delete" }] });
      const { exit, stdout } = await at.ralph();
      expect([exit, stdout.replace(/\s+(?:\[[^\]]*\]\s+)?/g, " ")]).toEqual([
        7,
        expect.stringContaining("The project's git repository is gone: get it back before you go on."),
      ]);
      const undo = await at.ralph("undo");
      expect([undo.exit, undo.stderr]).toEqual([
        7,
        expect.stringMatching(
          /^ralph: Nothing was undone: the checkpoint [0-9a-f]{10} cannot be read: Could not find [0-9a-f]+\.\n {2}If /,
        ),
      ]);
    },
  );

  test.concurrent("even if the user deletes it during a wait", async () => {
    const at = project({ files, steps: [{ stdout: answer({ error: "overloaded" }), exit: 1 }] });
    const live = at.start();
    await until("the wait", () => at.event("wait_started") !== undefined);
    rmSync(at.path(".ralph/PROMPT.md"));
    expect((await live.ended).exit).toBe(7);
    expect(at.read(".ralph/PROMPT.md")).toBe(files[".ralph/PROMPT.md"]);
    expect({ calls: at.calls().length, status: at.status() }).toMatchObject({
      calls: 1,
      status: { exit_reason: "files_deleted" },
    });
  });
});
