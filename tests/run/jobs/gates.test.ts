/** Gates: project commands that check an answer. */
import { describe, expect, test } from "bun:test";
import type { ProcessPort } from "../../../src/effects/ports.ts";
import { runGates } from "../../../src/run/jobs/gates.ts";
import { bodiesOf, type FakeParts, fakeWorld, type GatePlay, resultOf } from "../fake-world.ts";

const TWO_GATES = { TEST_COMMAND: null, QUALITY_GATES: ["lint", "types"] };

/** Runs two gates that end like this; a gate without an entry passes. */
async function gated(gates: (stop: () => void) => readonly GatePlay[], parts: FakeParts = {}) {
  let stop = () => {};
  const fake = fakeWorld({ ...parts, gates: gates(() => stop()), settings: TWO_GATES });
  const ran = await fake.run((run) => {
    stop = () => run.stops.request("SIGTERM", "now");
    return runGates(run, { iteration: 3, couldEndOn: null });
  });
  return { ran, ...fake };
}

describe("gates", () => {
  test("run one after the other, each recorded with its exit code", async () => {
    const { ran, journal } = await gated(() => [{ exit: 0 }, { exit: 2 }]);
    expect(ran).toBe(true);
    expect(bodiesOf(journal, "gate_started", "gate_finished")).toMatchObject([
      { type: "gate_started", command: "lint" },
      { type: "gate_finished", command: "lint", exit_code: 0, file: "3-gate-1.out" },
      { type: "gate_started", command: "types" },
      { type: "gate_finished", command: "types", exit_code: 2, file: "3-gate-2.out" },
    ]);
  });

  test("that are red are recorded with what their output names, which the end of it may not", async () => {
    const tap = `not ok 2 - subtracts\n  ---\n${"  # fail 1\n".repeat(300)}`;
    const { journal } = await gated(() => [
      { exit: 1, prints: tap },
      { exit: 0, prints: tap },
    ]);
    const [red, green] = bodiesOf(journal, "gate_finished");
    expect(red).toMatchObject({ failing: ["not ok 2 - subtracts"] });
    expect(green).not.toHaveProperty("failing");
  });

  test("that run out of time are recorded as timed out", async () => {
    const { journal } = await gated(() => [{ outcome: "timed_out" }]);
    expect(bodiesOf(journal, "gate_finished")).toMatchObject([{ timed_out: true }, { timed_out: false }]);
  });

  test("stop with the run: no further one starts, and earlier results do not count", async () => {
    const { ran, journal } = await gated((stop) => [{ meanwhile: stop }]);
    expect(ran).toBe(false);
    expect(bodiesOf(journal, "gate_started")).toMatchObject([{ command: "lint" }]);
  });

  test("do not start after an immediate stop", async () => {
    const fake = fakeWorld({ settings: TWO_GATES });
    const ran = await fake.run((run) => {
      run.stops.request("SIGTERM", "now");
      return runGates(run, { iteration: 1, couldEndOn: null });
    });
    expect([ran, fake.started]).toEqual([false, []]);
  });

  test("that change ralph's own files have that undone and noted", async () => {
    const { journal } = await gated(() => [], { guard: { repair: () => [".ralph/PROMPT.md (restored)"] } });
    expect(bodiesOf(journal, "note")).toMatchObject([
      { level: "warn", text: expect.stringContaining(".ralph/PROMPT.md (restored)") },
    ]);
  });

  test("write stdout and stderr to one file, in order", async () => {
    const { started } = await gated(() => []);
    expect(started.map(({ stdoutFile, stderrFile }) => [stdoutFile, stderrFile])).toEqual([
      ["3-gate-1.out", "3-gate-1.out"],
      ["3-gate-2.out", "3-gate-2.out"],
    ]);
  });

  test("have the beginning and the end of a long output recorded", async () => {
    const { journal } = await gated(() => [], { world: { outputEnds: () => ({ head: "first", tail: "last" }) } });
    expect(bodiesOf(journal, "gate_finished")[0]).toMatchObject({ output: "first", tail: "last" });
  });
});

describe("a gate", () => {
  const NONE = "Ran 0 tests in 0.000s\n\nOK\n";

  test("that is green and ran no test is recorded as that, and proves nothing", async () => {
    const { journal } = await gated(() => [], { world: { outputEnds: () => ({ head: NONE, tail: "" }) } });
    expect(bodiesOf(journal, "gate_finished")[0]).toMatchObject({
      counts: { passed: 0, failed: 0, skipped: 0 },
      no_tests: true,
    });
    const { journal: jest } = await gated(() => [], {
      world: { outputEnds: () => ({ head: "No tests found, exiting with code 0\n", tail: "" }) },
    });
    expect(bodiesOf(jest, "gate_finished")[0]).toMatchObject({ counts: { passed: 0 }, no_tests: true });
  });

  test("that is red is no such one, whatever it ran", async () => {
    const { journal } = await gated(() => [], {
      world: {
        outputEnds: () => ({ head: NONE, tail: "" }),
        process: { run: async () => resultOf({ exitCode: 5 }) },
      },
    });
    expect(bodiesOf(journal, "gate_finished")[0]).not.toHaveProperty("no_tests");
  });

  test.each([
    ["nothing in its middle tells of one", 3000, `${NONE}${NONE}`, true],
    ["one is told in its middle", 3000, `Ran 3 tests in 0.1s\n${NONE}`, undefined],
    ["it is too long to be looked at", 300_000, NONE, undefined],
  ])("with a long output ran no test only where all of it says so: %s", async (_, size, whole, no_tests) => {
    const outputEnds = (_path: string, { head }: { head: number }) =>
      head === 2048 ? { head: "building", tail: NONE } : { head: whole, tail: "" };
    const { journal } = await gated(() => [], { world: { outputEnds, fileSize: () => size } });
    expect((bodiesOf(journal, "gate_finished")[0] as { no_tests?: boolean }).no_tests).toBe(no_tests);
  });

  test("that also checks other things still proves those where it ran no test", async () => {
    const fake = fakeWorld({
      settings: { TEST_COMMAND: null, QUALITY_GATES: ["eslint . && python -m unittest"] },
      world: { outputEnds: () => ({ head: NONE, tail: "" }) },
    });
    await fake.run((run) => runGates(run, { iteration: 1, couldEndOn: null }));
    const [finished] = bodiesOf(fake.journal, "gate_finished");
    expect(finished).toMatchObject({ exit_code: 0, counts: { passed: 0, failed: 0 } });
    expect(finished).not.toHaveProperty("no_tests");
  });

  const TIMES = { ...TWO_GATES, QUALITY_GATES: ["lint"], QUALITY_GATE_TIMEOUT: 90 };

  test("gets its time limit, the run's marker and the project's folder, and may be silent for as long as it likes", async () => {
    const fake = fakeWorld({ settings: TIMES });
    const marker = await fake.run(async (run) => {
      await runGates(run, { iteration: 1, couldEndOn: null });
      return run.marker;
    });
    expect(fake.started).toMatchObject([
      { cwd: "/project", env: {}, timeoutMs: 90_000, idleMs: 0, graceMs: 5000, marker },
    ]);
    expect(bodiesOf(fake.journal, "gate_started")).toMatchObject([{ marker, pid: 2, group: 2, start_time: null }]);
  });

  test("has the first 2,048 bytes of its output in the journal, and the last 1,500 of what that leaves out", async () => {
    const reads: object[] = [];
    const outputEnds = (path: string, max: { head: number; tail: number }) => {
      reads.push({ path, ...max });
      return { head: "", tail: "" };
    };
    const { journal } = await gated(() => [], { world: { outputEnds } });
    expect(reads[0]).toEqual({ path: "3-gate-1.out", head: 2048, tail: 1500 });
    expect(bodiesOf(journal, "gate_finished")[0]).not.toHaveProperty("tail");
  });

  test("is recorded with the time that it took", async () => {
    expect(bodiesOf((await gated(() => [])).journal, "gate_finished")[0]).toMatchObject({ ms: 10 });
  });

  test("that cannot be started has the reason for its output", async () => {
    const run = async () => resultOf({ outcome: "spawn_failed", exitCode: null, spawnError: "no such program" });
    const { ran, journal } = await gated(() => [], { world: { process: { run } } });
    expect(ran).toBe(true);
    expect(bodiesOf(journal, "gate_finished")[0]).toMatchObject({ exit_code: null, output: "no such program" });
  });

  test("is run by the shell, as it was written", async () => {
    const commands: string[][] = [];
    const run: ProcessPort["run"] = async ({ argv }) => {
      commands.push(argv);
      return resultOf();
    };
    await gated(() => [], { world: { process: { run } } });
    expect(commands).toEqual([
      ["sh", "-c", "lint"],
      ["sh", "-c", "types"],
    ]);
  });
});

test("without gates no process runs, and the gates are complete", async () => {
  const fake = fakeWorld({ settings: { TEST_COMMAND: null, QUALITY_GATES: [] } });
  expect([await fake.run((run) => runGates(run, { iteration: 1, couldEndOn: null })), fake.started]).toEqual([
    true,
    [],
  ]);
});

test("gates are incomplete if a stop ends the last one", async () => {
  expect((await gated((stop) => [{}, { meanwhile: stop }])).ran).toBe(false);
});

test("a gate runs until its process ends", async () => {
  const { started } = await gated(() => []);
  expect(started.map(({ isFinished }) => isFinished())).toEqual([false, false]);
});
