/** The result of one iteration: evidence, gates and sessions, by the rules of docs/product.md. */
import { describe, expect, test } from "bun:test";
import type { EventOf, RalphEvent } from "../../../src/core/journal/event.ts";
import { noUsage } from "../../../src/core/journal/usage.ts";
import type { AgentEvent, CommandRequest } from "../../../src/driver.ts";
import { loop } from "../../../src/run/jobs/loop.ts";
import { bodiesOf, type FakeParts, fakeWorld, finished, type Play, typesOf } from "../fake-world.ts";

const PLAN = "- [ ] one\n- [ ] two";
const GATED = { TEST_COMMAND: "npm test" };
const answers: Play = { says: [finished], changes: ["a.ts"] };
const idle: Play = { says: [finished] };
const red: Play = { ...answers, gates: [{ exit: 1 }] };

/** The journal of a run with these plays, one iteration each. */
async function played(plays: readonly Play[], parts: FakeParts = {}): Promise<RalphEvent[]> {
  const settings = { MAX_ITERATIONS: plays.length, ...parts.settings };
  const fake = fakeWorld({ ...parts, plays, settings });
  await fake.run(loop);
  return fake.journal;
}

function iterations(journal: readonly RalphEvent[]): EventOf<"iteration_finished">[] {
  return journal.flatMap((event) => (event.type === "iteration_finished" ? [event] : []));
}

/** The session that each iteration resumed. */
function resumes(journal: readonly RalphEvent[]): (string | null)[] {
  return journal.flatMap((event) => (event.type === "iteration_started" ? [event.resume] : []));
}

test("the evidence keeps the subject of the iteration's first commit", async () => {
  const [iteration, without] = iterations(await played([{ ...idle, commits: ["c1", "c2"] }, idle]));
  expect(iteration?.evidence.subject).toBe("message of c1");
  expect(without?.evidence).not.toHaveProperty("subject");
});

test("the start of an iteration names the task at hand", async () => {
  const journal = await played([{ ...answers, plan: "- [x] one\n- [ ] two" }, answers], { plan: PLAN });
  expect(bodiesOf(journal, "iteration_started")).toMatchObject([{ task: "one" }, { task: "two" }]);
  const [alone] = bodiesOf(await played([answers]), "iteration_started");
  expect(alone).not.toHaveProperty("task");
});

test("the start of an iteration keeps what the agent is told after the prompt, and nothing of the prompt", async () => {
  const fake = fakeWorld({ plan: PLAN, settings: { ...GATED, MAX_ITERATIONS: 2 }, plays: [red, red] });
  await fake.run(loop);
  const second = fake.journal.filter((event) => event.type === "iteration_started")[1];
  expect(second?.notes).toContain("npm test");
  expect(second?.notes).not.toContain("Work.");
});

describe("progress", () => {
  test.each<[string, Play, boolean]>([
    ["is a changed file", { ...idle, changes: ["a.ts"] }, true],
    ["is a commit", { ...idle, commits: ["c1"] }, true],
    ["is a ticked box", { ...idle, plan: "- [x] one\n- [ ] two" }, true],
    ["is false if nothing changed", idle, false],
  ])("%s", async (_name, play, progress) => {
    expect(iterations(await played([play], { plan: PLAN }))).toMatchObject([{ evidence: { progress } }]);
  });

  test("is false for an unticked box", async () => {
    const plan = "- [x] one\n- [ ] two";
    const [iteration] = iterations(await played([{ ...idle, plan: PLAN }], { plan }));
    expect(iteration?.evidence).toMatchObject({ progress: false, plan_delta: -1 });
  });

  test("excludes files that a gate wrote: the next iteration takes a new snapshot", async () => {
    const journal = await played([{ ...answers, gates: [{ changes: ["report.xml"] }] }, idle], { settings: GATED });
    expect(bodiesOf(journal, "gate_finished")).not.toHaveLength(0);
    expect(iterations(journal).map(({ evidence }) => evidence.progress)).toEqual([true, false]);
  });

  test("excludes the user's changes during a wait between iterations", async () => {
    let tree = 1;
    const { workspace } = fakeWorld().world;
    const journal = await played([idle, idle], {
      settings: { MAX_CALLS_PER_HOUR: 1 },
      world: {
        workspace: {
          ...workspace,
          snapshot: async () => ({ id: `tree-${tree}`, head: null, branch: null, isGitRepository: false }),
          changes: async (before, after) => ({
            files: before.id === after.id ? [] : ["a.ts"],
            commits: [],
            headMoved: false,
          }),
        },
      },
      whileWaiting: () => {
        tree += 1;
      },
    });
    expect(iterations(journal).map(({ evidence }) => evidence.progress)).toEqual([false, false]);
  });
});

test("an iteration lists at most 200 changed files but counts them all", async () => {
  const changes = Array.from({ length: 250 }, (_, n) => `f${String(n).padStart(3, "0")}.ts`);
  const [iteration] = iterations(await played([{ ...idle, changes }]));
  expect(iteration?.evidence.files_changed).toHaveLength(200);
  expect(iteration?.evidence.files_changed_count).toBe(250);
});

describe("the agent's session", () => {
  const session: AgentEvent = { type: "session_id", session_id: "s1" };
  const failing = (errorClass: "request" | "context" | "infrastructure"): Play => ({
    says: [session, { type: "error", class: errorClass, message: "it went wrong" }],
    ends: { outcome: "failed", exitCode: 1 },
    changes: ["a.ts"],
  });
  test.each([
    ["the provider refused a request", "request"],
    ["it grew too long in its first call", "context"],
  ] as const)("is dropped after %s", async (_, errorClass) => {
    const journal = await played([failing(errorClass), answers]);
    expect(bodiesOf(journal, "reset")).toContainEqual({ type: "reset", what: "session", reason: "api_error" });
    expect(resumes(journal)).toEqual([null, null]);
  });

  test("goes on after any other failure", async () => {
    expect(resumes(await played([failing("infrastructure"), answers]))).toEqual([null, "s1"]);
  });

  test("is reset as expired before the call that would have resumed it", async () => {
    const created = new Date(Date.UTC(2020, 0, 1)).toISOString();
    const journal = await played([answers], {
      earlier: {
        finished: { reason: "stopped_by_user", exit_code: 0, sentence: "", at: created },
        session: { session_id: "old", driver: "demo", created_at: created, last_used: created },
      },
    });
    expect(typesOf(journal).indexOf("reset")).toBeLessThan(typesOf(journal).indexOf("iteration_started"));
    expect(bodiesOf(journal, "reset")[0]).toMatchObject({ what: "session", reason: "session_expired" });
    expect(resumes(journal)).toEqual([null]);
  });
});

describe("a conversation that grew dear", () => {
  const claim = "Added the cart.\n---RALPH_STATUS---\nSTATUS: COMPLETE\n---END_RALPH_STATUS---";
  const spending = (cost: number, n: number): Play => ({
    says: [
      { type: "session_id", session_id: n < 2 ? "first" : "second" },
      { type: "usage", ...noUsage(), cost_usd: cost, turns: 10 },
      { type: "finished", ok: true, text: claim, duration_ms: null, cost_usd: null },
    ],
    changes: [`${n}.ts`],
    commits: [`c${n}`],
  });

  test("is left behind once a new one is cheaper, with a hand-over, and what was claimed stays counted", async () => {
    const prompts: string[] = [];
    const journal = await played([1, 4, 1].map(spending), {
      settings: { MAX_ITERATIONS: 3, MAX_CONSECUTIVE_DONE_SIGNALS: 3 },
      driver: {
        buildCommand: ({ prompt }) => {
          prompts.push(prompt);
          return { argv: ["demo"], stdin: "" };
        },
      },
    });
    expect(resumes(journal)).toEqual([null, "first", null]);
    expect(bodiesOf(journal, "reset")[0]).toMatchObject({ what: "session", reason: "session_renewed" });
    expect(prompts[2]).toContain("Its last answer: Added the cart.");
    expect(journal.at(-1)).toMatchObject({ stop_reason: "completion_signals", iterations: 3 });
  });

  test("goes on where the user wants it to", async () => {
    const settings = { SESSION_RENEW: "never", MAX_ITERATIONS: 3, MAX_CONSECUTIVE_DONE_SIGNALS: 9 } as const;
    expect(resumes(await played([1, 4, 1].map(spending), { settings }))).toEqual([null, "first", "first"]);
  });
});

describe("an iteration that met a limit", () => {
  const usage = (tokens: number): AgentEvent => ({
    type: "usage",
    input_tokens: tokens,
    output_tokens: 0,
    cache_read_tokens: null,
    cache_creation_tokens: null,
    duration_ms: null,
    cost_usd: tokens / 100,
    turns: 1,
    model: null,
  });
  const limited: Play = {
    says: [usage(100), { type: "error", class: "limit", message: "limit reached" }],
    ends: { outcome: "failed", exitCode: 1 },
  };

  test("adds up the usage of all its calls", async () => {
    const journal = await played([limited, { ...answers, says: [usage(10), finished] }], {
      settings: { MAX_ITERATIONS: 1 },
    });
    expect(iterations(journal)).toMatchObject([{ usage: { input_tokens: 110, cost_usd: 1.1 } }]);
  });

  test("compares with the tree before its first call", async () => {
    const journal = await played([{ ...limited, changes: ["first.ts"] }, idle], { settings: { MAX_ITERATIONS: 1 } });
    expect(iterations(journal)).toMatchObject([{ evidence: { progress: true, files_changed: ["first.ts"] } }]);
  });
});

describe("an iteration that timed out", () => {
  const timedOut: Play = { ends: { outcome: "timed_out", exitCode: null } };

  test("counts as work if files changed", async () => {
    expect(iterations(await played([{ ...timedOut, changes: ["a.ts"] }]))).toMatchObject([{ outcome: "timed_out" }]);
  });

  test("is a failure if nothing changed", async () => {
    expect(iterations(await played([timedOut]))).toMatchObject([{ outcome: "failed" }]);
  });
});

describe("the evidence of an iteration", () => {
  test("names the HEAD that it left, its commits newest first, and a print of the tree", async () => {
    const [iteration] = iterations(await played([{ ...answers, commits: ["c1", "c2"] }]));
    expect(iteration?.evidence).toMatchObject({ head: "c2", commits: ["c2", "c1"], fingerprint: "tree-2" });
  });

  test("names the boxes that it ticked, and what the plan counts now", async () => {
    const [iteration] = iterations(await played([{ ...idle, plan: "- [x] one\n- [ ] two" }], { plan: PLAN }));
    expect(iteration?.evidence).toMatchObject({
      plan_delta: 1,
      plan_ticked: ["one"],
      plan: { total: 2, checked: 1 },
    });
  });

  test("mentions no ticked boxes if none was ticked", async () => {
    const [iteration] = iterations(await played([idle], { plan: PLAN }));
    expect(iteration?.evidence).not.toHaveProperty("plan_ticked");
  });
});

describe("an iteration's beginning", () => {
  test("names the HEAD and the tree that it found", async () => {
    const journal = await played([{ ...answers, commits: ["c1"] }, idle]);
    expect(bodiesOf(journal, "iteration_started")).toMatchObject([
      { number: 1, call: 1, head: null, snapshot: "tree-1" },
      { number: 2, call: 1, head: "c1", snapshot: "tree-2" },
    ]);
  });

  test("sends the prompt to an agent in ralph's working directory", async () => {
    const requests: CommandRequest[] = [];
    const buildCommand = (request: CommandRequest) => {
      requests.push(request);
      return { argv: ["demo"] };
    };
    const { host } = fakeWorld().world;
    await played([idle], { driver: { buildCommand }, world: { host: { ...host, cwd: "/project/sub" } } });
    expect(requests).toMatchObject([{ prompt: "Work.", cwd: "/project/sub", newSessionId: "chosen", readOnly: false }]);
  });
});

test("the prompt is read anew for each iteration, so an edit between two counts", async () => {
  const prompts: string[] = [];
  const buildCommand = ({ prompt }: CommandRequest) => {
    prompts.push(prompt);
    return { argv: ["demo"] };
  };
  const { project } = fakeWorld().world;
  let reads = 0;
  const prompt = () => `Text ${++reads}.`;
  await played([idle, idle], { driver: { buildCommand }, world: { project: { ...project, prompt } } });
  expect(prompts.map((text) => text.split("\n")[0])).toEqual(["Text 1.", "Text 2."]);
});

describe("an iteration's verdict", () => {
  const saysDone: Play = {
    says: [
      {
        type: "finished",
        ok: true,
        text: "---RALPH_STATUS---\nSTATUS: COMPLETE\n---END_RALPH_STATUS---",
        duration_ms: null,
        cost_usd: null,
      },
    ],
    changes: ["a.ts"],
  };

  test("counts only gates that ran on its own answer", async () => {
    const settings = { ...GATED, QUALITY_GATE_ON_COMPLETION_ONLY: true };
    const journal = await played([{ ...saysDone, gates: [{ exit: 1 }, { exit: 1 }] }, { ...answers }], { settings });
    expect(bodiesOf(journal, "gate_finished")).toHaveLength(1);
    expect(iterations(journal)[0]?.verdict.sentence).toContain("1 gate fails");
    expect(iterations(journal)[1]?.verdict.sentence).not.toContain("gate");
  });

  test("notices files that returned to an earlier state", async () => {
    const { workspace } = fakeWorld().world;
    const trees = ["a", "b", "a"];
    let written = 0;
    const meanwhile = () => {
      written += 1;
    };
    const writes: Play = { ...answers, meanwhile };
    const journal = await played([writes, writes], {
      world: {
        workspace: {
          ...workspace,
          snapshot: async () => ({ id: trees[written] ?? "", head: null, branch: null, isGitRepository: false }),
          changes: async () => ({ files: ["a.ts"], commits: [], headMoved: false }),
        },
      },
    });
    expect(iterations(journal).map(({ verdict }) => verdict.rule)).toEqual(["progress", "returned"]);
  });
});

test("an iteration takes as long as its call and its gates", async () => {
  const [iteration] = iterations(await played([{ ...answers, ends: { ms: 90_000 } }]));
  expect(iteration?.ms).toBe(90_000);
});

test("no gate runs on a call that failed: there is no answer to judge", async () => {
  const failed: Play = { says: [{ type: "error", class: "request", message: "no" }], ends: { exitCode: 1 } };
  expect(bodiesOf(await played([failed], { settings: GATED }), "gate_started")).toEqual([]);
});

test("an iteration that is stopped at once is interrupted once, by the stop, and judged by nothing", async () => {
  let stop = () => {};
  const fake = fakeWorld({ plays: [{ ...answers, meanwhile: () => stop() }] });
  await fake.run((run, agent) => {
    stop = () => run.stops.request("SIGTERM");
    return loop(run, agent);
  });
  expect(bodiesOf(fake.journal, "iteration_interrupted", "iteration_finished")).toEqual([
    { type: "iteration_interrupted", number: 1, why: "stopped", plan: null },
  ]);
});

test("what a failed call asked is nobody's to answer: no task is set aside for it", async () => {
  const text = "Which of the two databases should I use?";
  const crash: AgentEvent = { type: "error", class: "infrastructure", message: "API Error: 500" };
  const failed: Play = { says: [{ type: "text", text }, crash], ends: { outcome: "failed", exitCode: 1 } };
  const answered: Play = { says: [{ type: "finished", ok: true, text, duration_ms: null, cost_usd: null }] };
  const asked = async (play: Play) => bodiesOf(await played([play], { plan: PLAN }), "question_asked");
  expect(await asked(failed)).toEqual([]);
  expect(await asked(answered)).toHaveLength(1);
});

test("gates that a stop cut short say nothing of the answer", async () => {
  let stop = () => {};
  const gates = [{ exit: 1 }, { meanwhile: () => stop() }];
  const settings = { TEST_COMMAND: null, QUALITY_GATES: ["lint", "types"] };
  const fake = fakeWorld({ plays: [{ ...answers, gates }], settings });
  await fake.run((run, agent) => {
    stop = () => run.stops.request("SIGTERM");
    return loop(run, agent);
  });
  expect(iterations(fake.journal)).toMatchObject([{ outcome: "answered", verdict: { rule: "progress" } }]);
});

test("the same error in two answers is counted as the same", async () => {
  const errs: Play = {
    says: [{ type: "tool_result", tool_use_id: "t", content: "Error: cannot find module x", is_error: true }, finished],
    changes: ["a.ts"],
  };
  expect(iterations(await played([errs, errs])).map(({ analysis }) => analysis.same_error_count)).toEqual([1, 2]);
});
