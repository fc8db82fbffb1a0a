import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cell, Row } from "../../scripts/proof/beside/compare.ts";
import type { Kills } from "../../scripts/proof/beside/kills.ts";
import { THRESHOLDS } from "../../scripts/proof/beside/thresholds.ts";
import type { Figures } from "../../scripts/proof/figures.ts";
import { agreementOf } from "../../scripts/proof/page/agreement.ts";
import { keepResults, readResults, together } from "../../scripts/proof/page/kept-results.ts";
import { pageOf } from "../../scripts/proof/page/page.ts";
import { weaknesses } from "../../scripts/proof/page/virtual-section.ts";
import { PERSONAS } from "../../scripts/proof/persona.ts";
import { USUAL } from "../../scripts/proof/policies.ts";
import { newProject, planText, runGate } from "../../scripts/proof/project.ts";
import { bestOracle, type Trial, trial } from "../../scripts/proof/trial.ts";
import { bareWhile } from "../../scripts/proof/virtual/bare-while.ts";
import { matrix, specOf } from "../../scripts/proof/virtual/matrix.ts";

const SHAPE = { tasks: 6, gap: 0 };
const found = await matrix(20, () => {});
/** USD: the most turns in the longest conversation (usage.ts), and a crashed call whose money nobody told. */
const DEAREST_CALL = 2.5;
const rowOf = (persona: string, loop: string, gap = 0): Figures => {
  const row = found.rows.find((one) => one.persona === persona && one.loop === loop && one.shape.gap === gap);
  if (row === undefined) throw new Error(`no row ${persona}, ${loop}`);
  return row.figures;
};

describe("ours, evidence and gate, in 20 runs with each agent", () => {
  for (const persona of Object.keys(PERSONAS))
    test(`${persona}: nothing is called done that is not, no call is made inside a limit`, () => {
      const { falseDone, callsInLimit, runs } = rowOf(persona, USUAL.name);
      expect({ runs, falseDone: falseDone.count, callsInLimit }).toEqual({ runs: 20, falseDone: 0, callsInLimit: 0 });
    });

  test("a call that hangs is noticed: the run goes on, and the time until then is counted", () => {
    const { saidDone, stalledMinutes } = rowOf("hanger", USUAL.name);
    expect(saidDone).toBeGreaterThanOrEqual(19);
    expect(stalledMinutes).toBeGreaterThan(0);
  });

  test("a bound of money is passed by one call at most, and each run comes to it", () => {
    expect(found.bounds.map(({ runs, stopped }) => [runs, stopped])).toEqual(found.bounds.map(() => [20, 20]));
    for (const { persona, mostOver } of found.bounds)
      expect([persona, mostOver < DEAREST_CALL]).toEqual([persona, true]);
    expect(found.stalls.calls).toBeGreaterThan(0);
  });

  test("a gate that misses faults lets them through, and a look finds some of them", () => {
    const gate = rowOf("weak", USUAL.name, 0.25).falseDone.count;
    const look = rowOf("weak", "ours, evidence + gate + a look", 0.25).falseDone.count;
    expect(gate).toBeGreaterThan(0);
    expect(look).toBeLessThan(gate);
    const counts = found.looks.map(({ figures }) => figures.falseDone.count);
    expect(counts.slice(0, 2)).toEqual([gate, look]);
    expect(counts.at(-1)).toBeLessThan(look);
  });
});

test("a bare loop believes the agent, and calls it again and again inside a limit", () => {
  const spec = specOf(PERSONAS.liar, USUAL, SHAPE);
  expect(bareWhile("1", spec)).toMatchObject({ exitCode: 0, trulyDone: false, falseDone: true });
  const limited = specOf({ ...PERSONAS.limited, limits: 1, limitMs: 3_600_000 }, USUAL, SHAPE);
  expect(bareWhile("1", limited)).toMatchObject({ exitCode: 4, falseDone: false, callsInLimit: 99 });
});

test("a task's fault makes the tests of those red that build on it, and the plan says what they build on", () => {
  const project = newProject("1", { tasks: 12, gap: 0, isGraph: true });
  const dependent = project.tasks.find(({ after }) => after.length > 0);
  const [ground = 0] = dependent?.after ?? [];
  expect(planText(project)).toContain(`Task ${dependent?.number} (after: Task ${ground}`);
  for (const task of project.tasks) task.truth = task.number === ground ? "wrong" : "right";
  const { exit, output } = runGate(project, project.files, "accepts");
  expect(exit).toBe(1);
  expect(output).toContain(`not ok: task ${dependent?.number} `);
});

describe("the page", () => {
  const end = (seed: string, { exitCode, trulyDone, calls, cost }: Trial) => ({
    seed,
    exitCode,
    saidDone: exitCode === 0,
    trulyDone,
    calls,
    callsAfterTruth: 0,
    callsInLimit: 0,
    cost,
    cut: false,
    seconds: 1,
    tail: "",
  });
  const cellOf = (row: Partial<Row>): Cell => ({
    kind: "beside",
    persona: "weak",
    ...SHAPE,
    rows: [{ loop: USUAL.name, isPeer: false, passed: true, why: null, ends: [], oracles: [], ...row }],
  });

  test("says how many runs of the program ended as in virtual time, and which did not", async () => {
    const spec = specOf(PERSONAS.weak, USUAL, SHAPE);
    const [first, second] = [await trial("1", spec), await trial("2", spec)];
    const other = { ...end("2", second), calls: second.calls + 1 };
    const cells = [cellOf({ ends: [end("1", first), other] })];
    const agreement = await agreementOf(cells);
    expect(agreement).toMatchObject({ runs: 2, same: 1 });
    expect(agreement.others[0]).toStartWith("weak 2: done, right");
    const page = await pageOf({ virtual: found, cells, ended: null });
    expect(page).toContain("Of 2 runs of the program itself with the same seeds (below), 1 ended the same");
    expect(page).toContain("### How many looks");
  });

  test("stands in the documents as its kept results make it", async () => {
    const root = join(import.meta.dirname, "..", "..");
    const page = await pageOf(together(readResults(join(root, "docs", "assets", "proof"))));
    expect(readFileSync(join(root, "docs", "proof.md"), "utf8")).toBe(page);
  });

  test("is made from results that were kept as from those that were given", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ralph-proof-"));
    try {
      const spec = specOf(PERSONAS.weak, USUAL, SHAPE);
      const ends = [end("1", await trial("1", spec))];
      const oracles = [bestOracle("1", PERSONAS.weak, SHAPE)];
      const few = cellOf({ ends, oracles });
      const more = cellOf({ ends: [...ends, end("2", await trial("2", spec))], oracles: [...oracles, ...oracles] });
      const given = together([few, found, more]);
      keepResults(folder, given);
      const kept = together(readResults(folder));
      expect(kept.cells[0]?.rows[0]?.ends).toHaveLength(2);
      expect(await pageOf(kept)).toBe(await pageOf(given));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("takes what was measured anew, where it stood, and leaves a run with fewer seeds", async () => {
    const spec = specOf(PERSONAS.weak, USUAL, SHAPE);
    const oracle = bestOracle("1", PERSONAS.weak, SHAPE);
    const first = end("1", await trial("1", spec));
    const cell = (calls: number, gap: number, seeds = 1): Cell => {
      const ends = Array.from({ length: seeds }, () => ({ ...first, calls }));
      return { ...cellOf({ ends, oracles: ends.map(() => oracle) }), gap };
    };
    const kills = (tasks: number): Kills => ({ kind: "kills", tasks, rows: [] });
    const kept = [cell(1, 0), cell(2, 0.25), cell(3, 0.5, 2), found, kills(1)];
    const anew = { ...found, rows: [] };
    const { cells, virtual, ended } = together(kept, [anew, kills(2), cell(5, 0.5), cell(4, 0.25)]);
    expect(cells.map(({ gap, rows }) => [gap, rows[0]?.ends[0]?.calls])).toEqual([
      [0, 1],
      [0.25, 4],
      [0.5, 3],
    ]);
    expect(virtual).toBe(anew);
    expect(ended?.tasks).toBe(2);
  });

  test("names each weakness beyond the bounds, and none within them", () => {
    const all = weaknesses(found, { ...THRESHOLDS, falseDone: 0, falseStop: 0 });
    expect(all.some((one) => one.includes("ours, signals without a gate"))).toBe(true);
    const none = weaknesses(found, { falseDone: 1, falseStop: 1, ratioToOracle: 99 });
    expect(none).toEqual([]);
  });
});
