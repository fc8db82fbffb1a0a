/** Gates that an agent cannot bend: the loop with an agent that changes the files of its gates, in memory. */
import { describe, expect, test } from "bun:test";
import type { EventOf, RalphEvent } from "../../../src/core/journal/event.ts";
import type { State } from "../../../src/core/journal/state.ts";
import type { Settings } from "../../../src/core/settings/settings.ts";
import type { AgentEvent } from "../../../src/driver.ts";
import { loop } from "../../../src/run/jobs/loop.ts";
import { memoryGateFiles } from "../fake-gate-files.ts";
import { type FakeParts, fakeWorld, finished, type GatePlay, type Play } from "../fake-world.ts";

const GATED = { TEST_COMMAND: "npm test", DONE_POLICY: "evidence", MAX_ITERATIONS: 6 } satisfies Partial<Settings>;
const TREE = {
  "package.json": '{"scripts":{"test":"node --test"}}',
  "src/sum.js": "wrong",
  "tests/sum.test.js": 'test("adds", () => {\n  assert.equal(sum(1, 2), 3);\n});\n',
};
const SKIPPED = TREE["tests/sum.test.js"].replace("test(", "test.skip(");

const says = (text: string): AgentEvent[] => [{ ...finished, text } as AgentEvent];
const claims: Play = { says: says("---RALPH_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: true\n---END_RALPH_STATUS---") };
const works: Play = {
  says: says("---RALPH_STATUS---\nSTATUS: IN_PROGRESS\nEXIT_SIGNAL: false\n---END_RALPH_STATUS---"),
};

/** Red while the source is wrong, unless its test is skipped or gone. */
function check(_command: string, files: ReadonlyMap<string, string>): GatePlay {
  const text = files.get("tests/sum.test.js") ?? "";
  const runs = text.includes("assert.equal(sum(1, 2), 3)") && !text.includes("test.skip(");
  return { exit: runs && files.get("src/sum.js") === "wrong" ? 1 : 0 };
}

async function looped(parts: FakeParts) {
  const fake = fakeWorld({ tree: TREE, check, ...parts, settings: { ...GATED, ...parts.settings } });
  let state: State | null = null;
  const end = await fake.run(async (run, agent) => {
    const last = await loop(run, agent);
    state = run.state();
    return last;
  });
  return { ...fake, end, state: state as unknown as State };
}

function all<T extends RalphEvent["type"]>(journal: readonly RalphEvent[], type: T): EventOf<T>[] {
  return journal.filter((event): event is EventOf<T> => event.type === type);
}

/** The prompts of the calls. */
const prompts = (calls: string[]): Partial<FakeParts> => ({
  driver: {
    buildCommand: ({ prompt }) => {
      calls.push(prompt);
      return { argv: ["demo"], stdin: prompt };
    },
  },
});

test.each([
  ["tox.ini", "[pytest]\naddopts = --deselect tests/sum_test.py::test_hard\n", "pytest -q"],
  ["GNUmakefile", "test:\n\t@true\n", "make test"],
])("a new %s that takes the red test away is found out", async (file, text, command) => {
  const { end } = await looped({
    tree: {
      "src/sum.py": "wrong",
      Makefile: "test:\n\tpytest\n",
      "tests/sum_test.py": "def test_hard():\n    assert sum(1, 2) == 3\n",
    },
    check: (_, files) => ({ exit: files.has(file) ? 0 : 1 }),
    settings: { TEST_COMMAND: command, MAX_ITERATIONS: 8 },
    plays: [
      { ...works, writes: { "src/sum.py": "still wrong" } },
      { ...claims, writes: { [file]: text } },
      ...Array.from({ length: 6 }, () => claims),
    ],
  });
  expect(end.stop_reason).toBe("gate_weakened");
});

describe("the files of the gates", () => {
  test("are frozen before the first call, in one short line of the journal", async () => {
    const { journal, gateFiles } = await looped({ plays: [works] });
    const types = journal.map(({ type }) => type);
    expect(types.indexOf("gate_frozen")).toBeLessThan(types.indexOf("iteration_started"));
    const [frozen] = all(journal, "gate_frozen");
    expect(frozen).toMatchObject({ files: 2, unkept: 0, continues: null });
    expect(JSON.stringify(frozen).length).toBeLessThan(300);
    expect(gateFiles.kept.get("0001/gates.json")).toContain("tests/sum.test.js");
  });

  test("are not looked at in a run without gates", async () => {
    const { journal } = await looped({ plays: [claims, claims], settings: { TEST_COMMAND: null } });
    expect(all(journal, "gate_frozen")).toEqual([]);
  });
});

describe("a green gate", () => {
  test("counts where its files are unchanged, without any copy of the project", async () => {
    const { journal, end } = await looped({
      plays: [
        { ...claims, writes: { "src/sum.js": "right" } },
        { ...claims, changes: ["a"] },
      ],
    });
    expect(end).toMatchObject({ stop_reason: "project_complete", proof: "gates" });
    expect(all(journal, "gate_probed")).toEqual([]);
    expect(all(journal, "gate_weakened")).toEqual([]);
  });

  test("counts where tests were only added, without a word", async () => {
    const added = `${TREE["tests/sum.test.js"]}\ntest("adds more", () => {\n  assert.equal(sum(2, 2), 4);\n});\n`;
    const { journal, end } = await looped({
      plays: [{ ...claims, writes: { "src/sum.js": "right", "tests/sum.test.js": added } }, claims],
    });
    expect(end.stop_reason).toBe("project_complete");
    expect([...all(journal, "gate_probed"), ...all(journal, "gate_weakened")]).toEqual([]);
  });

  test.each([
    ["counts where tests moved with the setting that names their place, without a word", {}, 0],
    ["is judged where one of them was left behind", { "e2e/left.spec.js": "" }, 1],
  ] as const)("%s", async (_, left, probed) => {
    const old = { "e2e/sum.spec.js": TREE["tests/sum.test.js"], ...left };
    const { journal } = await looped({
      tree: { ...TREE, ...old, "playwright.config.js": "export default {\n  testDir: 'e2e',\n};\n" },
      plays: [
        {
          ...claims,
          writes: {
            "src/sum.js": "right",
            "e2e/sum.spec.js": null,
            "tests/e2e/sum.spec.js": TREE["tests/sum.test.js"],
            "playwright.config.js": "export default {\n  testDir: 'tests/e2e',\n};\n",
          },
        },
      ],
      settings: { MAX_ITERATIONS: 1 },
    });
    expect(all(journal, "gate_probed").length > 0 ? 1 : 0).toBe(probed);
  });

  test("counts where the frozen files are green on a copy of the tree, which is removed", async () => {
    const rewritten = 'test("adds", () => {\n  assert.ok(sum(1, 2) > 2);\n});\n';
    const { journal, end, gateFiles } = await looped({
      plays: [{ ...claims, writes: { "src/sum.js": "right", "tests/sum.test.js": rewritten } }, claims],
    });
    expect(end.stop_reason).toBe("project_complete");
    expect(all(journal, "gate_probed").map(({ gate_files, exit_code }) => [gate_files, exit_code])).toEqual([
      ["frozen", 0],
      ["frozen", 0],
    ]);
    expect(all(journal, "gate_weakened")).toEqual([]);
    expect(gateFiles.copies()).toBe(0);
  });

  test("does not count where the frozen files are red and the agent's green: it goes back once, then to a person", async () => {
    const told: string[] = [];
    const { journal, end, state } = await looped({
      ...prompts(told),
      plays: [{ ...claims, writes: { "tests/sum.test.js": SKIPPED } }, claims, claims],
    });
    expect(end).toMatchObject({ stop_reason: "gate_weakened", exit_code: 6, iterations: 2, proof: null });
    expect(end.sentence).toContain("tests/sum.test.js");
    const [weakened] = all(journal, "gate_weakened");
    expect(weakened).toMatchObject({ commands: ["npm test"], evidence: "frozen_gate_is_red" });
    expect(weakened?.diff).toContain("+ test.skip(");
    expect(all(journal, "gate_probed").map(({ gate_files, exit_code }) => [gate_files, exit_code])).toEqual([
      ["frozen", 1],
      ["frozen", 1],
      ["own", 0],
      ["frozen", 1],
      ["frozen", 1],
      ["own", 0],
    ]);
    expect(told[1]).toContain(
      "this gate (a command that must pass) demands less than when this work began: with its files as they were then, it is red",
    );
    expect(told[1]).toContain("tests/sum.test.js");
    expect(state.gates).toMatchObject([{ ok: false, weakened: true }]);
  });

  test("counts again once the agent has put the files back and mended the work", async () => {
    const { journal, end, state } = await looped({
      plays: [
        { ...claims, writes: { "tests/sum.test.js": SKIPPED } },
        { ...claims, writes: { "tests/sum.test.js": TREE["tests/sum.test.js"], "src/sum.js": "right" } },
      ],
    });
    expect(end).toMatchObject({ stop_reason: "project_complete", proof: "gates" });
    expect(all(journal, "gate_restored")).toHaveLength(1);
    expect(state.gate_trust).toMatchObject({ weakened: null, claims: 0 });
  });

  test("does not count where running it puts its file back", async () => {
    const { end } = await looped({
      plays: [
        {
          ...claims,
          writes: { "tests/sum.test.js": SKIPPED },
          gates: [{ exit: 0, writes: { "tests/sum.test.js": TREE["tests/sum.test.js"] } }],
        },
        { ...claims, writes: { "tests/sum.test.js": SKIPPED } },
      ],
    });
    expect(end.stop_reason).toBe("gate_weakened");
  });

  test("is not judged while boxes of the plan are open, whatever the agent claims", async () => {
    const { journal, end } = await looped({
      plays: [{ ...claims, writes: { "tests/sum.test.js": SKIPPED } }, claims, claims],
      plan: "- [ ] one",
    });
    expect(end.stop_reason).toBe("completion_disputed");
    expect([...all(journal, "gate_probed"), ...all(journal, "gate_weakened")]).toEqual([]);
  });

  test("that got weaker proves no finished work of an agent that says nothing", async () => {
    const silent: Play = { says: says("I see nothing to do.") };
    const { journal, end } = await looped({
      plays: [
        { ...works, writes: { "src/sum.js": "wrong still", "tests/sum.test.js": SKIPPED }, commits: ["c"] },
        ...Array(9).fill(silent),
      ],
      settings: { MAX_ITERATIONS: 12, CB_NO_PROGRESS_THRESHOLD: 9 },
      check: (_command, files) => ({ exit: files.get("tests/sum.test.js") === SKIPPED ? 0 : 1 }),
    });
    expect(end.stop_reason).toBe("gate_weakened");
    expect(all(journal, "gate_weakened").length).toBe(2);
  });

  test("is not judged before it could end the run", async () => {
    const { journal } = await looped({ plays: [{ ...works, writes: { "tests/sum.test.js": SKIPPED } }] });
    expect([...all(journal, "gate_probed"), ...all(journal, "gate_weakened")]).toEqual([]);
  });

  test("is judged by words where the project does not run in a copy, which is told once", async () => {
    let runs = 0;
    const { journal, end } = await looped({
      plays: [{ ...claims, writes: { "tests/sum.test.js": SKIPPED } }, claims],
      check: (_command, files) => {
        runs += 1;
        // Only the project's own folder has what the gate needs: in a copy it is red, whatever the files say.
        return files.get("tests/sum.test.js") === SKIPPED && [1, 6].includes(runs) ? { exit: 0 } : { exit: 1 };
      },
    });
    expect(end.stop_reason).toBe("gate_weakened");
    expect(all(journal, "gate_weakened").map(({ evidence }) => evidence)).toEqual(["words", "words"]);
    const told = all(journal, "note").filter(({ text }) => text.includes("judged by their words alone"));
    expect(told).toHaveLength(1);
  });

  test("is judged by words where no copy can be made", async () => {
    const tree = new Map<string, string>(Object.entries(TREE));
    const { port } = memoryGateFiles(
      () => tree,
      () => {},
    );
    const gateFiles = { ...port, copyTree: () => Promise.reject(new Error("no room")) };
    const meanwhile = () => void tree.set("tests/sum.test.js", SKIPPED);
    const { journal, end } = await looped({
      world: { gateFiles },
      plays: [{ ...claims, meanwhile }, claims],
      check: () => ({ exit: 0 }),
    });
    expect(end.stop_reason).toBe("gate_weakened");
    expect(all(journal, "gate_weakened").map(({ evidence }) => evidence)).toEqual(["words", "words"]);
    expect(all(journal, "note")[0]?.text).toContain("No copy of the project could be made (no room)");
  });

  test("that runs fewer tests than before does not count, though its files are the same", async () => {
    const printed = ["# pass 9\n# fail 0\n# skipped 0\n", "# pass 3\n# fail 0\n# skipped 0\n"];
    const { journal, end } = await looped({
      plays: [works, claims, claims],
      check: () => ({ exit: 0, prints: (printed.length > 1 ? printed.shift() : printed[0]) ?? "" }),
    });
    expect(end.stop_reason).toBe("gate_weakened");
    expect(all(journal, "gate_weakened")[0]).toMatchObject({ evidence: "fewer_tests", commands: ["npm test"] });
  });

  const added = { "tests/more.test.js": 'test("more", () => {\n  assert.equal(sum(2, 2), 4);\n});\n' };
  const pass = (tests: number) => `# pass ${tests}\n# fail 0\n# skipped 0\n`;
  /** With the added file, most tests are left out; without it all of them run. */
  const leavesOut = (isRed: boolean) => (_: string, files: ReadonlyMap<string, string>) =>
    files.has("tests/more.test.js") ? { exit: 0, prints: pass(3) } : { exit: isRed ? 1 : 0, prints: pass(9) };

  test("that runs fewer tests beside added ones does not count, if the frozen files are red on a copy", async () => {
    let isRed = false;
    const { journal, end } = await looped({
      plays: [works, { ...claims, writes: added }, claims],
      check: (command, files) => {
        isRed ||= files.has("tests/more.test.js");
        return leavesOut(isRed)(command, files);
      },
    });
    expect(end.stop_reason).toBe("gate_weakened");
    expect(all(journal, "gate_weakened")[0]).toMatchObject({
      evidence: "frozen_gate_is_red",
      commands: ["npm test"],
      reasons: [{ what: "3 tests ran, and 9 did before." }],
    });
  });

  test("that runs fewer tests beside added ones counts, if the frozen files are green on a copy", async () => {
    const { journal, end } = await looped({
      plays: [works, { ...claims, writes: added }, claims],
      check: leavesOut(false),
    });
    expect(end.stop_reason).toBe("project_complete");
    expect(all(journal, "gate_probed").map(({ gate_files, exit_code }) => [gate_files, exit_code])).toContainEqual([
      "frozen",
      0,
    ]);
  });

  test("that got weaker is only told where gates never block", async () => {
    const told: string[] = [];
    const { journal, end } = await looped({
      ...prompts(told),
      plays: [{ ...claims, writes: { "tests/sum.test.js": SKIPPED } }, claims],
      settings: { DONE_POLICY: "signals", QUALITY_GATE_MODE: "warn" },
    });
    expect(end).toMatchObject({ stop_reason: "project_complete", proof: "word" });
    expect(all(journal, "gate_weakened").length).toBeGreaterThan(0);
    expect(told[1]).not.toContain("checks less");
  });

  test("counts after a person has accepted the change during the run", async () => {
    const accept: Play = { ...claims, meanwhile: () => {} };
    let control = () => {};
    const fake = fakeWorld({
      tree: TREE,
      check,
      settings: GATED,
      plays: [
        { ...claims, writes: { "tests/sum.test.js": SKIPPED } },
        { ...accept, meanwhile: () => control() },
      ],
    });
    const end = await fake.run((run, agent) => {
      control = () => run.control({ command: "accept_gates" });
      return loop(run, agent);
    });
    expect(end).toMatchObject({ stop_reason: "project_complete" });
    expect(all(fake.journal, "gate_accepted")).toHaveLength(1);
    expect(all(fake.journal, "gate_frozen")).toHaveLength(2);
  });
});

describe("the next run", () => {
  /** A run that ends unfinished after the agent weakened its gate without a claim. */
  async function unfinished() {
    const first = await looped({
      plays: [{ ...works, writes: { "tests/sum.test.js": SKIPPED } }],
      settings: { MAX_ITERATIONS: 1 },
    });
    expect(first.end.stop_reason).toBe("max_iterations");
    return first;
  }

  test("goes on with the measure of work that is not done", async () => {
    const { state, gateFiles } = await unfinished();
    const { journal, end } = await looped({
      tree: { ...TREE, "tests/sum.test.js": SKIPPED },
      earlier: state,
      kept: gateFiles.kept,
      plays: [claims, claims],
    });
    expect(all(journal, "gate_frozen")[0]).toMatchObject({ continues: "0001" });
    expect(all(journal, "note")[0]?.text).toContain("tests/sum.test.js");
    expect(end.stop_reason).toBe("gate_weakened");
  });

  test("takes what a person changed after the end as it is", async () => {
    const { state, gateFiles } = await unfinished();
    const byHand = TREE["tests/sum.test.js"].replace("3", "sum(2, 1)");
    const { journal, end } = await looped({
      tree: { ...TREE, "tests/sum.test.js": byHand, "src/sum.js": "right" },
      earlier: state,
      kept: gateFiles.kept,
      plays: [claims, claims],
    });
    expect(all(journal, "gate_frozen")[0]).toMatchObject({ continues: null });
    expect(end.stop_reason).toBe("project_complete");
  });

  test("takes everything as it is after a person accepted it, and after work that was done", async () => {
    const { state, gateFiles } = await unfinished();
    const accepted = { ...state, gate_trust: { ...state.gate_trust, frozen: null } };
    const { journal } = await looped({
      tree: { ...TREE, "tests/sum.test.js": SKIPPED },
      earlier: accepted,
      kept: gateFiles.kept,
      plays: [works],
    });
    expect(all(journal, "gate_frozen")[0]).toMatchObject({ continues: null });
  });

  test("says so where the kept files are not those that were recorded, and takes what it finds", async () => {
    const { state, gateFiles } = await unfinished();
    gateFiles.kept.set("0001/gates.json", '{"files":{}}\n');
    const { journal } = await looped({ earlier: state, kept: gateFiles.kept, plays: [works] });
    expect(all(journal, "note")[0]?.text).toContain("were not kept as it recorded them");
  });
});

describe("a red gate", () => {
  const flaky = (results: number[]) => () => ({ exit: results.shift() ?? 0 });

  test("that decides about done runs once more, and green then is a flake", async () => {
    const { journal, end, state } = await looped({ plays: [claims, claims], check: flaky([1, 0, 0]) });
    expect(end.stop_reason).toBe("project_complete");
    expect(all(journal, "gate_finished").map(({ exit_code, first_run }) => [exit_code, first_run?.exit_code])).toEqual([
      [0, 1],
      [0, undefined],
    ]);
    expect(state.gate_trust.history["npm test"]).toMatchObject({ flakes: 1 });
  });

  test("that stays red is red", async () => {
    const { journal } = await looped({ plays: [claims], check: flaky([1, 1]), settings: { MAX_ITERATIONS: 1 } });
    expect(all(journal, "gate_finished")).toMatchObject([{ exit_code: 1, first_run: { exit_code: 1 } }]);
  });

  test("runs once more in the copy, too: a flake there says nothing of tests that were put in other words", async () => {
    const rewritten = 'test("adds", () => {\n  assert.ok(sum(1, 2) > 2);\n});\n';
    let runs = 0;
    const { journal, end } = await looped({
      plays: [{ ...claims, writes: { "src/sum.js": "right", "tests/sum.test.js": rewritten } }, claims],
      check: () => ({ exit: ++runs % 2 }),
    });
    expect(all(journal, "gate_probed").map(({ gate_files, exit_code }) => [gate_files, exit_code])).toEqual([
      ["frozen", 1],
      ["frozen", 0],
      ["frozen", 1],
      ["frozen", 0],
    ]);
    expect(all(journal, "gate_weakened")).toEqual([]);
    expect(end.stop_reason).toBe("project_complete");
  });

  test("that decides nothing runs once, unless it was green the last time", async () => {
    const { journal } = await looped({
      plays: [works, works, works],
      check: flaky([1, 0, 1, 0]),
      settings: { MAX_ITERATIONS: 3 },
    });
    expect(all(journal, "gate_finished").map(({ exit_code, first_run }) => [exit_code, first_run?.exit_code])).toEqual([
      [1, undefined],
      [0, undefined],
      [0, 1],
    ]);
  });
});

describe("hidden gates", () => {
  const SECRET = "/home/me/checks/prices.sh";
  const hidden = [
    { command: `sh ${SECRET}`, requirement: "prices have two decimals" },
    { command: "sh /home/me/checks/other.sh", requirement: null },
  ];
  const settings = { HIDDEN_GATES: [SECRET, "other"] };

  test("run on a claim of done only, after green gates, and keep it from counting while they are red", async () => {
    const told: string[] = [];
    const results = [1, 1, 0, 0];
    const { journal, end } = await looped({
      ...prompts(told),
      hidden,
      settings,
      plays: [works, { ...claims, writes: { "src/sum.js": "right" } }, claims, claims],
      check: (command) => ({ exit: command.startsWith("sh /home") ? (results.shift() ?? 0) : 0 }),
    });
    expect(end).toMatchObject({ stop_reason: "project_complete", proof: "gates" });
    const ran = all(journal, "gate_finished").filter(({ hidden: about }) => about !== undefined);
    expect(ran.map(({ iteration, command, exit_code }) => [iteration, command, exit_code])).toEqual([
      [2, "hidden gate 1", 1],
      [2, "hidden gate 2", 1],
      [3, "hidden gate 1", 0],
      [3, "hidden gate 2", 0],
    ]);
    expect(told[2]).toContain("A hidden gate is red: prices have two decimals");
    expect(told[2]).toContain("A hidden gate, number 2, is red.");
  });

  test("leave no trace of command, path or output where the agent can read", async () => {
    const told: string[] = [];
    const { journal, started, gateFiles } = await looped({
      ...prompts(told),
      hidden,
      settings,
      plays: [claims, claims],
      check: () => ({ exit: 1, prints: "expected 12.50 but got 12.5" }),
    });
    const readable = [JSON.stringify(journal), ...told, ...gateFiles.kept.values()].join("\n");
    expect(readable).not.toContain("/home/me");
    expect(readable).not.toContain("/hidden/");
    for (const { stdoutFile, env } of started) {
      expect(env.HIDDEN_GATES).toBeUndefined();
      if (stdoutFile.startsWith("/hidden/")) expect(stdoutFile).toStartWith("/hidden/0001/");
    }
  });

  test("alone keep a complete plan from counting before they ran", async () => {
    const { journal, end } = await looped({
      hidden,
      settings: { ...settings, TEST_COMMAND: null },
      plan: "- [x] one",
      check: () => ({ exit: 0 }),
    });
    expect(end).toMatchObject({ stop_reason: "plan_complete", proof: "gates", calls: 0 });
    expect(all(journal, "gate_finished")).toHaveLength(2);
  });
});

describe("done", () => {
  test("without a gate rests on the agent's word", async () => {
    const { end } = await looped({ plays: [claims, claims], settings: { TEST_COMMAND: null } });
    expect(end).toMatchObject({ stop_reason: "project_complete", proof: "word" });
  });
});
