import { describe, expect, test } from "bun:test";
import {
  findResumableSession,
  noSession,
  resetSession,
  type SessionTransition,
  touchSession,
} from "../../../src/core/decide/session.ts";
import { HOUR, MINUTE, NOON, settingsOf } from "../given.ts";

const iso = (at: number) => new Date(at).toISOString();
const session = touchSession(noSession(null, null), "id", "codex", iso(NOON));
const settings = settingsOf({ SESSION_EXPIRY_HOURS: 24 });

describe("the session to resume", () => {
  test("is the driver's own until it is too old", () => {
    expect(findResumableSession(session, { settings, driver: "codex", now: NOON + 24 * HOUR - 1 })).toEqual({
      resume: "id",
      expired: false,
    });
    expect(findResumableSession(session, { settings, driver: "codex", now: NOON + 24 * HOUR })).toEqual({
      resume: null,
      expired: true,
    });
  });
  test("ages from its creation, however often it is used", () => {
    const used = touchSession(session, "id", "codex", iso(NOON + 23 * HOUR));
    expect(used).toMatchObject({ created_at: iso(NOON), last_used: iso(NOON + 23 * HOUR) });
    expect(findResumableSession(used, { settings, driver: "codex", now: NOON + 25 * HOUR }).expired).toBe(true);
  });
  test("starts again with another id or driver", () => {
    for (const next of [
      touchSession(session, "b", "codex", iso(NOON + MINUTE)),
      touchSession(session, "id", "cursor", iso(NOON + MINUTE)),
    ])
      expect(next).toMatchObject({ created_at: iso(NOON + MINUTE) });
  });
  test("is none of another driver, none without continuity, and none after a reset", () => {
    const none = { resume: null, expired: false };
    expect(findResumableSession(session, { settings, driver: "cursor", now: NOON })).toEqual(none);
    expect(
      findResumableSession(session, {
        settings: settingsOf({ SESSION_CONTINUITY: false }),
        driver: "codex",
        now: NOON,
      }),
    ).toEqual(none);
    expect(findResumableSession(noSession(iso(NOON), "api_error"), { settings, driver: "codex", now: NOON })).toEqual(
      none,
    );
  });
  test("is too old with an unknown age, but not when the clock was set back", () => {
    expect(
      findResumableSession({ ...session, created_at: "yesterday" } as typeof session, {
        settings,
        driver: "codex",
        now: NOON,
      }).expired,
    ).toBe(true);
    expect(findResumableSession(session, { settings, driver: "codex", now: NOON - 99 * HOUR })).toEqual({
      resume: "id",
      expired: false,
    });
  });
});

test("a session's history keeps the reasons of the last fifty resets", () => {
  let history: SessionTransition[] = [];
  for (let n = 1; n <= 60; n += 1) history = resetSession(history, iso(NOON), "api_error", n).session_history;
  expect(history.map((row) => row.loop_number)).toEqual(Array.from({ length: 50 }, (_, index) => index + 11));
  expect(resetSession([], iso(NOON), "manual_interrupt", 3)).toEqual({
    session: { session_id: null, reset_at: iso(NOON), reset_reason: "manual_interrupt" },
    session_history: [
      { timestamp: iso(NOON), from_state: "active", to_state: "reset", reason: "manual_interrupt", loop_number: 3 },
    ],
  });
});
