/** What is heard of one call, and how it is judged. */
import { describe, expect, test } from "bun:test";
import { noUsage } from "../../src/core/journal/usage.ts";
import type { AgentEvent, CallFacts, Driver } from "../../src/driver.ts";
import type { ProcessResult } from "../../src/effects/ports.ts";
import { createListener } from "../../src/run/listener.ts";
import { finished, plainDriver, requestOf, resultOf } from "./fake-world.ts";

const text: AgentEvent = { type: "text", text: "Hello" };
const failed: AgentEvent = { type: "finished", ok: false, text: null, duration_ms: null, cost_usd: null };

type Call = {
  says?: readonly (AgentEvent | string)[];
  stderr?: readonly string[];
  driver?: Partial<Driver>;
  request?: Parameters<typeof requestOf>[0];
  ends?: Partial<ProcessResult>;
};

const BLOCK = ["Over.", "---RALPH_STATUS---", "STATUS: COMPLETE", "---END_RALPH_STATUS---"];

/** A whole call: what the journal is to hold of its output, and what is judged of it. */
function heard({ says = [], stderr = [], driver, request, ends }: Call) {
  const listener = createListener({
    driver: { ...plainDriver, ...driver },
    request: requestOf(request),
    used: noUsage(),
    call: 1,
    estimate: () => null,
    onPartial: () => {},
  });
  const bodies = listener.lines(says.map((line) => (typeof line === "string" ? line : JSON.stringify(line))));
  bodies.push(...listener.end(stderr));
  return { bodies, ...listener.state(), ...listener.judge(resultOf(ends)) };
}

const crash: Partial<ProcessResult> = { outcome: "failed", exitCode: 1 };
const numbered = (what: string, count: number) => Array.from({ length: count }, (_, n) => `${what} ${n + 1}`);

describe("of what an agent prints in plain words, an error keeps", () => {
  test("the last 20 lines, however many there are", () => {
    const lines = numbered("line", 30);
    expect(heard({ says: lines, ends: crash }).error?.message.split("\n")).toEqual(lines.slice(10));
  });

  test("the lines of stderr after those of stdout, 20 together", () => {
    const message = heard({ says: numbered("out", 15), stderr: numbered("err", 10), ends: crash }).error?.message;
    expect(message?.split("\n")).toEqual([...numbered("out", 15).slice(5), ...numbered("err", 10)]);
  });

  test("no blank lines, which say nothing", () => {
    expect(heard({ says: ["one", "  ", "", "two"], ends: crash }).error?.message).toBe("one\ntwo");
  });

  test("the first 1,000 characters of each line", () => {
    expect(heard({ says: ["x".repeat(1500)], ends: crash }).error?.message).toBe("x".repeat(1000));
  });
});

test("a limit whose time no journal could hold states none, so that its wait is not over at once", () => {
  const limit = (resets_at: string): AgentEvent => ({
    type: "rate_limited",
    kind: "usage_limit",
    message: "m",
    resets_at,
  });
  for (const time of ["never", "+275760-09-13T00:00:00.000Z"])
    expect(heard({ says: [limit(time), failed], ends: crash })).toMatchObject({
      limitHasTime: false,
      error: { class: "limit" },
    });
  expect(heard({ says: [limit("2026-12-01T10:00:00.000Z"), failed], ends: crash }).limitHasTime).toBe(true);
});

test("figures that cannot be are noted once and count as unknown", () => {
  const usage: AgentEvent = { type: "usage", ...noUsage(), input_tokens: -5, output_tokens: 7, cost_usd: 1e300 };
  const end: AgentEvent = { type: "finished", ok: true, text: "Over.", duration_ms: -1, cost_usd: -1 };
  const { bodies, output } = heard({ says: [usage, usage, end] });
  const told = bodies.flatMap((body) => (body.type === "agent_usage" ? [body] : []));
  expect(told.map(({ input_tokens, output_tokens, cost_usd }) => [input_tokens, output_tokens, cost_usd])).toEqual([
    [null, 7, null],
    [null, 7, null],
  ]);
  const notes = bodies.flatMap((body) => (body.type === "note" ? [body.text] : []));
  expect(notes.map((text) => text.replace(/^.*: /, ""))).toEqual([
    "input_tokens -5, cost_usd 1e+300",
    "cost_usd -1, duration_ms -1",
  ]);
  expect(output.usage).toMatchObject({ output_tokens: 14, cost_usd: null, duration_ms: null });
});

describe("the journal names a session that was chosen for the agent", () => {
  const named = ({ bodies }: ReturnType<typeof heard>) =>
    bodies.flatMap((body, index) => (body.type === "agent_session" ? [[index, body.session_id]] : []));

  test("with the first event, even if the agent never names it", () => {
    const driver = { choosesSessionId: true };
    expect(named(heard({ says: [text, finished], driver }))).toEqual([[0, "chosen"]]);
  });

  test("not at all if the agent chooses its ids", () => {
    expect(named(heard({ says: [text, finished] }))).toEqual([]);
  });
});

describe("an output ends well", () => {
  test.each<[string, Call, boolean]>([
    ["with a final event that says so", { says: [finished] }, true],
    ["not with exit code 0 alone if the agent has a final event", { says: [text] }, false],
    ["with exit code 0 if the agent has no final event", { says: [text], driver: { hasFinalEvent: false } }, true],
    [
      "not with a final event of a failure, even if none is needed",
      { says: [failed], driver: { hasFinalEvent: false } },
      false,
    ],
    ["with exit code 0 as text with a status block", { says: BLOCK }, true],
    ["not with another exit code as text with a status block", { says: BLOCK, ends: crash }, false],
    ["not as text without one, though the exit code is 0", { says: ["Segmentation fault"] }, false],
    ["with exit code 0 as plain text", { says: ["Hello"], request: { format: "text" } }, true],
    ["not with another exit code as plain text", { says: ["Hello"], request: { format: "text" }, ends: crash }, false],
  ])("%s", (_name, call, ok) => expect(heard(call).ok).toBe(ok));
});

test("the output of an agent whose driver reads no events is plain text", () => {
  const { decoder, ...driver } = plainDriver;
  const listener = createListener({
    driver,
    request: requestOf(),
    used: noUsage(),
    call: 1,
    estimate: () => null,
    onPartial: () => {},
  });
  listener.lines(["Hello"]);
  expect(listener.end([])).toMatchObject([{ type: "agent_text", text: "Hello" }]);
});

test("the driver's decoder gets the resumed session and its usage", () => {
  const facts: (CallFacts | undefined)[] = [];
  const decoder: Driver["decoder"] = (_kit, given) => {
    facts.push(given);
    return { line: () => [], end: () => [] };
  };
  const used = { ...noUsage(), input_tokens: 7 };
  createListener({
    driver: { ...plainDriver, decoder },
    request: requestOf({ resume: "old" }),
    used,
    call: 1,
    estimate: () => null,
    onPartial: () => {},
  });
  expect(facts).toEqual([{ resume: "old", used }]);
});

test("a limit keeps its end when it is reported again without one", () => {
  const limited = (resets_at: string | null): AgentEvent => ({
    type: "rate_limited",
    kind: "usage_limit",
    message: "limit",
    resets_at,
  });
  expect(heard({ says: [limited("2026-03-04T15:00:00.000Z"), limited(null)] }).limitHasTime).toBe(true);
});

describe("an answer without its final event", () => {
  const complete = (over: boolean): AgentEvent => ({ type: "complete", over });
  const call: AgentEvent = { type: "tool_use", tool_id: "t", tool: "Read", input: { file_path: "a" } };

  test.each<[string, Call, boolean]>([
    ["counts with exit code 0 if it is complete", { says: [text, complete(false)] }, true],
    [
      "counts if ralph ended the process that stayed silent",
      { says: [text, complete(true)], ends: { exitCode: null, signal: "SIGTERM" } },
      true,
    ],
    ["does not count with another exit code", { says: [text, complete(true)], ends: crash }, false],
    ["does not count after more work", { says: [text, complete(true), call] }, false],
    [
      "does not count after an error",
      { says: [text, complete(true), { type: "error", class: "request", message: "no" }] },
      false,
    ],
    [
      "does not count after a timeout",
      { says: [text, complete(false)], ends: { outcome: "timed_out", exitCode: null } },
      false,
    ],
  ])("%s", (_name, given, ok) => expect(heard(given).ok).toBe(ok));

  test("says whether only that event can follow", () => {
    const states = (...says: AgentEvent[]) => heard({ says }).output.complete;
    expect([states(text), states(text, complete(false)), states(text, complete(true))]).toEqual([
      null,
      "perhaps",
      "over",
    ]);
    expect(states(text, complete(true), { type: "partial", text: "x" })).toBeNull();
  });
});

describe("in text mode", () => {
  const asText = { request: { format: "text" } } as const;
  const errorOf = (given: Call) => heard({ ...asText, ...given }).error;

  test("the error of a crash is read from stderr, not from the answer", () => {
    const says = ["The rate limit is documented.", "It resets at 3pm."];
    expect(errorOf({ says, ends: crash })).toMatchObject({
      class: "infrastructure",
      message: "The agent exited with 1.",
    });
    expect(errorOf({ says, stderr: ["Invalid API key"], ends: crash })).toMatchObject({ class: "auth" });
  });

  test("the last two lines count if they are the CLI's own statement", () => {
    expect(errorOf({ says: ["Worked.", "API Error: 529 overloaded"], ends: crash })?.message).toBe(
      "API Error: 529 overloaded",
    );
    expect(errorOf({ says: ["Prompt is too long", "one", "two"], ends: crash })?.class).toBe("infrastructure");
  });

  test("nothing of an answer with a status block is an error", () => {
    expect(errorOf({ says: [...BLOCK, "Error: rate limit"], ends: crash })?.class).toBe("infrastructure");
  });

  test("an empty answer is one, unless stderr says why it is empty", () => {
    expect(errorOf({ says: [] })).toBeNull();
    expect(errorOf({ says: [], stderr: ["warning: an update is available"] })).toBeNull();
    expect(errorOf({ says: [], stderr: ["No conversation found with session ID: 1"] })?.class).toBe("infrastructure");
  });
});
