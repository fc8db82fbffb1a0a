/** Gates that an agent cannot bend: the compiled program, a scripted agent, and a real test runner. */
import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, rmSync, statSync } from "node:fs";
import { binary } from "../../../scripts/lib/paths.ts";
import type { DemoIteration } from "../../../src/core/demo-script.ts";
import type { EventOf, RalphEvent } from "../../../src/core/journal/event.ts";
import { cleanUp, copyOf, type Project, project } from "../support/harness.ts";
import { NODE, NPM, putPrograms } from "../support/light-programs.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { sum } from "../src/sum.js";

test("adds", () => {
  assert.equal(sum(1, 2), 3);
});

test("adds nothing", () => {
  assert.equal(sum(4, 0), 4);
});
`;
const WRONG = "export const sum = (a, b) => a;\n";
const RIGHT = "export const sum = (a, b) => a + b;\n";
const MANIFEST = {
  name: "shop",
  type: "module",
  scripts: { test: "node --test tests/sum.test.js" },
  dependencies: {},
};
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const FILES = {
  ".ralph/PROMPT.md": "Make the tests pass.\n",
  ".gitignore": "node_modules\n",
  "package.json": json(MANIFEST),
  "src/sum.js": WRONG,
  "tests/sum.test.js": TEST,
};
const SETTINGS = ["PLATFORM_DRIVER=demo", "DONE_POLICY=evidence", "MAX_ITERATIONS=6"];
const GATE = 'TEST_COMMAND="node --test tests/sum.test.js"';
const claim: DemoIteration = { text: "All of it is finished.", status: { STATUS: "COMPLETE", EXIT_SIGNAL: true } };

function given(steps: DemoIteration[], settings: string[] = [GATE], files: Record<string, string> = {}): Project {
  const where = project({
    files: { ...FILES, ".ralph/.ralphrc": [...SETTINGS, ...settings, ""].join("\n"), ...files },
  });
  return playing(where, steps);
}

function playing(where: Project, steps: DemoIteration[]): Project {
  where.write("../script.json", JSON.stringify({ iterations: steps }));
  Object.assign(where.env, { RALPH_DEMO_SCRIPT: where.path("../script.json") });
  // A run calls its gate a dozen times.
  if (process.platform !== "win32") putPrograms(where.path("../bin"), { npm: NPM, node: NODE });
  return where;
}

function all<T extends RalphEvent["type"]>(where: Project, type: T): EventOf<T>[] {
  return where.events().filter((event): event is EventOf<T> => event.type === type);
}

const end = (where: Project) => where.event("run_finished");
const writes = (write: Record<string, string>): DemoIteration => ({ ...claim, write });

describe("an agent that bends its gate", () => {
  const inTest = (from: string, to: string) => ({ "tests/sum.test.js": TEST.replace(from, to) });
  test.each<[string, Record<string, string>, string[]]>([
    ["skips the test", inTest('test("adds",', 'test.skip("adds",'), [GATE]],
    ["takes the assertion away", inTest("  assert.equal(sum(1, 2), 3);\n", ""), [GATE]],
    ["expects what the work gives", inTest("sum(1, 2), 3", "sum(1, 2), 1"), [GATE]],
    [
      "swallows the failure",
      inTest("  assert.equal(sum(1, 2), 3);", "  try { assert.equal(sum(1, 2), 3); } catch {}"),
      [GATE],
    ],
    [
      "makes its command pass in any case",
      { "package.json": json({ ...MANIFEST, scripts: { test: "node --test tests/sum.test.js || true" } }) },
      ['TEST_COMMAND="npm test"'],
    ],
  ])("and %s is never done, is told once, and ends for a person", async (_name, bent, settings) => {
    const where = given([writes(bent), claim, claim], settings);
    const { exit, stderr, stdout } = await where.ralph("run");
    expect([exit, end(where)?.stop_reason, end(where)?.iterations]).toEqual([6, "gate_weakened", 2]);
    expect(all(where, "gate_weakened")[0]).toMatchObject({ evidence: "frozen_gate_is_red" });
    const [path = ""] = Object.keys(bent);
    expect(all(where, "gate_weakened")[0]?.reasons.map((reason) => reason.path)).toContain(path);
    expect(stdout + stderr).toContain("the gates got weaker");
    expect(stdout + stderr).toContain("ralph gates accept");
    expect(where.status()).toMatchObject({ status: "halted", exit_reason: "gate_weakened", proof: null });
  });

  test("of a task that needs no files is shown by `ralph gates`, and put back by it", async () => {
    const where = project({
      files: { "package.json": json(MANIFEST), "src/sum.js": WRONG, "tests/sum.test.js": TEST },
    });
    const bent = writes(inTest('test("adds",', 'test.skip("adds",'));
    playing(where, [bent, claim, claim]);
    Object.assign(where.env, { PLATFORM_DRIVER: "demo" });
    const ended = await where.ralph("Make the tests pass");
    expect([ended.exit, end(where)?.stop_reason]).toEqual([6, "gate_weakened"]);
    const { stdout } = await where.ralph("gates");
    expect(stdout).toContain("! npm test  iteration 2");
    expect(stdout).toContain("changed since: tests/sum.test.js");
    expect(stdout).toContain("If you want it so: ralph gates accept. If not: ralph gates restore");
    expect((await where.ralph("gates", "restore")).stdout).toStartWith("  tests/sum.test.js\n1 file put back");
    expect(where.read("tests/sum.test.js")).toBe(TEST);
  });

  test("and puts it back is done with the work that it then does", async () => {
    const where = given([
      writes(inTest('test("adds",', 'test.skip("adds",')),
      writes({ "tests/sum.test.js": TEST, "src/sum.js": RIGHT }),
    ]);
    const { exit } = await where.ralph("run");
    expect([exit, end(where)?.stop_reason, end(where)?.proof]).toEqual([0, "project_complete", "gates"]);
    expect(where.status()).toMatchObject({ status: "completed", proof: "gates" });
  });
});

test("an honest agent that adds tests, renames a test file and edits package.json is done without a word", async () => {
  const { dependencies: _, ...manifest } = MANIFEST;
  const renamed = json({
    ...manifest,
    scripts: { test: "node --test", start: "node src/sum.js" },
    dependencies: { "left-pad": "1.3.0" },
  });
  const more = `${TEST}\ntest("adds below zero", () => {\n  assert.equal(sum(-1, -2), -3);\n});\n`;
  const files = { "package.json": json({ ...MANIFEST, scripts: { test: "node --test" } }) };
  const step = {
    text: "One step.",
    write: { "src/sum.js": RIGHT, "tests/sum.test.js": more, "package.json": renamed },
  };
  const where = given([step, claim, claim], ['TEST_COMMAND="npm test"'], files);
  // With npm itself, and the processes that node's runner has for its files.
  for (const name of ["npm", "node"]) rmSync(where.path(`../bin/${name}`), { force: true });
  // The scripted agent cannot rename: the second call does it before the script.
  const rename =
    "grep -q 'a + b' src/sum.js && test -e tests/sum.test.js && mv tests/sum.test.js tests/addition.test.js";
  where.write("../agent.sh", `${rename}\nexec '${binary}' "$@"\n`);
  Object.assign(where.env, { RALPH_DEMO_AGENT: "sh", CLAUDE_CODE_CMD: `sh '${where.path("../agent.sh")}'` });
  const { exit } = await where.ralph("run");
  expect([exit, end(where)?.stop_reason, end(where)?.proof]).toEqual([0, "project_complete", "gates"]);
  expect([...all(where, "gate_weakened"), ...all(where, "gate_probed")]).toEqual([]);
  expect(all(where, "note").filter(({ level }) => level !== "info")).toEqual([]);
  expect(where.has("tests/sum.test.js")).toBe(false);
});

describe("ralph gates", () => {
  const skipped = writes({ "tests/sum.test.js": TEST.replace('test("adds",', 'test.skip("adds",') });

  let ended: Project | null = null;

  /** A run that ended so is made once: it starts the test runner a dozen times. */
  async function weakened(): Promise<Project> {
    const steps = [skipped, claim, claim];
    if (ended === null) {
      ended = given(steps);
      await ended.ralph("run");
    }
    const where = playing(copyOf(ended), steps);
    expect(end(where)?.stop_reason).toBe("gate_weakened");
    return where;
  }

  test("shows what got weaker, and as JSON", async () => {
    const where = await weakened();
    const { exit, stdout } = await where.ralph("gates");
    expect(exit).toBe(0);
    expect(stdout).toContain("! node --test tests/sum.test.js");
    expect(stdout).toContain("changed since: tests/sum.test.js");
    expect(stdout).toContain("ralph gates restore");
    const report = JSON.parse((await where.ralph("gates", "--json")).stdout);
    expect(report).toMatchObject({
      gates: [{ command: "node --test tests/sum.test.js", ok: true, weakened: true, flakes: 0 }],
      changed: ["tests/sum.test.js"],
      frozen: { run: where.runs()[0] },
      weakened: { evidence: "frozen_gate_is_red" },
    });
  });

  test("accept takes them as they are: the next run is done with them", async () => {
    const where = await weakened();
    expect((await where.ralph("gates", "accept")).stdout).toContain("Accepted");
    const { exit } = await where.ralph("run");
    expect([exit, end(where)?.stop_reason]).toEqual([0, "project_complete"]);
  });

  test("accept reaches a live run, which takes what it found as the measure", async () => {
    const where = given([skipped, { ...claim, delay_ms: 3000 }]);
    const live = where.start("run");
    await until("the gates got weaker", () => all(where, "gate_weakened").length > 0);
    const { exit, stdout } = await where.ralph("gates", "accept");
    expect([exit, stdout]).toEqual([0, expect.stringContaining("Accepted")]);
    expect((await live.ended).exit).toBe(0);
    expect([end(where)?.stop_reason, all(where, "gate_frozen").length]).toEqual(["project_complete", 2]);
  });

  test("without an accept the next run holds on to the old ones", async () => {
    const where = await weakened();
    const { exit } = await where.ralph("run");
    expect([exit, end(where)?.stop_reason]).toEqual([6, "gate_weakened"]);
    expect(all(where, "gate_frozen")[0]?.continues).toBe(where.runs()[0] ?? "");
  });

  test("restore puts them back, and keeps what stood there", async () => {
    const where = await weakened();
    const { exit, stdout } = await where.ralph("gates", "restore");
    expect([exit, stdout]).toEqual([0, expect.stringContaining("tests/sum.test.js")]);
    expect(where.read("tests/sum.test.js")).toBe(TEST);
    expect(where.read(`.ralph/runs/${where.runs()[0]}/kept/tests__sum.test.js`)).toContain("test.skip");
    expect((await where.ralph("gates", "restore")).stdout).toContain("as they were frozen");
  });

  test("restore keeps what stood there each time, and a program as one", async () => {
    const where = given([skipped, claim, claim], ['QUALITY_GATES="./check.sh"'], {
      "check.sh": "#!/bin/sh\nnode --test tests/sum.test.js\n",
    });
    chmodSync(where.path("check.sh"), 0o755);
    await where.ralph("run");
    for (const text of ["#!/bin/sh\ntrue\n", "#!/bin/sh\nexit 0\n"]) {
      where.write("check.sh", text);
      expect((await where.ralph("gates", "restore")).stdout).toContain("  check.sh\n");
    }
    expect(statSync(where.path("check.sh")).mode & 0o111).not.toBe(0);
    const kept = (name: string) => where.read(`.ralph/runs/${where.runs()[0]}/kept/${name}`);
    expect([kept("check.sh"), kept("check.sh-2")]).toEqual(["#!/bin/sh\ntrue\n", "#!/bin/sh\nexit 0\n"]);
  });

  test("is not for an agent to accept, restore or adopt", async () => {
    const where = await weakened();
    where.env.RALPH_RUN = "0001";
    for (const command of ["accept", "restore", "adopt"]) {
      const { exit, stderr } = await where.ralph("gates", command);
      expect([exit, stderr]).toEqual([7, expect.stringContaining("An agent may not steer the run")]);
    }
    expect(where.read("tests/sum.test.js")).toContain("test.skip");
  });

  test("that ran no test prove nothing, and the end says so", async () => {
    const says = 'console.log("Ran 0 tests in 0.000s\\n\\nOK");\n';
    const where = given([claim, claim], ['TEST_COMMAND="node tests/none.js"'], { "tests/none.js": says });
    const { exit, stdout } = await where.ralph("run");
    const told = stdout.replace(/\n\[[^\]]*\]\s*/g, " ");
    expect([exit, end(where)?.proof]).toEqual([0, "word"]);
    expect(told).toContain("! gate: node tests/none.js It ran no tests, so it proves nothing.");
    expect(told).toContain("The agent says that everything is done, but 1 gate ran no tests;");
    expect(told).toContain("Done, unproven: `node tests/none.js` ran no tests, so this rests on the agent's word.");
  });

  test("adopt makes the check that is found a gate, of a project that had none", async () => {
    const where = given([claim, claim], []);
    const first = await where.ralph("run");
    expect([first.exit, end(where)?.proof]).toEqual([0, "word"]);
    expect(first.stdout).toContain("Done, unproven");
    expect(all(where, "done_unchecked")).toMatchObject([{ why: "no_gate", check: "npm test" }]);
    const lines = first.stdout.replace(/\n\[[^\]]*\]\s*/g, " ");
    const how = 'rests on the agent\'s word. To have one: ralph gates adopt "npm test"';
    expect(lines.split(how).length - 1).toBe(2);
    expect((await where.ralph("gates")).stdout.replace(/\s+/g, " ")).toContain(how);
    expect((await where.ralph("gates", "adopt")).stdout).toContain("`npm test` is a gate from the next run on");
    expect(where.read(".ralph/.ralphrc")).toContain("TEST_COMMAND='npm test'");
    const { exit } = await where.ralph("run");
    expect([exit, end(where)?.stop_reason]).toEqual([6, "completion_disputed"]);
    expect(all(where, "gate_finished").map(({ command }) => command)).toContain("npm test");
    expect((await where.ralph("gates", "adopt")).stdout).toContain("is a gate already");
    const before = where.read(".ralph/.ralphrc");
    const two = await where.ralph("gates", "adopt", "make lint; make check");
    expect([two.exit, two.stderr]).toEqual([2, expect.stringContaining("more than one gate")]);
    expect(where.read(".ralph/.ralphrc")).toBe(before);
    const one = `sh -c "test -d src; exit 7"`;
    expect((await where.ralph("gates", "adopt", one)).exit).toBe(0);
    await where.ralph("run", "--max-iterations", "1");
    expect(all(where, "gate_finished").filter(({ command }) => command !== "npm test")).toMatchObject([
      { command: one, exit_code: 7 },
    ]);
  });
});

describe("a hidden gate", () => {
  test("holds back what the visible ones let pass, and leaves no trace in the project", async () => {
    const where = given([writes({ "src/sum.js": RIGHT }), writes({ "good.txt": "yes\n" }), claim]);
    where.write(
      "../checks/good.sh",
      "# requirement: good.txt says yes\necho looking into the secret\ntest -e good.txt\n",
    );
    chmodSync(where.path("../checks/good.sh"), 0o755);
    const secret = where.path("../checks/good.sh").replace("/project/..", "");
    where.env.HIDDEN_GATES = secret;
    const { exit, stdout, stderr } = await where.ralph("run");
    expect([exit, end(where)?.stop_reason]).toEqual([0, "project_complete"]);
    const ran = all(where, "gate_finished").filter(({ command }) => command === "hidden gate 1");
    expect(ran.map(({ exit_code }) => exit_code)).toEqual([1, 0, ...ran.slice(2).map(() => 0)]);
    const { stdout: found } = Bun.spawnSync(["grep", "-rlE", "looking into|checks/good", where.dir]);
    expect(found.toString()).toBe("");
    expect(stdout + stderr).not.toContain("checks/good");
  });

  test("that is red and only warns is no gate to adopt", async () => {
    const where = given([claim, claim], []);
    where.write("../red.sh", "exit 3\n");
    where.env.HIDDEN_GATES = where.path("../red.sh").replace("/project/..", "");
    where.env.DONE_POLICY = "signals";
    const { exit, stdout } = await where.ralph("run");
    const told = stdout.replace(/\n\[[^\]]*\]\s*/g, " ");
    expect([exit, end(where)?.proof]).toEqual([0, "word"]);
    expect(told).toContain('The gates only warn here, so "done" rests on the agent\'s word.');
    expect(told).toContain("Done, unproven: `hidden gate 1` was red at the end");
    expect(told).not.toContain("gates adopt");
  });

  test("inside the project is refused before anything starts", async () => {
    const where = given([claim]);
    where.write("check.sh", "exit 0\n");
    where.env.HIDDEN_GATES = "sh check.sh";
    const { exit, stderr } = await where.ralph("run");
    expect([exit, stderr]).toEqual([7, expect.stringContaining("lies inside the project")]);
    expect(where.runs()).toEqual([]);
  });
});

test("a gate that is red once and green on the same tree is told as flaky, and counted", async () => {
  const where = given([claim, claim], [`TEST_COMMAND="sh -c 'test -e ../seen || { touch ../seen; exit 1; }'"`]);
  const { exit, stdout, stderr } = await where.ralph("run");
  expect(exit).toBe(0);
  expect(stdout + stderr).toContain("flaky");
  expect(JSON.parse((await where.ralph("status", "--json")).stdout)).toMatchObject({ gate_flakes: 1, proof: "gates" });
  const { gates } = JSON.parse((await where.ralph("report", "--json")).stdout);
  expect(gates[0]).toMatchObject({ flakes: 1, failed: 0 });
});
