import { describe, expect, test } from "bun:test";
import { decide } from "../../../src/core/decide/decide.ts";
import type { State } from "../../../src/core/journal/state.ts";
import type { Settings } from "../../../src/core/settings/settings.ts";
import { noHeadway } from "../../../src/core/stop/headway.ts";
import { MINUTE, NOON, recordOf, settingsOf, stateOf } from "../given.ts";

const at = new Date(NOON).toISOString();

/** The state after so many idle answers in a row, the last of which ended at noon. */
function idleFor(idle: number, about: Partial<State> = {}): State {
  const session = { session_id: "s", driver: "demo", created_at: at, last_used: at };
  return stateOf({ last: recordOf(), session, headway: { ...noHeadway(), idle }, ...about });
}

function next(idle: number, about: Partial<Settings> = {}, now = NOON): unknown {
  const decision = decide(idleFor(idle), settingsOf({ DONE_POLICY: "evidence", ...about }), now);
  if (decision.do === "wait") return `${decision.why} ${(decision.until - NOON) / MINUTE} min`;
  return decision.do === "run" ? (decision.drops ?? decision.resume) : decision.reason;
}

describe("idle answers", () => {
  test("are met in the same conversation, then in a new one, then after longer and longer pauses", () => {
    expect([0, 1, 2, 3, 4, 5].map((idle) => next(idle))).toEqual([
      "s",
      "s",
      "session_idle",
      "idle 1 min",
      "idle 2 min",
      "idle 4 min",
    ]);
    const later = NOON + 5 * MINUTE;
    expect([3, 4, 5].map((idle) => next(idle, {}, later))).toEqual(["s", "session_idle", "s"]);
  });

  test("pause for half an hour at most, where the user lets them go on", () => expect(next(20)).toBe("idle 30 min"));

  test("are met with the same again under DONE_POLICY=signals", () => {
    expect([1, 2, 3, 4].map((idle) => next(idle, { DONE_POLICY: "signals" }))).toEqual(["s", "s", "s", "s"]);
  });

  test("leave the conversation as it is with SESSION_RENEW=never", () => {
    expect(next(2, { SESSION_RENEW: "never" })).toBe("s");
  });

  test("pause no longer than that after the clock was set back", () => {
    expect(next(3, {}, NOON - 60 * MINUTE)).toBe("idle -59 min");
  });
});
