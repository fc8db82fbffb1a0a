import { describe, expect, test } from "bun:test";
import { adoptLegacy, type OldFileName, type OldFiles } from "../../../../src/core/state-files/legacy/adopt-legacy.ts";
import { readBreaker, readBreakerHistory } from "../../../../src/core/state-files/legacy/old-breaker.ts";
import { readSession, readSessionHistory, readSessionId } from "../../../../src/core/state-files/legacy/old-session.ts";
import { closedBreaker } from "../../../../src/core/stop/circuit-breaker.ts";
import { START } from "../script.ts";

const NOW = START;
const UUID = "01d00001-0000-4000-8000-000000000001";
const MTIME = Date.UTC(2026, 0, 1);
const context = { now: NOW, driver: null };
const old = (files: Partial<Record<OldFileName, string>>): OldFiles =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [name, { text, mtime: MTIME }]));
const adopt = (files: Partial<Record<OldFileName, string>>, driver: string | null = null) =>
  adoptLegacy(old(files), { now: NOW, driver });

test("a project without old files adopts nothing and notes nothing", () => {
  expect(adopt({})).toEqual({
    state: {
      breaker: closedBreaker(),
      breaker_history: [],
      budget: { hour: "", resets_at: 0, calls: 0, tokens: 0 },
      session: { session_id: null, reset_at: null, reset_reason: null },
      session_history: [],
    },
    notes: [],
    corrupt: [],
  });
});

describe("the old breaker file", () => {
  const open = { state: "OPEN", consecutive_no_progress: 3, total_opens: 2, reason: "No progress detected in 3 loops" };
  const [opened, changed] = ["2026-01-02T03:04:05+00:00", "2026-01-01T00:00:00+00:00"];
  test.each<[string, unknown, Record<string, unknown>]>([
    [
      "CLOSED with counters",
      { state: "CLOSED", consecutive_no_progress: 1, last_progress_loop: 4 },
      { state: "closed", no_progress: 1, last_progress: 4 },
    ],
    ["lower case", { state: " closed " }, { state: "closed" }],
    [
      "counters in quotes",
      { state: "CLOSED", consecutive_no_progress: "2", consecutive_same_error: "0" },
      { no_progress: 2, same_error: 0 },
    ],
    ["a float counter", { state: "CLOSED", consecutive_no_progress: 1.5 }, { no_progress: 1 }],
    [
      "counters of every wrong kind",
      {
        state: "CLOSED",
        consecutive_no_progress: -1,
        consecutive_same_error: null,
        total_opens: [3],
        last_progress_loop: "x",
        consecutive_permission_denials: 1e300,
      },
      closedBreaker(),
    ],
    [
      "OPEN with its time",
      { ...open, opened_at: opened, last_change: changed },
      {
        state: "open",
        since: Date.parse(opened),
        total_opens: 2,
        reason: "stagnation_detected",
        sentence: open.reason,
      },
    ],
    [
      "OPEN of v0.9, without opened_at",
      { ...open, last_change: changed },
      { state: "open", since: Date.parse(changed) },
    ],
    [
      "OPEN with an unreadable opened_at",
      { ...open, opened_at: "soon", last_change: changed },
      { state: "open", since: Date.parse(changed) },
    ],
    ["OPEN without any time", open, { state: "open", since: NOW }],
    [
      "OPEN in the future",
      { ...open, opened_at: "2099-01-01T00:00:00+00:00" },
      { state: "open", since: Date.UTC(2099, 0, 1) },
    ],
    [
      "OPEN by denials",
      { ...open, reason: "Permission denied in 2 consecutive loops" },
      { reason: "permission_denials" },
    ],
    ["OPEN by errors", { ...open, reason: "Same error repeated in 5 loops" }, { reason: "repeated_error" }],
    [
      "OPEN by timeouts",
      { ...open, reason: "Read-only timeouts in 2 consecutive loops" },
      { reason: "read_only_timeouts" },
    ],
    [
      "HALF_OPEN while watching",
      { state: "HALF_OPEN", consecutive_no_progress: 2, reason: "Monitoring: 2 loops without progress" },
      { state: "half_open", why: "warning" },
    ],
    [
      "HALF_OPEN after the cooldown",
      { state: "HALF_OPEN", consecutive_no_progress: 3, reason: "" },
      { state: "half_open", why: "cooldown" },
    ],
    ["an unknown word", { state: "BROKEN", consecutive_no_progress: 1 }, { state: "closed", no_progress: 1 }],
  ])("is read: %s", (_, file, expected) => {
    const { state, corrupt } = adopt({ ".circuit_breaker_state": JSON.stringify(file) });
    expect(state.breaker).toMatchObject(expected);
    expect(corrupt).toEqual([]);
  });

  test.each(["{oops", '"x"', "[]", "null", "5", "{}", '{"state":1}', "\u0000\u0001"])(
    "with the text %j is moved aside, and the breaker is closed",
    (text) => {
      const { state, corrupt, notes } = adopt({ ".circuit_breaker_state": text });
      expect(state.breaker).toEqual(closedBreaker());
      expect(corrupt).toEqual([".circuit_breaker_state"]);
      expect(notes).toEqual([".circuit_breaker_state of an earlier program cannot be read; it was set aside."]);
    },
  );

  test.each(["", "\n", " "])("that is blank (%j) means a closed breaker, and is not moved aside", (text) => {
    expect(adopt({ ".circuit_breaker_state": text })).toMatchObject({
      state: { breaker: closedBreaker() },
      corrupt: [],
      notes: [],
    });
  });

  test("causes a note about an adopted OPEN and about a guess", () => {
    expect(adopt({ ".circuit_breaker_state": JSON.stringify(open) }).notes).toEqual([
      "The circuit breaker of an earlier run was adopted: OPEN (it does not say since when, so the cooldown begins now).",
    ]);
  });

  test("may have a byte order mark and CRLF", () => {
    expect(readBreaker(`\uFEFF{\r\n"state":"OPEN"}\r\n`, NOW)?.breaker.state).toBe("open");
  });

  const row = { timestamp: opened, loop: 3, from_state: "CLOSED", to_state: "OPEN", reason: "r" };
  test("has a history whose valid rows are kept", () => {
    expect(
      readBreakerHistory(JSON.stringify([row, null, 5, { ...row, to_state: "X" }, { ...row, timestamp: 1 }])),
    ).toEqual([{ ...row, timestamp: new Date(opened).toISOString(), from_state: "CLOSED", to_state: "OPEN" }]);
  });
  test.each(["{x", "{}", '"a"'])("has a history that is moved aside if it is no list (%j)", (text) => {
    expect(adopt({ ".circuit_breaker_history": text }).corrupt).toEqual([".circuit_breaker_history"]);
  });
});

describe("the old counters", () => {
  const hour = "2026013109";
  test.each<[string, Partial<Record<OldFileName, string>>, number, number, OldFileName[]]>([
    ["of this hour count", { ".call_count": "25\n", ".token_count": "900\n", ".last_reset": hour }, 25, 900, []],
    ["with CRLF count", { ".call_count": "25\r\n", ".last_reset": `${hour}\r\n` }, 25, 0, []],
    ["of an earlier hour are over", { ".call_count": "25", ".last_reset": "2026013108" }, 0, 0, []],
    ["of an hour to come count in this one", { ".call_count": "25", ".last_reset": "2099010100" }, 25, 0, []],
    ["without an hour are over", { ".call_count": "25" }, 0, 0, []],
    ["that are a word count as none", { ".call_count": "abc", ".last_reset": hour }, 0, 0, [".call_count"]],
    ["that are negative count as none", { ".call_count": "-3", ".last_reset": hour }, 0, 0, [".call_count"]],
    ["that are a float lose the fraction", { ".call_count": "3.7", ".last_reset": hour }, 3, 0, []],
    ["that are blank count as none", { ".call_count": "", ".last_reset": hour }, 0, 0, []],
    ["of an unreadable hour are over", { ".call_count": "5", ".last_reset": "yesterday" }, 0, 0, [".last_reset"]],
  ])("%s", (_, files, calls, tokens, corrupt) => {
    const adoption = adopt(files);
    expect(adoption.state.budget).toMatchObject({ calls, tokens });
    expect(adoption.corrupt).toEqual(corrupt);
  });
});

describe("the old session id file", () => {
  test.each<[string, string | null]>([
    [UUID, UUID],
    [`${UUID}\r\n`, UUID],
    [`\uFEFF${UUID}\nsecond line`, UUID],
    [JSON.stringify({ session_id: UUID, timestamp: "2026-01-01T00:00:00+00:00" }), UUID],
    [JSON.stringify({ sessionId: UUID }), UUID],
    ["ses_7f3a9c01AbCdEf", "ses_7f3a9c01AbCdEf"],
    ["null", null],
    ["0", null],
    ["1234567", null],
    ["[]", null],
    ["true", null],
    ['"abc"', null],
    ["{}", null],
    ['{"session_id":""}', null],
    ['{"session_id":5}', null],
    ['{"session_id":"--last"}', null],
    ["--last", null],
    ["a b  c", null],
    ["../../etc/passwd", null],
    ["$(id)", null],
    ['{"session_id":"a', null],
    ["ralph-1767225600-12345", null],
    ["x".repeat(500), null],
  ])("with the text %j has the id %j", (text, id) => {
    expect(readSessionId(text)?.id ?? null).toBe(id);
    expect(adopt({ ".claude_session_id": text }).corrupt).toEqual(id === null ? [".claude_session_id"] : []);
  });

  test.each(["", " ", "\n"])("that is blank (%j) means no session, and is not moved aside", (text) => {
    expect(adopt({ ".claude_session_id": text })).toMatchObject({
      state: { session: { session_id: null } },
      corrupt: [],
    });
  });

  const recorded = "2026-01-05T00:00:00.000Z";
  test.each<[string, Partial<Record<OldFileName, string>>, string, string]>([
    [
      "its own time",
      { ".claude_session_id": JSON.stringify({ session_id: UUID, timestamp: recorded }) },
      recorded,
      recorded,
    ],
    [
      "the file's time for a plain line",
      { ".claude_session_id": UUID },
      "2026-01-01T00:00:00.000Z",
      "2026-01-01T00:00:00.000Z",
    ],
    [
      "the times of .ralph_session where it is the same one",
      {
        ".claude_session_id": UUID,
        ".ralph_session": JSON.stringify({ session_id: UUID, created_at: "2025-12-31T00:00:00Z", last_used: recorded }),
      },
      "2025-12-31T00:00:00.000Z",
      recorded,
    ],
    [
      "not those of another one",
      {
        ".claude_session_id": UUID,
        ".ralph_session": JSON.stringify({ session_id: "other", created_at: recorded, last_used: recorded }),
      },
      "2026-01-01T00:00:00.000Z",
      "2026-01-01T00:00:00.000Z",
    ],
  ])("has its time from %s", (_, files, created_at, last_used) => {
    expect(adopt(files).state.session).toEqual({ session_id: UUID, driver: "claude-code", created_at, last_used });
  });

  test.each<[string, Partial<Record<OldFileName, string>>, string | null, string]>([
    ["claude-code where nothing tells", { ".claude_session_id": UUID }, null, "claude-code"],
    ["the project's for a plain line, which bmalph writes", { ".claude_session_id": UUID }, "codex", "codex"],
    [
      "claude-code for the bash loop's JSON",
      { ".claude_session_id": JSON.stringify({ session_id: UUID, timestamp: recorded }) },
      "codex",
      "claude-code",
    ],
    ["opencode by the form of the id", { ".claude_session_id": "ses_1a" }, "claude-code", "opencode"],
    [
      "the one that the file names",
      { ".claude_session_id": JSON.stringify({ session_id: UUID, driver: "cursor" }) },
      "codex",
      "cursor",
    ],
    [
      "the one of the newest metrics",
      { ".claude_session_id": UUID, "logs/metrics.jsonl": '{"driver":"codex"}\n{"driver":"copilot"}\n{"dri' },
      "cursor",
      "copilot",
    ],
  ])("has the driver: %s", (_, files, driver, expected) => {
    expect(adopt(files, driver).state.session).toMatchObject({ driver: expected });
  });

  test("leaves no session if missing, but the time and reason of a reset", () => {
    const reset = JSON.stringify({
      session_id: "",
      created_at: "",
      reset_at: recorded,
      reset_reason: "project_complete",
    });
    expect(adopt({ ".ralph_session": reset }).state.session).toEqual({
      session_id: null,
      reset_at: recorded,
      reset_reason: "project_complete",
    });
    const live = JSON.stringify({ session_id: UUID, created_at: recorded, last_used: recorded });
    expect(adopt({ ".ralph_session": live }).state.session.session_id).toBeNull();
  });

  test.each(["{", "[]", "{}", '{"session_id":null}'])("does without an unreadable .ralph_session %j", (text) =>
    expect(readSession(text)).toBeNull(),
  );

  test("has a history whose last 50 valid rows are kept", () => {
    const row = { timestamp: recorded, from_state: "active", to_state: "reset", reason: "r", loop_number: "7" };
    const rows = readSessionHistory(
      JSON.stringify([...Array.from({ length: 60 }, () => row), 1, { reason: "no time" }]),
    );
    expect(rows).toHaveLength(50);
    expect(rows?.[0]).toEqual({ ...row, loop_number: 7 });
    expect(readSessionHistory("{}")).toBeNull();
  });
});

test("the exit signals of an old run are not adopted", () => {
  const stale = { ".exit_signals": { text: '{"done_signals":[1,2]}', mtime: 0 } } as OldFiles;
  expect(Object.keys(adoptLegacy(stale, context).state)).not.toContain("signals");
});

test("calls of the hour under way are adopted, and the note counts them", () => {
  const hour = new Date(NOW);
  const two = (n: number) => String(n).padStart(2, "0");
  const stamp = `${hour.getFullYear()}${two(hour.getMonth() + 1)}${two(hour.getDate())}${two(hour.getHours())}`;
  const { state, notes } = adopt({ ".last_reset": `${stamp}\n`, ".call_count": "7\n", ".token_count": " 9 \n" });
  expect(state.budget).toMatchObject({ calls: 7, tokens: 9 });
  expect(notes).toEqual(["Calls of this hour, adopted from an earlier run: 7."]);
});

test("the old breaker's timeouts are adopted, and its reason is read in any case", () => {
  const breaker = (about: object) => readBreaker(JSON.stringify({ state: "OPEN", ...about }), NOW)?.breaker;
  expect(breaker({ consecutive_read_only_timeouts: 2 })).toMatchObject({ read_only_timeouts: 2 });
  expect(breaker({ reason: "Permission DENIED in 2 loops" })).toMatchObject({ reason: "permission_denials" });
  expect(breaker({ reason: "PERMISSION refused" })).toMatchObject({ reason: "permission_denials" });
});

test("an old session id may have blank lines around it", () => {
  expect(readSessionId(`\n  ${UUID} \n\n`)?.id).toBe(UUID);
});

test("a session id that only contains the bash loop's placeholder is one", () => {
  expect(readSessionId("my-ralph-1-a")?.id).toBe("my-ralph-1-a");
  expect(readSessionId("ralph-1-a")).toBeNull();
});
