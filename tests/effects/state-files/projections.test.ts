import { beforeEach, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventBody } from "../../../src/core/journal/event.ts";
import { adoptEdits } from "../../../src/core/state-files/adopt-edits.ts";
import { readOldFiles } from "../../../src/effects/state-files/legacy-files.ts";
import { createProjections } from "../../../src/effects/state-files/projections.ts";
import {
  agentFinished,
  agentStarted,
  iterationFinished,
  iterationStarted,
  play,
  runFinished,
  runStarted,
  START,
} from "../../core/state-files/script.ts";
import { testFolders } from "../../folders.ts";

const WINDOWS = process.platform === "win32";
/** How often the reader reads while files are written. */
const READS = 10_000;
let dir: string;
let failures: string[];
const newFolder = testFolders("projections");
beforeEach(() => {
  dir = newFolder();
  failures = [];
});

const path = (...names: string[]) => join(dir, ...names);
const read = (...names: string[]) => readFileSync(path(...names), "utf8");
const create = (rotateBytes?: number) =>
  createProjections({
    ralphDir: dir,
    onFailure: (text) => failures.push(text),
    ...(rotateBytes === undefined ? {} : { rotateBytes }),
  });

function run(bodies: EventBody[], projections = create()) {
  const steps = play(...bodies);
  for (const { state, event } of steps) projections.update([{ state, event }]);
  const last = steps.at(-1);
  if (last === undefined) throw new Error("no event");
  return { projections, steps, state: last.state };
}

const iteration = (number: number): EventBody[] => [
  iterationStarted(number),
  { type: "agent_session", call: 1, session_id: "s-1" },
  { type: "agent_text", call: 1, text: "Hello\u001b[2J there" },
  agentFinished(),
  iterationFinished(),
];
const gate = (more: { exit_code?: number; timed_out?: boolean }): EventBody => ({
  type: "gate_finished",
  command: "npm test",
  exit_code: 0,
  ms: 1,
  timed_out: false,
  output: "",
  ...more,
});
const whole: EventBody[] = [runStarted(), ...iteration(1), runFinished("max_iterations")];

test("a run leaves all projections, and no temporary file", () => {
  run(whole);
  expect(readdirSync(dir).sort()).toEqual(
    [
      ".call_count",
      ".circuit_breaker_history",
      ".circuit_breaker_state",
      ".claude_session_id",
      ".exit_signals",
      ".last_reset",
      ".loop_start_sha",
      ".ralph_session",
      ".ralph_session_history",
      ".response_analysis",
      ".token_count",
      "live.log",
      "logs",
      "progress.json",
      "status.json",
    ].sort(),
  );
  expect(JSON.parse(read("status.json"))).toMatchObject({
    status: "stopped",
    exit_reason: "max_iterations",
    loop_count: 1,
    seq: 7,
  });
  expect(read("live.log")).toBe("=== Iteration 1, call 1 (2026-01-31 09:05:01) ===\nHello there\n");
  expect(read("logs", "ralph.log").split("\n")).toEqual([
    "[2026-01-31 09:05:00] [INFO] Run r1 started: ralph 1.0.0, Claude Code.",
    "[2026-01-31 09:05:01] [LOOP] Iteration 1.",
    "[2026-01-31 09:05:05] [SUCCESS] Iteration 1 ended: Two files changed.",
    "[2026-01-31 09:05:06] [INFO] Run ended (max_iterations): Over.",
    "",
  ]);
  expect(JSON.parse(read("logs", "metrics.jsonl"))).toMatchObject({ loop: 1, calls: 1, quality_gate_result: null });
  expect(failures).toEqual([]);
});

test.each([
  ["passes", [gate({})], "pass"],
  ["fails with a red gate, whichever it is", [gate({ exit_code: 1 }), gate({})], "fail"],
  ["fails with a gate that timed out, whatever its exit code", [gate({ timed_out: true })], "fail"],
] as const)("an iteration's gate result in the metrics %s", (_name, gates, expected) => {
  run([runStarted(), iterationStarted(1), agentFinished(), ...gates, iterationFinished()]);
  expect(JSON.parse(read("logs", "metrics.jsonl"))).toMatchObject({ quality_gate_result: expected });
});

test("the run's own writes are not edits at the next start, but a deletion is", () => {
  const { state } = run(whole);
  const now = START + 60_000;
  expect(adoptEdits(state, readOldFiles([dir]), now).state).toBe(state);
  rmSync(path(".claude_session_id"));
  expect(adoptEdits(state, readOldFiles([dir]), now).state.session.session_id).toBeNull();
});

test("output events write only live.log, and unchanged files are not touched", () => {
  const { projections, steps } = run([runStarted(), iterationStarted(1), agentStarted()]);
  const old = new Date(0);
  for (const name of readdirSync(dir)) if (statSync(path(name)).isFile()) utimesSync(path(name), old, old);
  const next = play(
    runStarted(),
    iterationStarted(1),
    agentStarted(),
    { type: "agent_text", call: 1, text: "x" },
    { type: "stop_withdrawn" },
  );
  const touched = () =>
    readdirSync(dir)
      .filter((name) => statSync(path(name)).mtimeMs !== 0 && name !== "logs")
      .sort();
  for (const { state, event } of next.slice(steps.length, steps.length + 1)) projections.update([{ state, event }]);
  expect(touched()).toEqual(["live.log"]);
  for (const { state, event } of next.slice(-1)) projections.update([{ state, event }]);
  expect(touched()).toEqual(["live.log", "progress.json", "status.json"]);
});

test("at the start of a run only status.json is written, marked incomplete; the other files wait for the agent", () => {
  run([runStarted()]);
  expect(readdirSync(dir).filter((name) => name !== "logs")).toEqual(["status.json"]);
  expect(JSON.parse(read("status.json"))).toMatchObject({ status: "running", seq: null });
});

describe("progress.json", () => {
  const beats = new Set<(now: number) => void>();
  const beating = () =>
    createProjections({
      ralphDir: dir,
      onFailure: (text) => failures.push(text),
      beat: (onBeat) => {
        beats.add(onBeat);
        return () => beats.delete(onBeat);
      },
    });
  const wait: EventBody = {
    type: "wait_started",
    until: new Date(START).toISOString(),
    why: "usage_limit",
    message: "",
  };

  test("is written at each beat while the agent works, even if it prints nothing for minutes", () => {
    run(
      [runStarted(), iterationStarted(1), agentStarted(), { type: "agent_text", call: 1, text: "one\ntwo" }],
      beating(),
    );
    expect(beats.size).toBe(1);
    for (const [seconds, indicator] of [
      [11, "⠙"],
      [121, "⠋"],
    ] as const) {
      for (const onBeat of beats) onBeat(START + 1000 + seconds * 1000);
      const now = { status: "executing", elapsed_seconds: seconds, indicator, last_output: "two" };
      expect(JSON.parse(read("progress.json"))).toMatchObject(now);
    }
  });

  test("reports a failed write at a beat with the next event, because a timer cannot report it", () => {
    beats.clear();
    const { projections, steps } = run([runStarted(), iterationStarted(1), agentStarted()], beating());
    rmSync(path("progress.json"));
    mkdirSync(path("progress.json"));
    for (const onBeat of beats) onBeat(START + 60_000);
    expect(failures).toEqual([]);
    for (const { state, event } of steps.slice(-1)) projections.update([{ state, event }]);
    expect(failures).toEqual([expect.stringContaining("progress.json cannot be written")]);
  });

  test.each<[string, EventBody[], number]>([
    ["before the first iteration", [runStarted()], 0],
    ["in a wait", [runStarted(), iterationStarted(1), wait], 0],
    ["after a wait", [runStarted(), iterationStarted(1), wait, { type: "wait_ended", why: "usage_limit" }], 1],
    ["between two iterations", [runStarted(), ...iteration(1)], 0],
    ["at the end", whole, 0],
  ])("has a beat only while the agent works: %s", (_, bodies, alive) => {
    beats.clear();
    run(bodies, beating());
    expect(beats.size).toBe(alive);
  });
});

test("live.log starts over with each iteration, in place, and continues with its calls", () => {
  const { projections } = run([runStarted(), ...iteration(1)]);
  const { ino } = statSync(path("live.log"));
  const steps = play(runStarted(), ...iteration(1), iterationStarted(2), iterationStarted(2, 2)).slice(-2);
  for (const { state, event } of steps) projections.update([{ state, event }]);
  expect(
    read("live.log")
      .split("\n")
      .map((line) => line.slice(0, 24)),
  ).toEqual(["=== Iteration 2, call 1 ", "=== Iteration 2, call 2 ", ""]);
  if (!WINDOWS) expect(statSync(path("live.log")).ino).toBe(ino);
});

describe("links", () => {
  test.skipIf(WINDOWS)("are replaced, never written through", () => {
    const outside = mkdtempSync(join(tmpdir(), "ralph-outside-"));
    const names = ["status.json", ".call_count", ".claude_session_id", "live.log", "status.json.tmp"];
    for (const name of names) {
      writeFileSync(join(outside, name), "precious");
      symlinkSync(join(outside, name), path(name));
    }
    mkdirSync(join(outside, "logs"));
    symlinkSync(join(outside, "logs"), path("logs"));
    run(whole);
    for (const name of names) expect(readFileSync(join(outside, name), "utf8")).toBe("precious");
    for (const name of [...names.slice(0, -1), "logs"]) expect(lstatSync(path(name)).isSymbolicLink()).toBe(false);
    expect(readdirSync(join(outside, "logs"))).toEqual([]);
    rmSync(outside, { recursive: true });
  });

  test.skipIf(WINDOWS)("in logs/ are replaced too, never written through", () => {
    writeFileSync(path("target"), "precious");
    mkdirSync(path("logs"));
    for (const name of ["ralph.log", "metrics.jsonl"]) symlinkSync(path("target"), path("logs", name));
    run(whole);
    expect(read("target")).toBe("precious");
    expect(read("logs", "ralph.log")).toContain("Run ended");
  });
});

describe("a projection that cannot be written", () => {
  test("is reported once, the rest is written, and status.json is marked incomplete", () => {
    mkdirSync(path(".call_count", "full"), { recursive: true });
    run(whole);
    expect(failures).toHaveLength(1);
    expect(failures[0]).toStartWith(".ralph/.call_count cannot be written (");
    expect(JSON.parse(read("status.json"))).toMatchObject({ status: "stopped", seq: null });
    expect(read(".token_count")).toBe("0\n");
  });

  test("is written as soon as it can be", () => {
    mkdirSync(path(".call_count"));
    const { projections } = run(whole.slice(0, -1));
    rmSync(path(".call_count"), { recursive: true });
    const end = play(...whole).slice(-1);
    for (const { state, event } of end) projections.update([{ state, event }]);
    expect(read(".call_count")).toBe("1\n");
    expect(JSON.parse(read("status.json")).seq).toBe(7);
  });

  test.skipIf(WINDOWS || process.getuid?.() === 0)("in a read-only folder does not stop the loop", () => {
    chmodSync(dir, 0o555);
    run(whole);
    expect(failures).toHaveLength(1);
    chmodSync(dir, 0o755);
  });

  test("in a missing folder does not recreate it: the loop must notice", () => {
    rmSync(dir, { recursive: true });
    run(whole);
    expect(failures).toHaveLength(1);
    expect(existsSync(dir)).toBe(false);
  });

  test("is not reported again to a caller that records the failure as a note", () => {
    mkdirSync(path(".call_count"));
    const steps = play(...whole, { type: "note", level: "warn", text: "n" });
    const projections = createProjections({
      ralphDir: dir,
      onFailure: (text) => {
        failures.push(text);
        for (const { state, event } of steps.slice(-1)) projections.update([{ state, event }]);
      },
    });
    for (const { state, event } of steps.slice(0, -1)) projections.update([{ state, event }]);
    expect(failures).toHaveLength(1);
    expect(read("logs", "ralph.log")).toContain("[WARN] n\n");
  });
});

test("after invalidate every file is written again", () => {
  const { projections, steps } = run(whole);
  rmSync(path(".last_reset"));
  projections.invalidate();
  projections.update(steps.slice(-1));
  expect(read(".last_reset")).toBe("2026013109\n");
});

test("every file tells local time by the offset that the run was given", () => {
  const nepal = (5 * 60 + 45) * 60_000;
  mkdirSync(path("runs", "r1"), { recursive: true });
  writeFileSync(path("runs", "r1", "1-1.out"), "");
  const projections = createProjections({
    ralphDir: dir,
    onFailure: (text) => failures.push(text),
    offsetAt: () => nepal,
  });
  const { steps, state } = run([runStarted(), ...iteration(1), runFinished("max_iterations")], projections);
  projections.log(START, { level: "INFO", text: "beside" });
  const there = (at: number) => new Date(at + nepal).toISOString().slice(0, 19).replace("T", " ");
  const [day, clock] = there(START).split(" ");
  const log = read("logs", "ralph.log").trimEnd().split("\n");
  expect([log[0], log.at(-1)]).toEqual([
    expect.stringContaining(`[${there(Date.parse(steps[0]?.event.at ?? ""))}] `),
    `[${day} ${clock}] [INFO] beside`,
  ]);
  const begun = steps.find(({ event }) => event.type === "iteration_started")?.event.at ?? "";
  expect(read("live.log")).toContain(`call 1 (${there(Date.parse(begun))})`);
  expect(JSON.parse(read("progress.json")).timestamp).toBe(there(Date.parse(state.last?.at ?? "")));
  expect(JSON.parse(read("status.json")).next_reset).toBe(there(state.budget.resets_at).slice(11));
  const ended = steps.map(({ event }) => event).find((event) => event.type === "agent_finished");
  const called = there(Date.parse(ended?.at ?? "") - (ended?.ms ?? 0));
  const stamp = called.replace(" ", "_").replaceAll(":", "-");
  expect(readdirSync(path("logs"))).toContain(`claude_output_${stamp}.log`);
});

test("ralph.log is rotated at the start of an iteration, four old ones are kept", () => {
  mkdirSync(path("logs"));
  for (const n of [1, 2, 3, 4]) writeFileSync(path("logs", `ralph.log.${n}`), `old ${n}`);
  const { projections } = run([runStarted(), ...iteration(1)], create(50));
  const steps = play(runStarted(), ...iteration(1), iterationStarted(2)).slice(-1);
  for (const { state, event } of steps) projections.update([{ state, event }]);
  const logs = ["ralph.log", "ralph.log.1", "ralph.log.2", "ralph.log.3", "ralph.log.4"];
  expect(
    readdirSync(path("logs"))
      .filter((name) => name.startsWith("ralph"))
      .sort(),
  ).toEqual(logs);
  expect(read("logs", "ralph.log")).toBe("[2026-01-31 09:05:06] [LOOP] Iteration 2.\n");
  expect(logs.slice(2).map((name) => read("logs", name).slice(0, 5))).toEqual(["[2026", "old 1", "old 2"]);
});

test("a log line of the caller's own is appended", () => {
  create().log(START, { level: "INFO", text: "hello" });
  expect(read("logs", "ralph.log")).toBe("[2026-01-31 09:05:00] [INFO] hello\n");
});

describe("the agent's output", () => {
  function runWithOutput(before: () => void = () => {}) {
    mkdirSync(path("runs", "r1"), { recursive: true });
    writeFileSync(path("runs", "r1", "1-1.out"), "bytes");
    before();
    run(whole);
    return readdirSync(path("logs")).filter((name) => name.includes("_output_"));
  }

  test("is linked into logs/, and the analysis names the link", () => {
    expect(runWithOutput()).toEqual(["claude_output_2026-01-31_09-05-03.log"]);
    expect(read("logs", "claude_output_2026-01-31_09-05-03.log")).toBe("bytes");
    if (!WINDOWS) expect(statSync(path("runs", "r1", "1-1.out")).nlink).toBe(2);
    expect(JSON.parse(read(".response_analysis")).output_file).toBe(
      ".ralph/logs/claude_output_2026-01-31_09-05-03.log",
    );
  });

  test("gets another name in logs/ if its name is taken", () => {
    const names = runWithOutput(() => {
      mkdirSync(path("logs"));
      writeFileSync(path("logs", "claude_output_2026-01-31_09-05-03.log"), "older");
    });
    expect(names.sort()).toEqual(["claude_output_2026-01-31_09-05-03.log", "claude_output_2026-01-31_09-05-03_2.log"]);
    expect(read("logs", "claude_output_2026-01-31_09-05-03.log")).toBe("older");
  });

  test("is named where it would be if it does not exist", () => {
    run(whole);
    expect(JSON.parse(read(".response_analysis")).output_file).toBe(".ralph/runs/r1/1-1.out");
  });
});

test("a reader in another process never sees part of a file", async () => {
  const reader = spawn(process.execPath, [join(import.meta.dir, "poll-json.ts"), path("status.json"), String(READS)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output: Buffer[] = [];
  reader.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  let isReading = true;
  reader.on("close", () => {
    isReading = false;
  });
  const steps = play(
    runStarted(),
    ...Array.from({ length: 30 }, (_, i) => [
      iterationStarted(i + 1),
      agentStarted(),
      agentFinished(),
      iterationFinished(),
    ]).flat(),
  );
  const projections = create();
  while (isReading) {
    for (const { state, event } of steps) projections.update([{ state, event }]);
    await nextTurn();
  }
  expect(JSON.parse(Buffer.concat(output).toString())).toEqual({ reads: READS, bad: 0 });
});

test("many events at once are one write, which hides no edit of the agent that runs by then", () => {
  const projections = createProjections({ ralphDir: dir, onFailure: () => {} });
  const steps = play(
    runStarted(),
    iterationStarted(1),
    agentStarted(),
    { type: "agent_text", call: 1, text: "the last words" },
    iterationFinished(),
    iterationStarted(2),
    agentStarted(),
    runFinished("max_iterations"),
  );
  projections.update(steps.splice(0, 3));
  expect(JSON.parse(read("status.json")).loop_count).toBe(1);
  writeFileSync(path("status.json"), "the agent's");
  projections.update(steps.splice(0, 4));
  expect(JSON.parse(read("status.json"))).toMatchObject({ loop_count: 2, status: "running" });
  expect(read("live.log")).toMatch(/^=== Iteration 2, call 1 .*\n$/);
  expect(read("logs", "metrics.jsonl").trimEnd().split("\n")).toHaveLength(1);
  expect(projections.repair()).toEqual(["status.json"]);
  projections.update(steps);
  expect(JSON.parse(read("status.json"))).toMatchObject({ status: "stopped", seq: 8 });
});

test("what a killed write left of a file is removed, even if the file is not written again", () => {
  for (const name of [".claude_session_id.tmp", "status.json.tmp"]) {
    writeFileSync(path(name), "half");
    utimesSync(path(name), new Date(0), new Date(0));
  }
  run([runStarted(), iterationStarted(1), agentStarted()]);
  expect(readdirSync(dir).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});
