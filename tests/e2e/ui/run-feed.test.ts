/** What two readers of the same run get, while one of them is still being sent what was before. */
import { afterAll, expect, setSystemTime, test } from "bun:test";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { createRunFeed } from "../../../src/cli/ui/run-feed.ts";
import type { EventStream } from "../../../src/effects/ui/event-stream.ts";
import { SESSION, works } from "../support/answers.ts";
import { cleanUp, project } from "../support/harness.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

/** A reader that takes its rows only when it is let. */
function reader(isSlow = false) {
  const got = new Map<string, unknown[]>();
  const { promise: read, resolve: takeRows } = Promise.withResolvers<void>();
  if (!isSlow) takeRows();
  const stream: Pick<EventStream, "send" | "drained"> = {
    send: (kind: string, value: unknown) => void got.set(kind, [...(got.get(kind) ?? []), value]),
    drained: () => read,
  };
  return { stream: stream as EventStream, got: (kind: string) => got.get(kind) ?? [], takeRows };
}

async function finished() {
  const at = project({ steps: [works(1), works(2), works(3)] });
  await at.ralph("run", "--max-iterations", "2");
  let isEmpty = false;
  const feed = createRunFeed(at.dir, at.runs()[0] ?? "", () => {
    isEmpty = true;
  });
  return { at, feed, isEmpty: () => isEmpty };
}

test("a reader that is still being sent the rows keeps them when the first one leaves", async () => {
  const { feed, isEmpty } = await finished();
  const first = reader();
  const leave = feed.join(first.stream, 0);
  await until("the first one has all", () => first.got("caught_up").length === 1);
  const second = reader();
  const leaveToo = feed.join(second.stream, 0);
  leave();
  await until("the second one has all", () => second.got("caught_up").length === 1);
  expect(second.got("rows").flat()).toEqual(first.got("rows").flat());
  expect(second.got("overview")).toEqual(first.got("overview"));
  expect(isEmpty()).toBe(false);
  leaveToo();
  leaveToo();
  expect(isEmpty()).toBe(true);
});

test("the text of an iteration is had whole, or what is new since an event", async () => {
  const { at, feed } = await finished();
  const first = reader();
  const leave = feed.join(first.stream, 0);
  await until("it is read", () => first.got("caught_up").length === 1);
  const said = at.events().findLast(({ type }) => type === "agent_text")?.seq ?? 0;
  const since = (seq: number) => feed.transcript(2, true, 0, seq);
  const whole = since(0);
  expect(whole.html).toContain("One step further.");
  expect(since(said - 1).html).toContain("One step further.");
  const rest = since(said);
  expect(rest.html).not.toContain("One step further.");
  expect(whole.html.endsWith(rest.html)).toBe(true);
  expect([rest.seq, since(whole.seq)]).toEqual([whole.seq, { html: "", seq: whole.seq }]);
  leave();
});

test("what changes while a reader is being sent the rows reaches it too", async () => {
  const { at, feed } = await finished();
  const first = reader();
  const leave = feed.join(first.stream, 0);
  await until("the first one has all", () => first.got("caught_up").length === 1);
  const slow = reader(true);
  const leaveToo = feed.join(slow.stream, 0);
  await until("the slow one gets rows", () => slow.got("rows").length > 0);
  const before = first.got("now").at(-1);
  await at.ralph("run", "--max-iterations", "1");
  await until("the first one hears that it is no longer the newest", () => first.got("now").at(-1) !== before);
  slow.takeRows();
  await until("the slow one has all", () => slow.got("caught_up").length === 1);
  expect(slow.got("now").at(-1)).toEqual(first.got("now").at(-1));
  leave();
  leaveToo();
});

test("the page of a run that was cut short counts what its last iteration changed, as the report does", async () => {
  const written = {
    type: "tool_use",
    id: "t1",
    name: "Write",
    input: { file_path: "half.txt", content: "one\ntwo\n" },
  };
  const message = { id: "m1", role: "assistant", content: [written] };
  const first_stdout = `${JSON.stringify({ type: "assistant", message, session_id: SESSION })}\n`;
  const at = project({ steps: [{ first_stdout, hangs: true }] });
  const run = at.start("run");
  await until("it writes", () => at.runs().length > 0 && at.event("agent_tool_started") !== undefined);
  await at.ralph("stop", "--now");
  await run.ended;
  const report = JSON.parse((await at.ralph("report", "--json")).stdout);
  expect([report.files_changed, report.lines_added]).toEqual([1, 2]);
  const only = reader();
  const leave = createRunFeed(at.dir, at.runs()[0] ?? "", () => {}).join(only.stream, 0);
  await until("it is read", () => only.got("caught_up").length === 1);
  leave();
  expect(only.got("overview").join("")).toContain("half.txt");
  expect(only.got("rows").flat().join("")).toContain("+2");
});

test("a tool that is under way is in no text of its iteration, wherever that is made: it comes with its result", async () => {
  const use = { type: "tool_use", id: "t1", name: "Bash", input: { command: "make the-slow-part" } };
  const first_stdout = `${JSON.stringify({ type: "assistant", message: { id: "m1", role: "assistant", content: [use] }, session_id: SESSION })}\n`;
  const at = project({ steps: [{ first_stdout, hangs: true }] });
  const run = at.start("run");
  await until("it works", () => at.runs().length > 0 && at.event("agent_tool_started") !== undefined);
  const feed = createRunFeed(at.dir, at.runs()[0] ?? "", () => {});
  // As the process beside the server makes it, which follows no run.
  const apart = feed.transcript(1, true, 0, 0).html;
  const only = reader();
  const leave = feed.join(only.stream, 0);
  await until("it is read", () => only.got("caught_up").length === 1);
  const followed = feed.transcript(1, true, 0, 0).html;
  leave();
  await at.ralph("stop", "--now");
  await run.ended;
  expect(apart).toBe(followed);
  expect(apart).not.toContain("the-slow-part");
});

test("a journal that cannot be read to its end is told for as long as it is so", async () => {
  const { at, feed } = await finished();
  const newer = JSON.stringify({ ...at.events().at(-1), v: 99, seq: 100_000 });
  appendFileSync(join(at.dir, ".ralph", "runs", at.runs()[0] ?? "", "events.jsonl"), `${newer}\n`);
  // Each that comes is a further look at the same journal.
  const readers = [reader(), reader()];
  const leave: (() => void)[] = [];
  for (const one of readers) {
    leave.push(feed.join(one.stream, 0));
    await until("it is read", () => one.got("caught_up").length === 1);
  }
  for (const one of leave) one();
  for (const one of readers) expect(one.got("now").at(-1)).toContain("This run cannot be followed");
});

test("figures are drawn anew after the clock was set back by an hour", async () => {
  const { at, feed } = await finished();
  const only = reader();
  const leave = feed.join(only.stream, 0);
  await until("it has all", () => only.got("caught_up").length === 1);
  const before = only.got("overview").length;
  setSystemTime(Date.now() - 3_600_000);
  try {
    // Another run makes this one an older one, which has no next step any more.
    await at.ralph("run", "--max-iterations", "1");
    await until("the figures are drawn", () => only.got("overview").length > before);
  } finally {
    setSystemTime();
    leave();
  }
}, 90_000);
