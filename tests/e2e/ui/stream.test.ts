/** What the server of `ralph ui` sends to a page that follows a run. */
import { afterAll, expect, test } from "bun:test";
import { appendFileSync, readFileSync } from "node:fs";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { RUN, writeLongJournal } from "../support/long-journal.ts";
import { enter, get, listProject, type Secrets, startUi, type Ui } from "../support/ui.ts";

afterAll(cleanUp);

type Message = { id: number | null; kind: string; value: unknown };

async function served(iterations: number): Promise<{ at: Project; ui: Ui; secrets: Secrets; id: string }> {
  const at = project({ git: false });
  writeLongJournal(at.dir, { iterations, tools: 0, resultBytes: 1 });
  listProject(at);
  const ui = await startUi(at);
  const secrets = await enter(ui);
  const [home] = await messages(ui, "/api/follow/home", secrets, (all) => all.length > 0);
  return { at, ui, secrets, id: /#\/run\/([0-9a-f]{16})/.exec(String(home?.value))?.[1] ?? "" };
}

/** Reads a stream until enough is there. */
async function messages(ui: Ui, path: string, headers: Record<string, string>, isEnough: (all: Message[]) => boolean) {
  const answer = await get(ui, path, headers);
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  const all: Message[] = [];
  let rest = "";
  while (!isEnough(all)) {
    const part = await reader?.read();
    if (part === undefined || part.done) throw new Error(`the stream ended: ${rest}`);
    const whole = (rest + part.value).split("\n\n");
    rest = whole.pop() ?? "";
    for (const message of whole) {
      const of = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(message)?.[1] ?? null;
      const [id, kind, data] = [of("id"), of("event"), of("data")];
      if (kind !== null) all.push({ id: id === null ? null : Number(id), kind, value: JSON.parse(data ?? "null") });
    }
  }
  await reader?.cancel();
  return all;
}

const caughtUp = (all: Message[]) => all.some(({ kind }) => kind === "caught_up");
const rowsIn = (all: Message[]) =>
  all.flatMap(({ kind, value }) =>
    kind === "rows" ? [...String(value).matchAll(/ id="i(\d+)"/g)].map(([, n]) => Number(n)) : [],
  );

test("a run of 12,000 iterations reaches a page whole, once each", async () => {
  const { ui, secrets, id } = await served(12_000);
  const all = await messages(ui, `/api/follow/run?project=${id}&run=${RUN}`, secrets, caughtUp);
  expect(rowsIn(all)).toEqual(Array.from({ length: 12_000 }, (_, at) => at + 1));
  ui.kill("SIGTERM");
});

test("a page that was away gets what changed since the event that it names, and no more", async () => {
  const { at, ui, secrets, id } = await served(5);
  const path = `/api/follow/run?project=${id}&run=${RUN}`;
  const first = await messages(ui, path, secrets, caughtUp);
  expect(rowsIn(first)).toEqual([1, 2, 3, 4, 5]);
  const last = first.findLast((message) => message.id !== null)?.id ?? 0;
  const journal = at.path(`.ralph/runs/${RUN}/events.jsonl`);
  const lines = readFileSync(journal, "utf8").trimEnd().split("\n");
  expect(JSON.parse(lines.at(-1) ?? "").seq).toBe(last);
  const said = {
    v: 1,
    seq: last + 1,
    at: "2026-03-04T13:00:00.000Z",
    run: RUN,
    iteration: 5,
    type: "said",
    text: "<b>hello</b>",
  };
  appendFileSync(journal, `${JSON.stringify(said)}\n`);
  const again = await messages(ui, path, { ...secrets, "last-event-id": String(last) }, caughtUp);
  expect(rowsIn(again)).toEqual([5]);
  expect(again.findLast((message) => message.id !== null)?.id).toBe(last + 1);
  const entries = messages(ui, path, { ...secrets, "last-event-id": String(last + 1) }, (all) =>
    all.some(({ kind }) => kind === "entries"),
  );
  const stop = setInterval(() => {
    said.seq += 1;
    appendFileSync(journal, `${JSON.stringify(said)}\n`);
  }, 200);
  const live = (await entries).find(({ kind }) => kind === "entries")?.value as { number: number; html: string };
  clearInterval(stop);
  expect(live.number).toBe(5);
  expect(live.html).toContain("&lt;b&gt;hello&lt;/b&gt;");
  ui.kill("SIGTERM");
});
