/** Looking at a finished run: playing it back, filtering, listing and deleting. */
import { afterAll, describe, expect, test } from "bun:test";
import { works } from "../support/answers.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { onTerminal, type Pty } from "../support/pty.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

/** Long enough not to be over before it is read, even on a loaded machine: a past reset time would mean nothing. */
const LIMIT = { limit: { resets_in_ms: 1500, message: "Usage limit reached" } };

/** The scripted demo agent with text, tools, a limit, a failed call, ticks and an end. */
function demo(settings: readonly string[] = []): Project {
  const at = project({
    files: {
      ".ralph/PROMPT.md": "Do the next task.\n",
      ".ralph/@fix_plan.md": "# Plan\n- [ ] one\n- [ ] two\n",
      ".ralph/.ralphrc": ["PLATFORM_DRIVER=demo", ...settings, ""].join("\n"),
    },
    env: { RALPH_DEMO_SCRIPT: "script.json" },
  });
  const iterations = [
    {
      text: `# First\n\nI **begin** with \`one\`.\n\n${"This line is wider than eighty columns. ".repeat(3)}`,
      write: { "a.txt": "1\n2\n" },
      tick: 1,
    },
    LIMIT,
    { text: "Second.", write: { "a.txt": "1\n3\n" }, tick: 1 },
    { text: "All is done.", status: { STATUS: "COMPLETE", EXIT_SIGNAL: true } },
  ];
  at.write("script.json", JSON.stringify({ iterations }));
  return at;
}

describe("ralph replay", () => {
  test.concurrent.each([
    ["as it was", [], []],
    ["in all detail", ["-v"], []],
    ["without the agent's words", ["--no-live"], ["--no-live"]],
    ["in colour", ["--color"], ["--color"]],
  ])("shows the live output byte for byte: %s", async (_, live, again) => {
    const at = demo();
    const shown = await at.ralph("run", ...live);
    const played = await at.ralph("replay", ...again);
    expect(shown.stdout.split("\n").length).toBeGreaterThan(12);
    expect(played.stdout).toBe(shown.stdout);
    expect(played.exit).toBe(0);
  });

  test.concurrent("starts at an iteration, and says if there is no such iteration", async () => {
    const at = demo();
    const { stdout } = await at.ralph("run");
    const from = await at.ralph("replay", "--iteration", "2");
    expect(from.stdout).not.toContain("Iteration 1");
    expect(stdout.endsWith(from.stdout)).toBe(true);
    expect(from.stdout).toContain("Iteration 2");
    const none = await at.ralph("replay", "--iteration", "99");
    expect(none).toMatchObject({ exit: 7, stdout: "" });
    expect(none.stderr).toContain("no iteration 99");
  });

  test.concurrent.each([
    [["--step"], "terminal"],
    [["--speed", "0"], "above 0"],
    [["--iteration", "x"], "whole number"],
    [["--step", "--speed", "2"], "exclude"],
  ])("refuses %p", async (flags, words) => {
    const at = demo();
    await at.ralph("run", "--max-iterations", "1");
    const { exit, stderr } = await at.ralph("replay", ...flags);
    expect(exit).toBe(2);
    expect(stderr).toContain(words);
  });
});

const AS_IT_WAS = { alternate: false, cursor: true, wraps: true };

describe.skipIf(process.platform === "win32")("ralph replay on a terminal", () => {
  test.concurrent.each([
    ["in colour, wide", 120, true],
    ["without colour, narrow", 40, false],
  ])("leaves the live run's lines: %s", async (_, columns, color) => {
    const at = demo();
    const env = color ? at.env : { ...at.env, NO_COLOR: "1" };
    const live = onTerminal(["run"], { cwd: at.dir, env, columns });
    expect(await live.exited).toBe(0);
    const played = onTerminal(["replay", "--speed", "8"], { cwd: at.dir, env, columns });
    expect(await played.exited).toBe(0);
    expect(played.durable()).toEqual(live.durable());
    expect(played.durable().length).toBeGreaterThan(12);
    expect(played.durable().join("").includes("\u001b[")).toBe(color);
    // The status lines appeared, and disappeared at the end.
    expect(live.normal()).toContain("⏸");
    expect(played.normal()).toContain("REPLAY 8×");
    expect(live.durable().join("\n")).not.toContain("⏸");
    expect(played.durable().join("\n")).not.toMatch(/⏸|REPLAY/);
  });

  test.concurrent("steps by event with --step, and plays on with space", async () => {
    const at = demo();
    await at.ralph("run");
    const screen = onTerminal(["replay", "--step", "--iteration", "2"], { cwd: at.dir, env: at.env });
    const lines = () => screen.durable().join("\n");
    await until("it waits", () => screen.normal().includes("REPLAY ⏸"));
    expect(lines()).toContain("Iteration 2");
    expect(lines()).not.toContain("Usage limit");
    screen.type("n");
    await until("the next event", () => lines().includes("Usage limit"));
    expect(lines()).not.toContain("Waiting");
    screen.type("\u001b[C");
    // On a machine that stands still meanwhile the limit is over before it is waited for.
    const next = at.event("wait_started") === undefined ? "call 2 of iteration 2" : "until";
    await until("and the next", () => lines().includes(next));
    expect(lines()).not.toContain("Second.");
    screen.type("+++ ");
    expect(await screen.exited).toBe(0);
    expect(lines()).toContain("plan_complete");
  });

  test.concurrent.each<[string, (screen: Pty) => void, number]>([
    ["q", (screen) => screen.type("q"), 0],
    ["Ctrl+C", (screen) => screen.type("\u0003"), 0],
    ["SIGTERM", (screen) => screen.kill("SIGTERM"), 143],
    ["SIGHUP", (screen) => screen.kill("SIGHUP"), 129],
  ])("is left by %s", async (_, leave, code) => {
    const at = demo();
    await at.ralph("run", "--max-iterations", "1");
    const screen = onTerminal(["replay", "--step"], { cwd: at.dir, env: at.env });
    await until("it waits", () => screen.normal().includes("REPLAY ⏸"));
    leave(screen);
    expect(await screen.exited).toBe(code);
    expect(screen.durable().join("\n")).not.toContain("REPLAY");
  });

  test.concurrent("plays on the dashboard, with keys to step, jump and change the speed", async () => {
    const at = demo();
    await at.ralph("run");
    const screen = onTerminal(["replay", "-m", "--step"], { cwd: at.dir, env: at.env });
    await screen.shows("REPLAY");
    await screen.shows("⏸ paused 1×");
    screen.type("n");
    await screen.shows("Iteration 1 ");
    screen.type("g2\r");
    await screen.shows("Iteration 2 ");
    expect(screen.lines().join("\n")).toContain("I begin with one.");
    screen.type("\u001b[D");
    await screen.shows(/iteration 1 {2}/);
    screen.type("g99\r");
    await screen.shows("The run has no iteration 99.");
    screen.type("s");
    await screen.shows("there is nothing to steer");
    screen.type("\r\u001b[F\r");
    await screen.shows(/iteration 2 {2}/);
    screen.type("+++++++");
    await screen.shows("⏸ paused 128×");
    screen.type(" ");
    await screen.shows("■ end");
    await screen.shows("plan_complete");
    screen.resize(40, 12);
    await screen.shows(/^breaker CLOSED/m);
    screen.type("q");
    expect(await screen.exited).toBe(0);
    expect(screen.modes()).toEqual(AS_IT_WAS);
  });

  test.concurrent("restores the terminal when the dashboard ends, and never takes it without an iteration", async () => {
    const at = demo();
    await at.ralph("run", "--max-iterations", "1");
    const screen = onTerminal(["replay", "--monitor", "--iteration", "1"], { cwd: at.dir, env: at.env });
    await screen.shows("REPLAY");
    screen.kill("SIGTERM");
    expect(await screen.exited).toBe(143);
    expect(screen.modes()).toEqual(AS_IT_WAS);
    const none = onTerminal(["replay", "--monitor", "--iteration", "9"], { cwd: at.dir, env: at.env });
    expect(await none.exited).toBe(7);
    expect(none.normal()).toContain("no iteration 9");
    expect(await at.ralph("replay", "-m")).toMatchObject({ exit: 7, stdout: "" });
  });
});

describe("ralph logs", () => {
  test.concurrent("shows one iteration, lines with a text, or warnings and errors", async () => {
    const at = demo();
    const { stdout } = await at.ralph("run");
    expect((await at.ralph("logs", "1", "-f")).stdout).toBe(stdout);
    // Not followed, a tool has one line, of the time of its end.
    const withoutTools = (text: string) => text.split("\n").filter((line) => !/^\[.{19}\] {5}Write /.test(line));
    const { stdout: read } = await at.ralph("logs");
    expect(withoutTools(read)).toEqual(withoutTools(stdout));
    expect(read.match(/ {4}Write a\.txt \+2/g)).toHaveLength(2);
    const none = await at.ralph("logs", "--iteration", "99");
    expect(none).toMatchObject({ exit: 7, stdout: "", stderr: expect.stringContaining("no iteration 99") });
    const [second, begin, bad, json] = [
      await at.ralph("logs", "--iteration", "2"),
      await at.ralph("logs", "--grep", "BEGIN WITH"),
      await at.ralph("logs", "--level", "warn"),
      await at.ralph("logs", "--iteration", "2", "--json"),
    ];
    expect(second.stdout).toContain("Second.");
    expect(second.stdout).not.toContain("Iteration 1");
    expect(second.stdout).not.toContain("Iteration 3");
    expect(begin.stdout.trimEnd().split("\n")).toHaveLength(1);
    expect(bad.stdout).toContain("Usage limit reached");
    expect(bad.stdout).not.toContain("Second.");
    for (const line of json.stdout.trimEnd().split("\n")) expect(JSON.parse(line).iteration).toBe(2);
  });

  test.concurrent("lists a failed call once among warnings and once among errors", async () => {
    const at = project({ steps: [{ stderr: "out of luck", exit: 3 }] });
    await at.ralph("--max-iterations", "1");
    for (const level of ["warn", "error"]) {
      const { stdout } = await at.ralph("logs", "--level", level, "--iteration", "1");
      expect(stdout.split("out of luck"), level).toHaveLength(2);
    }
  });

  test.concurrent("with -f goes on with the next run, and ends with a named run", async () => {
    const at = project({ steps: [works(1)] });
    await at.ralph("--max-iterations", "1");
    const named = await at.ralph("logs", "1", "-f", "--json");
    expect(JSON.parse(named.stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ type: "run_finished" });
    const follower = at.startUnder(["sh", "-c", 'exec "$@" > followed', "sh"], "logs", "-f", "--json");
    await until("the first run is shown", () => at.has("followed") && at.read("followed").includes("run_finished"));
    await at.ralph("--max-iterations", "1");
    await until("the second run is shown", () => at.read("followed").split('"type":"run_finished"').length === 3);
    follower.kill("SIGTERM");
    expect((await follower.ended).exit).not.toBe(0);
  });
});

describe("ralph runs", () => {
  test.concurrent("lists the runs with their results", async () => {
    const at = demo();
    await at.ralph("run", "--max-iterations", "1");
    await at.ralph("run");
    const { runs } = JSON.parse((await at.ralph("runs", "--json")).stdout);
    expect(runs).toMatchObject([
      { status: "finished", stop_reason: "max_iterations", exit_code: 4, iterations: 1, driver: "demo" },
      { status: "finished", exit_code: 0 },
    ]);
    const { stdout } = await at.ralph("runs");
    expect(stdout).toContain("max_iterations");
    expect(stdout).toContain("2 runs");
  });

  test.concurrent("prunes the oldest runs only on request, and never the newest or a live one", async () => {
    const at = project({ steps: [works(1)] });
    for (let run = 0; run < 3; run += 1) await at.ralph("--max-iterations", "1");
    const [oldest, , newest] = at.runs();
    expect(await at.ralph("runs", "prune")).toMatchObject({ exit: 2 });
    expect(await at.ralph("runs", "prune", "--keep", "0", "--yes")).toMatchObject({ exit: 2 });
    const asked = await at.ralph("runs", "prune", "--keep", "1");
    expect(asked.exit).toBe(2);
    expect(asked.stderr).toContain("--yes");
    expect(at.runs()).toHaveLength(3);
    const { stdout } = await at.ralph("runs", "prune", "--keep", "2", "--yes", "--json");
    expect(JSON.parse(stdout).deleted).toEqual([oldest]);
    at.script([{ hangs: true }]);
    const live = at.start();
    await until("a live run", () => at.runs().length === 3 && at.calls().length === 4);
    await at.ralph("runs", "prune", "--keep", "1", "--yes");
    expect(at.runs()).toHaveLength(1);
    expect(at.runs()).not.toContain(newest ?? "");
    expect(JSON.parse((await at.ralph("runs", "--json")).stdout).runs).toMatchObject([{ status: "live" }]);
    live.kill("SIGTERM");
    expect((await live.ended).exit).toBe(143);
  });
});

test.concurrent("pruning keeps the run with the project's state, and the report is about it", async () => {
  const at = project({ steps: [works(1)] });
  for (let run = 0; run < 2; run += 1) await at.ralph("--max-iterations", "1");
  const [, second = ""] = at.runs();
  // The leftovers of a crash during a run's first write.
  at.write(".ralph/runs/0003-20991231-235959/events.jsonl", "");
  await at.ralph("runs", "prune", "--keep", "1", "--yes");
  expect(at.runs()).toEqual([second, "0003-20991231-235959"]);
  expect(JSON.parse((await at.ralph("report", "--json")).stdout).run).toBe(second);
  const empty = await at.ralph("report", "3");
  expect(empty).toMatchObject({ exit: 7, stdout: "" });
  expect(empty.stderr).toContain("has no beginning that can be read");
});

test.concurrent("a journal without a line is passed over, and named by whoever asks for it", async () => {
  const at = project({ steps: [works(1)] });
  await at.ralph("--max-iterations", "1");
  at.write(".ralph/runs/0002-20991231-235959/events.jsonl", "");
  for (const command of ["logs", "replay"]) {
    expect((await at.ralph(command)).stdout).toContain("max_iterations");
    const empty = await at.ralph(command, "2");
    expect(empty).toMatchObject({ exit: 7, stdout: "" });
    expect(empty.stderr).toContain("The journal of run 0002-20991231-235959 has no beginning that can be read.");
  }
  const asked = await at.ralph("replay", "--what-if", "MAX_ITERATIONS=1");
  expect(asked.stdout).toContain("Run 0001");
});

describe("ralph run --notify", () => {
  const TELL = "NOTIFY_COMMAND='cat >> told.jsonl'";
  test.concurrent.skipIf(process.platform === "win32")(
    "runs the user's command, whose failure does not affect the run",
    async () => {
      const at = demo([TELL]);
      expect((await at.ralph("run", "--notify")).exit).toBe(0);
      const lines = () => (at.has("told.jsonl") ? at.read("told.jsonl").trimEnd().split("\n") : []);
      await until("all is told", () => lines().length === 3);
      const told = lines().map((line) => JSON.parse(line));
      expect(told.map(({ kind }) => kind).sort()).toEqual(["complete", "limit_over", "limit_reached"]);
      expect(told.find(({ kind }) => kind === "complete")).toMatchObject({
        project: at.dir,
        event: { type: "run_finished", exit_code: 0 },
      });
      const failing = demo(["NOTIFY_COMMAND='exit 3'"]);
      expect((await failing.ralph("run", "--notify")).exit).toBe(0);
    },
  );

  test.concurrent("is silent without the flag", async () => {
    const at = demo([TELL]);
    await at.ralph("run");
    expect(at.has("told.jsonl")).toBe(false);
  });
});

test.concurrent("ralph report lists each iteration, each task and the total", async () => {
  const at = demo();
  await at.ralph("run");
  const report = JSON.parse((await at.ralph("report", "--json")).stdout);
  expect(report).toMatchObject({ driver: "demo", exit_code: 0, plan: { checked: 2, total: 2 } });
  expect(report.iterations.slice(0, 2)).toMatchObject([
    { number: 1, progress: true, plan_delta: 1, ticked: ["one"] },
    { number: 2, calls: 1, ticked: ["two"] },
  ]);
  expect(report.tasks).toMatchObject([{ tasks: ["one"] }, { tasks: ["two"] }]);
  const { stdout } = await at.ralph("report");
  for (const words of ["Iterations", "Tasks", "✓ one", "Total"]) expect(stdout).toContain(words);
});
