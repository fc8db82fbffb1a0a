/** A run looked at afterwards: played back, filtered, listed, deleted. */
import { afterAll, describe, expect, test } from "bun:test";
import { works } from "./answers.ts";
import { cleanUp, type Project, project, until } from "./harness.ts";

afterAll(cleanUp);

/** Long enough that it is not over before it is read, on a loaded machine too: a time in the past says nothing. */
const LIMIT = { limit: { resets_in_ms: 1500, message: "Usage limit reached" } };

/** The scripted demo agent: text, tools, a limit, a red call, ticks and an end. */
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
    { text: "# First\n\nI **begin** with `one`.", write: { "a.txt": "1\n2\n" }, tick: 1 },
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
  ])("shows what was shown live, byte for byte: %s", async (_, live, again) => {
    const at = demo();
    const shown = await at.ralph("run", ...live);
    const played = await at.ralph("replay", ...again);
    expect(shown.stdout.split("\n").length).toBeGreaterThan(12);
    expect(played.stdout).toBe(shown.stdout);
    expect(played.exit).toBe(0);
  });

  test.concurrent("begins with an iteration, and says which it has not", async () => {
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

describe("ralph logs", () => {
  test.concurrent("shows one iteration, lines with a text, and what is bad", async () => {
    const at = demo();
    await at.ralph("run");
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

  test.concurrent("-f goes on with the next run, and ends with the run that is named", async () => {
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
  test.concurrent("lists the runs with what they came to", async () => {
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

  test.concurrent("prunes the oldest, never without being told to, never the newest or a live one", async () => {
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

describe("ralph run --notify", () => {
  const TELL = "NOTIFY_COMMAND='cat >> told.jsonl'";
  test.concurrent.skipIf(process.platform === "win32")(
    "tells the user's command, which cannot fail the run",
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

test.concurrent("ralph report tells each iteration, each task and the whole", async () => {
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
