import { describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/lib/paths.ts";
import { run as runProgram } from "../../scripts/lib/run-program.ts";
import { newMemory } from "../../scripts/proof/agent.ts";
import { FLAWLESS } from "../../scripts/proof/beside/beside.ts";
import { figuresOfRow, mergedCells, pairedShare, type Row } from "../../scripts/proof/beside/compare.ts";
import { type How, type KillEnd, killLoop } from "../../scripts/proof/beside/kill-loop.ts";
import { processesOf } from "../../scripts/proof/beside/left-over.ts";
import { LOOPS } from "../../scripts/proof/beside/loops.ts";
import { review } from "../../scripts/proof/beside/review.ts";
import { handInVerdict, handInWork, judge, sideIn } from "../../scripts/proof/beside/rounds.ts";
import { type End, runLoop } from "../../scripts/proof/beside/run-loop.ts";
import { type Said, wordsOf } from "../../scripts/proof/beside/speech/speech.ts";
import { SPEECHES } from "../../scripts/proof/beside/speech/speeches.ts";
import type { State } from "../../scripts/proof/beside/state.ts";
import { missed, sectionOf } from "../../scripts/proof/page/beside-section.ts";
import { killsSection } from "../../scripts/proof/page/kills-section.ts";
import { PERSONAS, type Persona } from "../../scripts/proof/persona.ts";
import { isTrulyDone, newProject, planText } from "../../scripts/proof/project.ts";
import { SOON_MS, until } from "../e2e/support/until.ts";
import { testFolder } from "../folders.ts";

const FINISHED: End = {
  seed: "1",
  exitCode: 0,
  saidDone: true,
  trulyDone: true,
  calls: 6,
  callsAfterTruth: 0,
  callsInLimit: 0,
  cost: 2,
  cut: false,
  seconds: 1,
  tail: "",
};
const ORACLE = { done: true, calls: 6, cost: 2 };

function rowOf(loop: string, ends: readonly Partial<End>[], isPeer = false): Row {
  const made = ends.map((end, index) => ({ ...FINISHED, seed: `${index}`, ...end }));
  return { loop, isPeer, passed: true, why: null, ends: made, oracles: ends.map(() => ORACLE) };
}

describe("a loop beside others", () => {
  const bare = LOOPS.find(({ name }) => name === "bare while");
  const honest: Persona = { ...PERSONAS.strong, wrong: 0, idle: 0, earlyClaim: 0, regresses: 0, asks: 0, crashes: 0 };
  const run = (persona: Persona) => {
    if (bare === undefined) throw new Error("no bare while");
    const shape = { tasks: 3, gap: 0 };
    return runLoop({ loop: bare, persona, shape, seed: "1" }, { ralph: "none", peers: "none" });
  };

  test.if(process.platform !== "win32")(
    "meets an agent that is right, and one that says so while it is not",
    async () => {
      expect(await run(honest)).toMatchObject({ saidDone: true, trulyDone: true, calls: 3, callsAfterTruth: 0 });
      expect(await run({ ...honest, wrong: 1, fixesUntold: 0 })).toMatchObject({
        saidDone: true,
        trulyDone: false,
        calls: 3,
      });
    },
  );

  test.if(process.platform !== "win32")("goes on to its bound with an agent that does nothing", async () => {
    const idle = { ...honest, idle: 1, idleStays: 1, idleEndsFresh: 0 };
    expect(await run(idle)).toMatchObject({ saidDone: false, trulyDone: false, calls: 40 });
  });
});

test("a word that is in the name of no loop is told, not measured", async () => {
  const words = ["--peers", testFolder("proof-none"), "--only", "nobody"];
  const { exitCode, output } = await runProgram([process.execPath, join(root, "scripts", "proof.ts"), ...words]);
  expect({ exitCode, output }).toEqual({
    exitCode: 1,
    output: expect.stringContaining("--only nobody is in the name of no loop"),
  });
});

describe.if(process.platform === "linux")("a loop that is ended in the middle of a call", () => {
  const bare = LOOPS.find(({ name }) => name === "bare while");
  const ended = (how: How) => {
    if (bare === undefined) throw new Error("no bare while");
    const run = { loop: bare, persona: FLAWLESS, shape: { tasks: 3, gap: 0 }, seed: "1" };
    return killLoop(run, { ralph: "none", peers: "none" }, how, 500);
  };

  test("leaves what nobody ends, and goes on with the work that was done", async () => {
    expect(await ended("KILL")).toEqual({
      how: "KILL",
      left: ["agent", "its command", "its server", "loop"],
      again: { saidDone: true, trulyDone: true, calls: 3 },
    });
    expect((await ended("Ctrl+C twice")).left).toEqual(["its server"]);
  });

  test("is ended with the comparison, and leaves nothing of it", async () => {
    const folder = testFolder("proof-ended");
    const words = ["--peers", folder, "--kill", "--only", "bare while"];
    const proof = spawn(process.execPath, [join(root, "scripts", "proof.ts"), ...words], {
      env: { ...process.env, TMPDIR: folder },
      stdio: "ignore",
    });
    const exited = new Promise((resolve) => proof.on("exit", resolve));
    const begun = () => readdirSync(folder).filter((name) => existsSync(join(folder, name, "state.json.hung")));
    await until("a call", () => begun().length === 1);
    const of = join(folder, begun()[0] ?? "");
    expect(processesOf(of).length).toBeGreaterThan(1);
    proof.kill("SIGINT");
    expect(await exited).toBe(130);
    await until("all are ended", () => processesOf(of).length === 0, SOON_MS);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("has a row of the page", () => {
    const again = { saidDone: true, trulyDone: false, calls: 4 };
    const ends: KillEnd[] = [
      { how: "Ctrl+C twice", left: [], again },
      { how: "TERM", left: [], again: null },
      { how: "KILL", left: ["agent", "loop"], again },
    ];
    const page = killsSection({ kind: "kills", tasks: 3, rows: [{ loop: "one", ends }] }).join("\n");
    expect(page.replaceAll(/ +\|/g, " |")).toContain(
      "| one | nothing | its call never began | its call never began | agent, loop | done, wrong, 3 more calls |",
    );
  });
});

test("only what says so and is so counts as finished, and giving up early is a false stop, a bound is none", () => {
  const stopped = { saidDone: false, trulyDone: false };
  const found = figuresOfRow(rowOf("a", [{}, { trulyDone: false }, stopped, { ...stopped, calls: 40 }]));
  expect(found).toMatchObject({ runs: 4, saidDone: 2, trulyDone: 1, costPerDone: 8, ratioToOracle: 4 });
  expect([found.falseDone.count, found.falseStop.count]).toEqual([1, 1]);
});

test("loops are compared by the seeds that both ran", () => {
  const dear = rowOf("dear", [{ cost: 4 }, { cost: 4 }]);
  const cheap = rowOf("cheap", [{ cost: 1 }, { cost: 1 }, { cost: 100 }]);
  expect(pairedShare(cheap.ends, dear.ends)).toEqual({ share: 0.25, low: 0.25, high: 0.25 });
  expect(pairedShare(cheap.ends, rowOf("never", [{ trulyDone: false }]).ends)).toBeNull();
});

test("of a loop that was run twice with the same agent, the run with more seeds counts", () => {
  const kind = { kind: "beside", persona: "weak", tasks: 6, gap: 0 } as const;
  const few = { ...kind, rows: [rowOf("ours", [{}]), rowOf("a peer", [{}], true)] };
  const many = { ...kind, rows: [rowOf("ours", [{}, {}, {}])] };
  const other = { ...kind, gap: 0.25, rows: [rowOf("ours", [{}])] };
  const shapes = (cells: ReturnType<typeof mergedCells>) =>
    cells.map(({ gap, rows }) => [gap, ...rows.map(({ loop, ends }) => `${loop} ${ends.length}`)]);
  const expected = [
    [0, "ours 3", "a peer 1"],
    [0.25, "ours 1"],
  ];
  expect(shapes(mergedCells([few, many, other]))).toEqual(expected);
  expect(shapes(mergedCells([few, other, many]))).toEqual(expected);
});

test("the page says what ours misses, and names a loop that did not pass its check", () => {
  const ours = rowOf("ours, evidence + gate", [{}, { trulyDone: false }]);
  const peer = rowOf("a peer", [{}], true);
  const lost = missed([ours, peer], ours, 0);
  expect(lost.map((one) => one.replace(/ [\d.]+ \(.*/, ""))).toEqual([
    "false done",
    "money as a multiple of the oracle's",
    "money as a share of the best peer's",
  ]);
  const failed = { ...rowOf("another", []), passed: false, why: "it ends as done" };
  const lines = sectionOf({ kind: "beside", persona: "weak", tasks: 6, gap: 0, rows: [ours, peer, failed] });
  const page = lines.join("\n");
  expect(page).toContain("**Ours misses**: false done 0.50");
  expect(page).toContain("Not counted: another: it ends as done.");
});

describe("a review that a peer asks its agent for", () => {
  const reviews = { looked: "<LOOKED>", read: "<READ>" };
  const worked = (truth: "right" | "wrong"): State => {
    const project = newProject("1", { tasks: 3, gap: 0 });
    for (const task of project.tasks) Object.assign(task, { ticked: true, truth });
    const persona = { ...FLAWLESS, fixesTold: 1, fixesUntold: 0 };
    const counts = { cost: 0, callsAfterTruth: 0, lastSession: null, looks: 0 };
    const asked = { marker: "<DONE>", markerMeans: "all", planFile: "PLAN.md", planAs: "list", reviews } as const;
    return { persona, project, memory: newMemory(project), root: "none", ...asked, ...counts };
  };
  const told = "1. not ok: task 2 does what was asked. Say <READ> if there is none.";

  test("says with the marker that was asked for that there is nothing to mend", () => {
    const state = worked("right");
    expect(review(state, "Say <READ> if there is none.", 0)?.words.text).toEndWith("<READ>");
    expect(review(state, "Look, and say <LOOKED> if there is none.", 0)?.words.text).toEndWith("<LOOKED>");
    expect(state).toMatchObject({ looks: 2, memory: { calls: 0 } });
  });

  test("mends what it sees or is told, in the same call, and says no marker", () => {
    const state = worked("wrong");
    expect(review(state, told, 0)?.words.text).toBe("Mended what was red.");
    expect(state.project.tasks.map(({ truth }) => truth)).toEqual(["wrong", "right", "wrong"]);
    const texts = Array.from(
      { length: 20 },
      () => review(state, "Look, and say <LOOKED> if there is none.", 0)?.words.text,
    );
    expect(texts.slice(0, 2)).toEqual(["Mended what was red.", "Mended what was red."]);
    expect(isTrulyDone(state.project)).toBe(true);
    expect(state.looks).toBeGreaterThan(0);
  });

  test("is none where the loop asks for none", () => {
    expect(review(worked("wrong"), "Do the next task. Say <DONE> at its end.", 0)).toBeNull();
    expect(review({ ...worked("wrong"), reviews: null }, told, 0)).toBeNull();
  });
});

describe("a round of a peer in which one works and another judges", () => {
  const asked = (role: string) =>
    `As <outputDir>/signals.json says, write \`/home/id-0012/rounds/2/${role}/signals.json\`.`;
  const judged = (truth: "open" | "wrong" | "right", checked = true) => {
    const project = newProject("1", { tasks: 3, gap: checked ? 0 : 1 });
    Object.assign(project.tasks[1] ?? {}, { ticked: true, truth });
    const memory = newMemory(project);
    const looks = Array.from({ length: 20 }, (_, looks) => {
      const state = { project, memory, looks } as State;
      return judge(state, 2).fault;
    });
    return { faults: looks.filter((fault) => fault !== null).length, first: looks[0] };
  };

  test("names the task, and the file that each side hands in", () => {
    const file = "/home/id-0012/rounds/2/generator/signals.json";
    expect(sideIn(asked("generator"))).toEqual({ role: "generator", task: 12, file });
    expect(sideIn(`${asked("generator")}\n${asked("evaluator")}`)?.role).toBe("evaluator");
    expect(sideIn("Do the next task of PLAN.md.")).toBeNull();
  });

  test("has a judge that sees what the test of the task shows, and only at times what it misses", () => {
    const red = "not ok: task 2 does what was asked";
    expect(judged("open")).toEqual({ faults: 20, first: red });
    expect(judged("wrong")).toEqual({ faults: 20, first: red });
    const { faults } = judged("wrong", false);
    expect([faults > 0, faults < 20]).toEqual([true, true]);
    expect(judged("right").faults).toBeLessThan(5);
  });

  test("gets a verdict and the work in the form that it asks for", () => {
    const folder = mkdtempSync(join(tmpdir(), "ralph-rounds-"));
    const file = join(folder, "signals.json");
    const told = () => JSON.parse(readFileSync(file, "utf8")).signals;
    handInVerdict(file, "not ok: task 2");
    expect(told()).toMatchObject([{ type: "evaluation", status: "failed", critique: "not ok: task 2" }]);
    handInVerdict(file, null);
    expect(told()).toMatchObject([{ type: "evaluation", status: "passed", criteria: [{ id: "C1", passed: true }] }]);
    handInWork(file, true);
    expect(told().map(({ type }: { type: string }) => type)).toContain("task-complete");
    handInWork(file, false);
    expect(told()).toMatchObject([{ type: "note" }]);
    rmSync(folder, { recursive: true });
  });
});

test("a plan may have a section for each task", () => {
  const { tasks, ...project } = newProject("1", { tasks: 2, gap: 0 });
  const plan = planText(
    { ...project, tasks: tasks.map((task) => ({ ...task, ticked: task.number === 1 })) },
    "sections",
  );
  expect(plan).toBe("### Task 1: Task 1\n\n- [x] Task 1\n\n### Task 2: Task 2\n\n- [ ] Task 2");
});

describe("the stand-in", () => {
  const text = "All of it is done.\n\n---RALPH_STATUS---\nEXIT_SIGNAL: true\n---END_RALPH_STATUS---";
  const finished = { type: "finished", ok: true, text, duration_ms: null, cost_usd: null } as const;
  const answer = {
    session: "s",
    events: [{ type: "text", text: "All of it is done." } as const, finished],
    exit: 0,
    ms: 1,
    hangs: false,
    limitedUntil: null,
    cost: 0,
    finishedTask: false,
  };
  const said: Said = { session: "s", text: "Done.", ended: true, usage: null, exit: 0, flags: [] };
  const typesOf = (output: string) =>
    output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).type);

  test("prints a marker only where the agent claims what the marker means", () => {
    expect(wordsOf(answer, "DONE!", "all")).toEqual({ text: "All of it is done.\n\nDONE!", ended: true });
    expect(wordsOf(answer, "DONE!", "task").text).toBe("All of it is done.");
    expect(wordsOf({ ...answer, finishedTask: true }, "DONE!", "task").text).toContain("DONE!");
    expect(wordsOf(answer, null, "all").text).toContain("EXIT_SIGNAL: true");
    const unclaimed = { ...answer, events: [{ ...finished, text: text.replace("true", "false") }] };
    expect(wordsOf(unclaimed, "DONE!", "all").text).toBe("All of it is done.");
    expect(wordsOf({ ...answer, events: answer.events.slice(0, 1) }, null, "all")).toEqual({
      text: "All of it is done.",
      ended: false,
    });
  });

  test("speaks the formats of Claude Code", () => {
    const { claude } = SPEECHES;
    expect(claude.printed(said)).toBe("Done.\n");
    expect(typesOf(claude.printed({ ...said, flags: ["--output-format", "stream-json"] }))).toEqual([
      "system",
      "assistant",
      "result",
    ]);
    const json = claude.printed({ ...said, flags: ["--output-format", "json"] });
    expect(JSON.parse(json)).toMatchObject({ type: "result", session_id: "s", result: "Done." });
    expect(typesOf(claude.limited({ ...said, flags: ["--output-format", "stream-json"] }, 60_000))).toContain(
      "rate_limit_event",
    );
    expect(claude.limited(said, 60_001)).toBe("You've hit your limit · resets 12:02am (UTC)\n");
  });
});
