/** What is heard of one call, and how it is judged. */
import { describe, expect, test } from "bun:test";
import { noUsage } from "../../src/core/journal/usage.ts";
import type { AgentEvent, CallFacts, Driver } from "../../src/driver.ts";
import { callDecoders } from "../../src/driver-host/call-decoders.ts";
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
    decoders: callDecoders,
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
    decoders: callDecoders,
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
    decoders: callDecoders,
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
