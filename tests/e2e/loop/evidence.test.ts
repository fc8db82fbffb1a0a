/** Deciding "done" by evidence: the compiled program with the scripted demo agent. */
import { describe, expect, test } from "bun:test";
import { binary } from "../../../scripts/lib/paths.ts";
import type { DemoIteration } from "../../../src/core/demo-script.ts";
import type { EventOf, RalphEvent } from "../../../src/core/journal/event.ts";
import { lives, type Project, project } from "../support/harness.ts";
import { killWithGuardian } from "../support/kill.ts";
import { until } from "../support/until.ts";

const PLAN = "# Plan\n- [ ] parse the input\n- [ ] print the result\n";
const FILES = { ".ralph/PROMPT.md": "Do the next task.\n", ".ralph/@fix_plan.md": PLAN, "src.txt": "0\n" };
const DONE = { STATUS: "COMPLETE", EXIT_SIGNAL: true };
const GOING_ON = { STATUS: "IN_PROGRESS", EXIT_SIGNAL: false };
const claim: DemoIteration = { text: "All of it is finished.", status: DONE };

type Given = {
  steps: DemoIteration[];
  /** Lines of `.ralphrc`. */
  settings?: string[];
  files?: Record<string, string>;
  /** A shell command that runs before the agent plays its step. */
  before?: string;
};

/** A project whose agent plays `steps` and keeps its prompts. */
function given({ steps, settings = [], files = {}, before = "" }: Given): Project {
  const rc = ["PLATFORM_DRIVER=demo", ...settings, ""].join("\n");
  const where = project({ files: { ...FILES, ".ralph/.ralphrc": rc, ...files } });
  where.write("../script.json", JSON.stringify({ iterations: steps }));
  const told = where.path("../told");
  where.write("../agent.sh", `{ cat; printf '\\0'; } >> '${told}'\n${before}\nexec '${binary}' "$@"\n`);
  Object.assign(where.env, {
    RALPH_DEMO_SCRIPT: where.path("../script.json"),
    RALPH_DEMO_AGENT: "sh",
    CLAUDE_CODE_CMD: `sh '${where.path("../agent.sh")}'`,
  });
  return where;
}

/** The prompts of all calls. */
const told = (where: Project) => where.read("../told").split("\0").slice(0, -1);

function all<T extends RalphEvent["type"]>(where: Project, type: T): EventOf<T>[] {
  return where.events().filter((event): event is EventOf<T> => event.type === type);
}

const sentences = (where: Project) => all(where, "iteration_finished").map(({ verdict }) => verdict.sentence);
const rules = (where: Project) => all(where, "iteration_finished").map(({ verdict }) => verdict.rule);
const notes = (where: Project) => all(where, "note").map(({ text }) => text);
const writes = (path: string, content: string, more: Partial<DemoIteration> = {}): DemoIteration => ({
  text: "One step further.",
  write: { [path]: content },
  status: GOING_ON,
  ...more,
});

describe("a claim of done", () => {
  test("that open boxes contradict is held back, and the next prompt names them", async () => {
    const where = given({
      steps: [claim, { ...claim, tick: 1 }, { ...claim, tick: 1 }],
      settings: ["DONE_POLICY=evidence", "MAX_ITERATIONS=6"],
    });
    const { exit } = await where.ralph("run");
    expect([exit, where.event("run_finished")?.stop_reason]).toEqual([0, "project_complete"]);
    expect(sentences(where)[0]).toBe(
      "The agent says that everything is done, but 2 boxes of the plan are open; nothing changed.",
    );
    expect(rules(where)).toEqual(["exit_signal", "exit_signal", "exit_signal"]);
    const [first, second, third] = told(where);
    expect(first).toBe("Do the next task.\n");
    expect(second).toContain(
      "- 2 boxes of the plan are open.\n  - line 2: parse the input\n  - line 3: print the result",
    );
    expect(third).toContain("- 1 box of the plan is open.\n  - line 3: print the result");
  });

  test("is disputed for good after three rejections in a row", async () => {
    const where = given({ steps: [claim], settings: ["DONE_POLICY=evidence"] });
    const { exit } = await where.ralph("run");
    expect([exit, where.event("run_finished")?.stop_reason]).toEqual([6, "completion_disputed"]);
    expect(where.event("run_finished")?.sentence).toBe(
      'The agent keeps saying done, and the evidence says no. What is missing: 2 boxes of the plan are open: "parse the input", "print the result".',
    );
    expect(all(where, "iteration_finished")).toHaveLength(3);
    expect(where.status()).toMatchObject({ status: "halted", exit_reason: "completion_disputed" });
  });

  test("waits for a red gate to become green", async () => {
    const gate = "cat src.txt && test -e good.txt";
    const where = given({
      steps: [claim, { ...claim, write: { "good.txt": "yes\n" } }],
      settings: [`TEST_COMMAND="${gate}"`, "QUALITY_GATE_MODE=block"],
    });
    const { exit } = await where.ralph("run");
    expect([exit, where.event("run_finished")?.stop_reason]).toEqual([0, "project_complete"]);
    const gates = all(where, "gate_finished");
    expect(gates.map(({ exit_code, iteration, output }) => [exit_code, iteration, output])).toEqual([
      [1, 1, "0\n"],
      [0, 2, "0\n"],
    ]);
    expect(where.read(`.ralph/runs/${where.runs()[0]}/${gates[0]?.file}`)).toBe("0\n");
    expect(told(where)[1]).toContain(`\`${gate}\` failed with exit code 1. The end of its output:\n    0\n`);
  });

  test("hears what a red gate names, however much is printed behind it", async () => {
    const where = given({
      steps: [claim, { ...claim, write: { "good.txt": "yes\n" } }],
      settings: ['TEST_COMMAND="sh check.sh"', "QUALITY_GATE_MODE=block"],
    });
    const counts = "for n in $(seq 500); do echo '# fail 1'; done";
    where.write("check.sh", `test -e good.txt && exit 0; echo 'not ok 2 - subtracts'; ${counts}; exit 1\n`);
    await where.ralph("run");
    expect(told(where)[1]).toContain("failed with exit code 1. It names:\n    not ok 2 - subtracts\n");
  });

  test("that blocking gates held back five times stops the run for a person", async () => {
    const steps = Array.from({ length: 6 }, (_, n) => ({ ...claim, write: { "src.txt": `${n + 1}\n` } }));
    const where = given({ steps, settings: ["QUALITY_GATES='exit 3'", "QUALITY_GATE_MODE=block"] });
    const { exit } = await where.ralph("run");
    expect([exit, where.event("run_finished")?.stop_reason]).toEqual([6, "safety_circuit_breaker"]);
    expect(all(where, "gate_finished").map(({ exit_code }) => exit_code)).toEqual([3, 3, 3, 3, 3]);
  });
});

describe("gates", () => {
  test("that run out of time are red and leave no process alive", async () => {
    const where = given({
      steps: [writes("a.txt", "1")],
      settings: [
        "QUALITY_GATES='sleep 61 & echo $! > pid.txt && sleep 62'",
        "QUALITY_GATE_TIMEOUT=1",
        "MAX_ITERATIONS=1",
      ],
    });
    await where.ralph("run");
    expect(all(where, "gate_finished")[0]).toMatchObject({ timed_out: true });
    expect(lives(all(where, "gate_started")[0]?.pid ?? 0)).toBe(false);
    expect(lives(Number(where.read("pid.txt")))).toBe(false);
  });

  test("that outlive a killed ralph are ended by the next one", async () => {
    const where = given({ steps: [writes("a.txt", "1")], settings: ["TEST_COMMAND='sleep 60'", "MAX_ITERATIONS=1"] });
    const live = where.start("run");
    await until("the gate runs", () => all(where, "gate_started").length > 0);
    await killWithGuardian(live);
    const pid = all(where, "gate_started")[0]?.pid ?? 0;
    expect(lives(pid)).toBe(true);
    where.write(".ralph/.ralphrc", "PLATFORM_DRIVER=demo\nMAX_ITERATIONS=1\n");
    await where.ralph("run");
    expect(lives(pid)).toBe(false);
    expect(where.event("run_recovered")?.interrupted_iteration).toBe(1);
    expect(where.event("run_recovered")?.ended_processes).toContain(pid);
    expect(where.events(1).filter(({ type }) => type === "gate_finished")).toHaveLength(1);
  });

  test("run before a plan that is complete at the start counts", async () => {
    const files = { ".ralph/@fix_plan.md": "- [x] one\n", "check.sh": "test -e good.txt\n" };
    const settings = ["TEST_COMMAND='sh check.sh'", "DONE_POLICY=evidence", "MAX_ITERATIONS=3"];
    const where = given({ steps: [writes("good.txt", "yes\n")], settings, files });
    const { exit } = await where.ralph("run");
    expect([exit, where.event("run_finished")?.stop_reason]).toEqual([0, "plan_complete"]);
    expect(all(where, "gate_finished").map(({ iteration, exit_code }) => [iteration, exit_code])).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });

  test("that are green let a complete plan end the run without a call", async () => {
    const files = { ".ralph/@fix_plan.md": "- [x] one\n" };
    const where = given({ steps: [claim], settings: ["TEST_COMMAND=true", "DONE_POLICY=evidence"], files });
    const { exit } = await where.ralph("run");
    expect([exit, where.event("run_finished")?.calls]).toEqual([0, 0]);
  });

  test("run only on completion with the setting, and never after a failed call", async () => {
    const failed: DemoIteration = { error: { class: "request", message: "400 bad request" } };
    const settings = ["TEST_COMMAND=true", "QUALITY_GATE_ON_COMPLETION_ONLY=true", "MAX_ITERATIONS=2"];
    const where = given({ steps: [writes("a.txt", "1"), claim], settings });
    await where.ralph("run");
    expect(all(where, "gate_finished").map(({ iteration }) => iteration)).toEqual([2]);
    const other = given({ steps: [failed], settings: ["TEST_COMMAND=true", "MAX_ITERATIONS=1"] });
    await other.ralph("run");
    expect(all(other, "gate_finished")).toEqual([]);
  });

  test("that only warn hold nothing back", async () => {
    const where = given({ steps: [claim], settings: ["TEST_COMMAND=false"] });
    const { exit } = await where.ralph("run");
    expect([exit, all(where, "gate_finished").length]).toEqual([0, 2]);
  });

  test("in circuit-breaker mode make an iteration count as idle, whatever changed", async () => {
    const steps = Array.from({ length: 6 }, (_, n) => writes("src.txt", `${n + 1}\n`));
    const where = given({ steps, settings: ["TEST_COMMAND=false", "QUALITY_GATE_MODE=circuit-breaker"] });
    const { exit } = await where.ralph("run");
    expect([exit, where.event("run_finished")?.stop_reason]).toEqual([3, "stagnation_detected"]);
    expect(where.event("run_finished")?.sentence).toContain("a red gate is none");
  });
});

test("work in circles is stagnation, and the sentence says so", async () => {
  const turns = ["a", "b", "a", "b"].map((text) => writes("src.txt", text));
  const where = given({ steps: turns });
  const { exit } = await where.ralph("run");
  expect([exit, where.event("run_finished")?.stop_reason]).toEqual([3, "stagnation_detected"]);
  expect(where.event("run_finished")?.sentence).toContain("in circles");
  expect(rules(where)).toEqual(["progress", "progress", "returned", "returned"]);
});

test("claimed tasks are compared with ticked boxes and never believed", async () => {
  const where = given({
    steps: [{ ...writes("a.txt", "1"), tick: 1, status: { ...GOING_ON, TASKS_COMPLETED_THIS_LOOP: 2 } }],
    settings: ["MAX_ITERATIONS=1"],
  });
  await where.ralph("run");
  expect(sentences(where)).toEqual(["Progress: 1 file changed, 1 box ticked. It claims 2 tasks, and ticked 1 box."]);
});

test("a question freezes the breaker's counter", async () => {
  const idle: DemoIteration = { text: "I looked around.", status: GOING_ON };
  const question: DemoIteration = { text: "Should I use tabs or spaces?", status: GOING_ON };
  const where = given({ steps: [idle, question, question, question, idle], settings: ["MAX_ITERATIONS=5"] });
  const { exit } = await where.ralph("run");
  expect([exit, where.event("run_finished")?.stop_reason]).toEqual([4, "max_iterations"]);
  expect(rules(where)).toEqual(["no_progress", "question", "question", "question", "no_progress"]);
  expect(all(where, "iteration_finished").map(({ breaker }) => breaker.no_progress)).toEqual([1, 1, 1, 1, 2]);
});

describe("ralph's own files", () => {
  test("are restored and named if the agent edits them, except the plan", async () => {
    const write = {
      ".ralph/status.json": "{}",
      ".ralph/.call_count": "0\n",
      ".ralph/PROMPT.md": "Say that all is done.\n",
      ".ralph/.ralphrc": "MAX_CALLS_PER_HOUR=1\n",
      ".ralph/lock": "{}",
      "a.txt": "1",
    };
    const where = given({ steps: [{ ...writes("a.txt", "1"), write }], settings: ["MAX_ITERATIONS=1"] });
    await where.ralph("run");
    expect(where.read(".ralph/PROMPT.md")).toBe("Do the next task.\n");
    expect(where.read(".ralph/.call_count").trim()).toBe("1");
    expect(where.status()).toMatchObject({ loop_count: 1 });
    expect(where.has(".ralph/lock")).toBe(false);
    const told = notes(where).filter((text) => text.startsWith("Protected files were changed"));
    expect(told).toHaveLength(1);
    for (const name of Object.keys(write).filter((one) => one.startsWith(".ralph"))) expect(told[0]).toContain(name);
    const kept = /kept in (\S+\.edited-1)/.exec(told[0] ?? "")?.[1] ?? "";
    expect(where.read(kept)).toBe("Say that all is done.\n");
  });

  const change = writes("a.txt", "1");
  test.each<[string, string, DemoIteration, string[]]>([
    ["after an iteration", "rm -rf .ralph", claim, []],
    ["before its gates", "rm -rf .ralph", claim, ["TEST_COMMAND=true"]],
    ["a file in their place, before its gates", "rm -rf .ralph/runs; touch .ralph/runs", claim, ["TEST_COMMAND=true"]],
    ["before its review", "rm -rf .ralph", change, ["REVIEW_MODE=enhanced", "REVIEW_INTERVAL=1"]],
    ["by the gates", "true", claim, ["TEST_COMMAND='rm -rf .ralph'"]],
  ])("that disappear are restored and stop the run: %s", async (_when, before, step, settings) => {
    const where = given({ steps: [step], settings, before });
    const { exit } = await where.ralph("run");
    expect([exit, where.event("run_finished", 1)?.stop_reason]).toEqual([7, "files_deleted"]);
    expect(where.read(".ralph/PROMPT.md")).toBe("Do the next task.\n");
  });

  test("are restored if gates delete them before the first call", async () => {
    const files = { ".ralph/@fix_plan.md": "- [x] one\n" };
    const settings = ["TEST_COMMAND='rm -rf .ralph; false'", "DONE_POLICY=evidence"];
    const where = given({ steps: [claim], settings, files });
    const { exit } = await where.ralph("run");
    expect([exit, where.event("run_finished")]).toMatchObject([7, { stop_reason: "files_deleted", calls: 0 }]);
  });

  test("include the journal, whose foreign lines are cut off", async () => {
    const before = `for f in .ralph/runs/*/events.jsonl; do echo '{"type":"run_finished"}' >> $f; done`;
    const where = given({ steps: [{ text: "Did it." }], settings: ["MAX_ITERATIONS=1"], before });
    await where.ralph("run");
    expect(where.event("run_finished")?.stop_reason).toBe("max_iterations");
    expect(where.events().map(({ seq }) => seq)).toEqual(where.events().map((_, index) => index + 1));
    expect(notes(where).join()).toContain("added lines were cut off");
  });

  test("include a journal without its lines, which goes on from the state in memory", async () => {
    const before = "for f in .ralph/runs/*/events.jsonl; do : > $f; done";
    const where = given({ steps: [{ text: "Did it." }], settings: ["MAX_ITERATIONS=2"], before });
    const { exit } = await where.ralph("run");
    expect(exit).toBe(4);
    expect(where.events()[0]).toMatchObject({ type: "run_started" });
    expect(where.event("run_finished")).toMatchObject({ stop_reason: "max_iterations", iterations: 2 });
    const { stdout } = await where.ralph("status", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ iteration: 2, stop_reason: "max_iterations" });
  });
});

describe("a review", () => {
  const found = { severity: "HIGH", issues_found: 1, summary: "The parser is wrong.", details: [] };
  const review = `Looked at it. EXIT_SIGNAL: true\n---REVIEW_FINDINGS---\n${JSON.stringify(found)}\n---END_REVIEW_FINDINGS---`;
  const reviewing: DemoIteration = { text: review, status: DONE, write: { "b.txt": "no review writes" } };

  test("runs read-only after a ticked box, counts as a call and not as an iteration, and never as done", async () => {
    const steps = [writes("a.txt", "1", { tick: 1 }), reviewing, writes("a.txt", "2")];
    const files = { ".ralph/REVIEW_PROMPT.md": "Look for leaks.\n" };
    const where = given({ steps, settings: ["REVIEW_MODE=ultimate", "MAX_ITERATIONS=2"], files });
    const { exit } = await where.ralph("run");
    expect([exit, where.event("run_finished")]).toMatchObject([4, { iterations: 2, calls: 3 }]);
    expect(all(where, "agent_started").map(({ purpose }) => purpose)).toEqual(["main", "review", "main"]);
    expect(all(where, "review_finished")).toMatchObject([
      { iteration: 1, findings: found, sentence: "The review found 1 issue (HIGH): The parser is wrong." },
    ]);
    expect(where.has("b.txt")).toBe(false);
    expect(told(where)[1]).toContain("Look for leaks.");
    expect(told(where)[2]).toContain("grave faults (HIGH). Fix them before anything else.\nThe parser is wrong.");
    const [first, second, third] = all(where, "agent_started").map(({ argv }) => argv);
    expect(second).toContain("--read-only");
    expect(second?.includes("--resume")).toBe(false);
    const session = first?.[first.indexOf("--session-id") + 1] ?? "none";
    expect(third?.slice(third.indexOf("--resume"))[1]).toBe(session);
  });

  test("waits for its interval and for a change, and its failure does not count", async () => {
    const idle: DemoIteration = { text: "Nothing to do yet.", status: GOING_ON };
    const broken: DemoIteration = { error: { class: "auth", message: "at line 1\nError: log in first" } };
    const steps = [idle, writes("a.txt", "1"), broken, writes("a.txt", "2")];
    const settings = ["REVIEW_MODE=enhanced", "REVIEW_INTERVAL=2", "MAX_ITERATIONS=3"];
    const where = given({ steps, settings });
    const { exit } = await where.ralph("run");
    expect([exit, where.event("run_finished")?.stop_reason]).toEqual([4, "max_iterations"]);
    expect(all(where, "review_finished")).toMatchObject([
      { iteration: 2, findings: null, sentence: "The review failed: Error: log in first." },
    ]);
  });

  test("is not made if the run would end anyway", async () => {
    const steps = [writes("a.txt", "1", { tick: 2 })];
    const where = given({ steps, settings: ["REVIEW_MODE=ultimate", "MAX_ITERATIONS=1"] });
    await where.ralph("run");
    expect(all(where, "review_started")).toEqual([]);
  });
});

test("an agent that prints nothing is kept alive by its writes", async () => {
  // Longer than the idle time, with writes so frequent that a busy machine does not look idle.
  const before = "for n in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 0.25; echo $n > a.txt; done";
  const where = given({
    steps: [{ text: "Did it." }],
    settings: ["IDLE_TIMEOUT_MINUTES=2s", "MAX_ITERATIONS=1"],
    before,
  });
  await where.ralph("run");
  expect(all(where, "agent_finished")).toMatchObject([{ outcome: "ok" }]);
});

test("a call that prints but writes nothing is ended, and two in a row open the breaker", async () => {
  const silent: DemoIteration = { text: "thinking", hang_ms: 60_000 };
  const where = given({ steps: [silent], settings: ["WRITE_TIMEOUT_MINUTES=1s"] });
  const { exit } = await where.ralph("run");
  expect([exit, where.event("run_finished")?.stop_reason]).toEqual([3, "read_only_timeouts"]);
  expect(sentences(where)[0]).toBe("Ended after too long without writing anything, and nothing changed.");
  expect(all(where, "agent_finished")[0]).toMatchObject({ outcome: "idle", no_writes: true });
});

test("a person is warned once that many iterations only run tests", async () => {
  const tests = (nth: number): DemoIteration => ({
    text: "The tests pass.",
    status: { ...GOING_ON, WORK_TYPE: "TESTING" },
    write: { "a.test.ts": `${nth}\n` },
  });
  const work: DemoIteration = { text: "A step.", status: GOING_ON, write: { "src.txt": "1\n" } };
  const where = given({
    steps: [tests(1), tests(2), work, tests(3)],
    settings: ["TEST_PERCENTAGE_THRESHOLD=10%", "MAX_ITERATIONS=4"],
  });
  const { stdout } = await where.ralph("run");
  const warning = "2 of the last 2 iterations only ran tests";
  expect(stdout.split(warning)).toHaveLength(2);
  expect(where.read(".ralph/logs/ralph.log").match(new RegExp(`\\[WARN\\] ${warning}`, "g"))).toHaveLength(1);
});

test.each([
  ["evidence", 4, "max_iterations", 6],
  ["signals", 0, "test_saturation", 3],
])("under %s a task of writing tests ends with exit code %i", async (policy, exit, stop_reason, calls) => {
  const tests = (nth: number): DemoIteration => ({
    text: "The tests of one more module.",
    status: { ...GOING_ON, WORK_TYPE: "TESTING" },
    write: { [`tests/${nth}.test.ts`]: `${nth}\n` },
  });
  const where = given({
    steps: [1, 2, 3, 4, 5, 6].map(tests),
    settings: [`DONE_POLICY=${policy}`, "TEST_COMMAND=true", "MAX_ITERATIONS=6"],
  });
  const ended = await where.ralph("Write tests for the six modules");
  expect(where.event("run_finished")).toMatchObject({ stop_reason, calls });
  expect(ended.exit).toBe(exit);
});

test("who says done and that tests failed, in whichever word, is not believed", async () => {
  const status = { ...DONE, TESTS_STATUS: "FAILED" };
  const where = given({ steps: [{ text: "It is finished.", status }], settings: ["DONE_POLICY=evidence"] });
  const { exit } = await where.ralph("Build it");
  expect([exit, where.event("run_finished")?.stop_reason]).toEqual([6, "completion_disputed"]);
});
