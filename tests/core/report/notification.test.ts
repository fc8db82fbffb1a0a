import { describe, expect, test } from "bun:test";
import type { EventBody } from "../../../src/core/journal/event.ts";
import { initialState } from "../../../src/core/journal/state.ts";
import { notificationFor } from "../../../src/core/report/notification.ts";
import { notifierCommand } from "../../../src/core/report/notifier-command.ts";
import { STOP_REASONS, type StopReason } from "../../../src/core/stop/stop-reasons.ts";
import { analysis, iterationFinished, iterationStarted, play, runFinished, runStarted } from "../state-files/script.ts";

/** The kinds of all notifications of a run. */
function kindsOf(...bodies: EventBody[]): string[] {
  return play(...bodies).flatMap((step) => notificationFor(step)?.kind ?? []);
}

describe("the notification of a run's end", () => {
  const silent = ["stopped_by_user", "interrupted", "terminated", "hung_up", "landed"];
  test.each(Object.keys(STOP_REASONS).map((reason) => reason as StopReason))("%s", (reason) => {
    const { exit } = STOP_REASONS[reason];
    const kind =
      reason === "usage_limit"
        ? "limit_reached"
        : reason === "waits_for_answer"
          ? "question"
          : reason === "permission_denied" || reason === "denied_repeatedly"
            ? "denied"
            : exit === 0
              ? "complete"
              : exit === 3 && reason !== "no_headway"
                ? "breaker_open"
                : exit === 4
                  ? "ended"
                  : "failed";
    expect(kindsOf(runStarted(), runFinished(reason))).toEqual(silent.includes(reason) ? [] : [kind]);
  });
});

const denied = (number: number): EventBody[] => [
  iterationStarted(number),
  iterationFinished({
    analysis: {
      ...analysis,
      has_permission_denials: true,
      permission_denial_count: 1,
      denied_commands: ["Bash(rm x)"],
    },
  }),
];

test("consecutive denials cause one notification", () => {
  expect(
    kindsOf(runStarted(), ...denied(1), ...denied(2), iterationStarted(3), iterationFinished(), ...denied(4)),
  ).toEqual(["denied", "denied"]);
});

test("a question causes one notification, and is named at the end of the run", () => {
  const asked: EventBody = { type: "question_asked", kind: "question", task: "one", text: "Which?", parked: true };
  expect(
    kindsOf(runStarted(), asked, asked, { ...asked, task: "two" }, { ...asked, kind: "denied", parked: false }),
  ).toEqual(["question", "question"]);
  const end = play(runStarted(), asked, runFinished("waits_for_answer")).at(-1);
  const told = end && notificationFor(end);
  expect(told?.title).toEndWith(": needs you");
  expect(told?.text).toEndWith("Needs you: Which? Answer: ralph inbox");
});

test("a denial for which a swarm set its worker's task aside is told with what was denied", () => {
  const text = "Bash(git push), Write";
  const asked: EventBody = { type: "question_asked", kind: "denied", task: "one", text, parked: true };
  const step = play(runStarted(), asked).at(-1);
  expect(step && notificationFor(step)).toMatchObject({
    kind: "denied",
    title: expect.stringMatching(/: permission denied$/),
    text: 'Bash(git push), Write Answer: ralph inbox answer 1 "your answer"',
  });
});

test("the notification of a question ends with the command that answers it, however long the question is", () => {
  const told = (text: string) => {
    const asked: EventBody = { type: "question_asked", kind: "question", task: null, text, parked: false };
    const step = play(runStarted(), asked).at(-1);
    return (step && notificationFor(step))?.text ?? "";
  };
  const answer = ' Answer: ralph inbox answer 1 "your answer"';
  expect(told("Which one?")).toBe(`Which one?${answer}`);
  const long = told("Which ".repeat(200));
  expect([long.endsWith(`…${answer}`), long.length]).toEqual([true, 300]);
});

test("the notification of an end names the inbox, however long question and sentence are", () => {
  const asked: EventBody = {
    type: "question_asked",
    kind: "question",
    task: null,
    text: "x".repeat(999),
    parked: false,
  };
  const end = runFinished("waits_for_answer", { sentence: "y".repeat(999) });
  const step = play(runStarted(), asked, end).at(-1);
  const text = (step && notificationFor(step))?.text ?? "";
  expect([text.endsWith("… Answer: ralph inbox"), text.length]).toEqual([true, 300]);
});

test("a denial that ends the run causes only the notification of the end", () => {
  const settings = { PERMISSION_DENIAL_MODE: "halt" };
  expect(kindsOf(runStarted(undefined, settings), ...denied(1), runFinished("permission_denied"))).toEqual(["denied"]);
});

describe("the notification of a limit", () => {
  const wait = (why: "usage_limit" | "rate_limit" | "call_budget"): EventBody[] => [
    { type: "wait_started", until: "2026-01-31T10:00:00.000Z", why, message: "Limit until ten" },
    { type: "wait_ended", why },
  ];
  test("announces a usage limit and its end", () =>
    expect(kindsOf(runStarted(), ...wait("usage_limit"))).toEqual(["limit_reached", "limit_over"]));
  test.each(["rate_limit", "call_budget"] as const)("is not sent for a wait for %s", (why) =>
    expect(kindsOf(runStarted(), ...wait(why))).toEqual([]),
  );
  test("does not announce the end of a limit that lasts longer than the wait, which a pause or the run's time ended", () => {
    const limit: EventBody = {
      type: "agent_limit",
      call: 1,
      kind: "usage_limit",
      message: "Limit until Monday",
      resets_at: "2026-02-02T10:00:00.000Z",
    };
    expect(kindsOf(runStarted(), limit, ...wait("usage_limit"))).toEqual(["limit_reached"]);
  });
  test("does not announce the limit's end when the user stops the run", () => {
    const [start, end] = wait("usage_limit") as [EventBody, EventBody];
    const stop: EventBody = { type: "stop_requested", how: "now", by: "SIGINT" };
    expect(kindsOf(runStarted(), start, stop, end)).toEqual(["limit_reached"]);
  });
});

test("a notification's title names the project", () => {
  const [, end] = play(runStarted(initialState("/p"), { PROJECT_NAME: "weather" }), runFinished("plan_complete"));
  expect(end && notificationFor(end)?.title).toBe("weather: done");
});

test("a notification's title names the task, on one line", () => {
  const started = { ...runStarted(initialState("/p"), { PROJECT_NAME: "weather" }), task: "Mend\nthe tests" };
  const [, end] = play(started, runFinished("plan_complete"));
  expect(end && notificationFor(end)?.title).toBe("Mend the tests: done");
});

test("someone else's text in a notification is one short line without control characters", () => {
  const message = `Limit\n\u001b]0;taken\u0007 \u001b[31mred\u0000 \u202elater ${"x".repeat(5000)}`;
  const wait: EventBody = { type: "wait_started", until: "2026-01-31T10:00:00.000Z", why: "usage_limit", message };
  const settings = { PROJECT_NAME: "a\u001b]2;b\u0007\n\u0000" };
  const [, step] = play(runStarted(initialState("/p"), settings), wait);
  const told = step && notificationFor(step);
  expect(told?.title).toBe("a: usage limit");
  expect(told?.text).toMatch(/^Limit red later x+…$/);
  expect(told?.text.length).toBeLessThanOrEqual(300);
});

test("a notification's text is cut between characters", () => {
  const wait: EventBody = { type: "wait_started", until: "", why: "usage_limit", message: "👋".repeat(400) };
  const [, step] = play(runStarted(), wait);
  expect((step && notificationFor(step))?.text.isWellFormed()).toBe(true);
});

describe("the platform's notifier", () => {
  const words = { title: "-x: done", text: "$(rm -rf /); 'it'" };
  const found = (program: string) => `/bin/${program}`;
  const env = { DISPLAY: ":0" };

  test.each([
    ["linux", "/bin/notify-send"],
    ["darwin", "/bin/osascript"],
  ] as const)("gets title and text as separate arguments on %s", (platform, program) => {
    const command = notifierCommand(words, platform, env, found);
    expect(command?.argv[0]).toBe(program);
    expect(command?.argv.slice(-3)).toEqual(["--", words.title, words.text]);
  });
  test("gets no markup on Linux, where a desktop would render it and load its images", () => {
    const text = `<img src="https://host/x.png"> & <b>bold</b>`;
    const [linux, mac] = (["linux", "darwin"] as const).map((on) =>
      notifierCommand({ ...words, text }, on, env, found),
    );
    expect(linux?.argv.at(-1)).toBe(`&lt;img src="https://host/x.png"&gt; &amp; &lt;b&gt;bold&lt;/b&gt;`);
    expect(mac?.argv.at(-1)).toBe(text);
  });
  test("gets title and text through the environment on Windows", () => {
    const command = notifierCommand(words, "win32", env, found);
    expect(command?.env).toEqual({ RALPH_TITLE: words.title, RALPH_TEXT: words.text });
    expect(command?.argv.join(" ")).not.toContain("rm -rf");
  });
  test.each([
    ["over ssh", "linux", { ...env, SSH_CONNECTION: "1" }, found],
    ["without a screen", "linux", {}, found],
    ["if it is not installed", "linux", env, () => null],
    ["over ssh", "darwin", { SSH_TTY: "/dev/ttys1" }, found],
  ] as const)("is missing %s (%s)", (_, platform, environment, which) => {
    expect(notifierCommand(words, platform, environment, which)).toBeNull();
  });
});
