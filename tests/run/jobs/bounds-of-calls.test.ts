/** What calls that did not end as they should do to the bounds, and to the end of a run. */
import { describe, expect, test } from "bun:test";
import claude from "../../../drivers/claude-code.ts";
import type { AgentEvent } from "../../../src/driver.ts";
import { loop } from "../../../src/run/jobs/loop.ts";
import type { Run } from "../../../src/run/run.ts";
import { NOON } from "../../core/given.ts";
import { bodiesOf, fakeWorld, finished, type Play } from "../fake-world.ts";

const cost = (cost_usd: number): AgentEvent => ({
  ...{ type: "usage", input_tokens: 10, output_tokens: 10, cache_read_tokens: null, cache_creation_tokens: null },
  ...{ cost_usd, duration_ms: null, turns: 1, model: null },
});
const failed = { outcome: "failed", exitCode: 1 } as const;
const says = (text: string): AgentEvent[] => [
  { ...{ type: "finished", ok: true, text }, duration_ms: null, cost_usd: null },
];
const block = (tests: string) =>
  `---RALPH_STATUS---\nSTATUS: IN_PROGRESS\nTESTS_STATUS: ${tests}\nEXIT_SIGNAL: false\n---END_RALPH_STATUS---`;

test("a failed call takes nothing of what the answer before it said: its tests still fail", async () => {
  const fake = fakeWorld({
    plan: "- [ ] one\n",
    settings: { DONE_POLICY: "evidence", MAX_ITERATIONS: 9 },
    plays: [
      { says: says(block("FAILING")), changes: ["a.ts"], plan: "- [x] one\n" },
      { says: [{ type: "error", class: "infrastructure", message: "API Error: 529 overloaded" }], ends: failed },
      { says: says(block("PASSING")), changes: ["a.ts"] },
    ],
  });
  const end = await fake.run(loop);
  expect([end.stop_reason, end.calls]).toEqual(["plan_complete", 3]);
});

describe("boxes that are ticked before a call meets its limit", () => {
  test("are its iteration's, so the next task begins with no cost", async () => {
    const limit = new Date(NOON + 60_000).toISOString();
    const limited: AgentEvent[] = [
      { type: "rate_limited", kind: "usage_limit", message: "limit reached", resets_at: limit },
      { type: "error", class: "limit", message: "limit reached" },
    ];
    const fake = fakeWorld({
      plan: "- [ ] one\n- [ ] two\n",
      settings: { MAX_COST_PER_TASK: 5, MAX_ITERATIONS: 2 },
      plays: [
        { says: [cost(3), ...limited], changes: ["a.ts"], plan: "- [x] one\n- [ ] two\n", ends: failed },
        { says: [cost(2), finished], changes: ["b.ts"] },
        { says: [cost(1), finished], changes: ["c.ts"] },
      ],
    });
    const end = await fake.run(loop);
    const evidence = { plan_delta: 1, plan_ticked: ["one"] };
    expect(bodiesOf(fake.journal, "iteration_finished")[0]).toMatchObject({ evidence });
    expect([end.stop_reason, end.iterations]).toEqual(["max_iterations", 2]);
  });
});

test("what a day may cost bounds the review too, not only the next iteration", async () => {
  const fake = fakeWorld({
    driver: { supportsReadOnly: true },
    settings: { REVIEW_MODE: "enhanced", REVIEW_INTERVAL: 1, MAX_ITERATIONS: 9, MAX_COST_PER_DAY: 5 },
    plays: [{ says: [cost(6), finished], changes: ["a.ts"] }, { says: [cost(6), finished] }],
  });
  const end = await fake.run(loop);
  expect([end.stop_reason, end.calls]).toEqual(["max_cost_per_day", 1]);
});

describe("a call of Claude Code that is cut short tells no cost", () => {
  const SESSION = "11111111-1111-4111-8111-111111111111";
  const working = (nth: number) =>
    JSON.stringify({
      ...{ type: "assistant", session_id: SESSION },
      message: {
        ...{ id: `m${nth}`, model: "claude-opus-4-5", content: [{ type: "text", text: "working" }], stop_reason: null },
        usage: {
          input_tokens: 1000,
          output_tokens: 200_000,
          cache_read_input_tokens: 0,
          cache_creation_input_tokens: 0,
        },
      },
    });
  const result = JSON.stringify({
    ...{ type: "result", subtype: "success", is_error: false, result: "Did it.", session_id: SESSION },
    ...{ total_cost_usd: 1, usage: { input_tokens: 10, output_tokens: 10 } },
  });
  const cutShort = (nth: number) => ({
    says: [working(nth)],
    changes: [`a${nth}.ts`],
    ends: { outcome: "timed_out", exitCode: null, ms: 900_000 } as const,
  });
  const played = (plays: Play[]) =>
    fakeWorld({ driver: { ...claude }, settings: { MAX_COST_USD: 10, MAX_ITERATIONS: 8 }, plays });

  test("what it probably cost counts, where other calls tell theirs", async () => {
    const fake = played([{ says: [result], changes: ["a.ts"] }, ...[1, 2, 3, 4, 5].map(cutShort)]);
    const end = await fake.run(loop);
    expect([end.stop_reason, end.cost_usd]).toEqual(["max_cost", 1]);
    expect(end.sentence).toContain("of it estimated");
    expect(end.calls).toBeLessThan(6);
  });

  test("where no call tells any, it is said that the bound cannot hold", async () => {
    const fake = played([1, 2, 3, 4, 5, 6, 7, 8].map(cutShort));
    await fake.run(loop);
    const notes = fake.journal.flatMap((event) => (event.type === "note" ? [event.text] : []));
    expect(notes.filter((text) => text.includes("MAX_COST_USD cannot end this run"))).toHaveLength(1);
  });
});

test("a stop ends a run that is paused in an iteration whose call has to be repeated", async () => {
  const at = new Date(NOON).toISOString();
  let run: Run | null = null;
  const fake = fakeWorld({
    settings: { MAX_ITERATIONS: 3 },
    earlier: {
      session: { session_id: "old", driver: "demo", created_at: at, last_used: at },
      finished: { reason: "stopped_by_user", exit_code: 0, sentence: "", at },
    },
    plays: [
      {
        says: [{ type: "error", class: "session", message: "No conversation found" }],
        ends: failed,
        meanwhile: () => run?.control({ command: "pause" }),
      },
    ],
    whileWaiting: (waiting) => waiting.control({ command: "stop", how: "after_iteration" }),
  });
  const end = await fake.run((own, agent) => {
    run = own;
    return loop(own, agent);
  });
  expect([end.stop_reason, end.calls]).toEqual(["stopped_by_user", 1]);
});
