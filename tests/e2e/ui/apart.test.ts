/** The server of `ralph ui` stays small, and what is long to work out is worked out beside it. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { projectId } from "../../../src/cli/ui/projects.ts";
import { works } from "../support/answers.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { RUN, writeLongJournal } from "../support/long-journal.ts";
import { enter, get, listProject, post, startUi, type Ui } from "../support/ui.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const isLinux = process.platform === "linux";

async function pageOf(at: Project, ...words: string[]): Promise<Ui> {
  listProject(at);
  return startUi(at, ...words);
}

const childrenOf = ({ pid }: Ui) => readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();

/** Whether a process is there, and no zombie. */
function isThere(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
  } catch {
    return false;
  }
}

describe.skipIf(!isLinux)("the page's server", () => {
  test("interprets its code, which nothing that it starts does", async () => {
    const at = project({ steps: [{ ...works(1), shell: "env > env.txt" }] });
    const ui = await pageOf(at, "--control");
    const own = readFileSync(`/proc/${ui.pid}/environ`, "utf8").split("\0");
    expect(own).toContain("BUN_JSC_useJIT=0");
    const secrets = await enter(ui);
    const asked = { project: projectId(at.dir), what: "plan", max_iterations: "1" };
    expect((await post(ui, "/api/begin", asked, secrets)).status).toBe(200);
    await until("the agent's words", () => at.has("env.txt"));
    expect(at.read("env.txt")).not.toMatch(/^(BUN_JSC|RALPH_LEAN|RALPH_UI)/m);
    await until("the end", () => at.event("run_finished") !== undefined);
    ui.kill("SIGTERM");
    expect(await ui.exited).toBe(143);
  });

  test("leaves what its user says about it as it is", async () => {
    const at = project({ env: { BUN_JSC_useJIT: "1" } });
    const ui = await pageOf(at);
    expect(readFileSync(`/proc/${ui.pid}/environ`, "utf8").split("\0")).toContain("BUN_JSC_useJIT=1");
    ui.kill("SIGTERM");
  });

  test("answers others while it searches, and ends a search that nobody waits for", async () => {
    const at = project({ git: false });
    writeLongJournal(at.dir, { iterations: 3000, tools: 20, resultBytes: 3000 });
    const ui = await pageOf(at);
    const secrets = await enter(ui);
    const leaving = new AbortController();
    const path = `/api/search?words=nowhere&project=${projectId(at.dir)}&run=${RUN}`;
    const address = `http://127.0.0.1:${ui.port}${path}`;
    const search = fetch(address, { headers: secrets, signal: leaving.signal }).then(
      () => "answered",
      () => "left",
    );
    await until("a process that searches", () => childrenOf(ui) !== "");
    expect((await get(ui, "/api/start", secrets)).status).toBe(200);
    expect(childrenOf(ui)).not.toBe("");
    leaving.abort();
    expect(await search).toBe("left");
    await until("its end", () => childrenOf(ui) === "");
    ui.kill("SIGTERM");
  });
});

test.skipIf(!isLinux)("a server that ends takes along what works out an answer", async () => {
  const at = project({ git: false });
  writeLongJournal(at.dir, { iterations: 3000, tools: 10, resultBytes: 3000 });
  const ui = await pageOf(at);
  const secrets = await enter(ui);
  const path = `/api/search?words=nowhere&project=${projectId(at.dir)}&run=${RUN}`;
  const search = get(ui, path, secrets).then(
    () => "answered",
    () => "broken off",
  );
  await until("a process that searches", () => childrenOf(ui) !== "");
  const child = Number(childrenOf(ui));
  // So that it cannot come to its end by itself meanwhile.
  process.kill(child, "SIGSTOP");
  try {
    expect((await at.ralph("ui", "stop")).exit).toBe(0);
    expect([await ui.exited, await search]).toEqual([0, "broken off"]);
    await until("its end", () => !isThere(child));
  } finally {
    if (isThere(child)) process.kill(child, "SIGKILL");
  }
});

test.skipIf(process.platform === "win32")(
  "a page answers though the folder is gone that it was started in",
  async () => {
    const at = project({ git: false });
    writeLongJournal(at.dir, { iterations: 3, tools: 1, resultBytes: 10 });
    listProject(at);
    const dir = join(at.dir, "..", "worktree");
    mkdirSync(dir);
    const ui = await startUi({ dir, env: at.env }, "--control");
    const secrets = await enter(ui);
    rmdirSync(dir);
    const report = await get(ui, `/api/report?project=${projectId(at.dir)}&run=${RUN}`, secrets);
    expect({ status: report.status, told: await report.text() }).toEqual({
      status: 200,
      told: expect.stringContaining("<!doctype html>"),
    });
    // Other programs start, too: what sets a project up is ralph itself.
    const asked = { folder: join(at.dir, "..", "made"), preview: true };
    const made = await post(ui, "/api/setup", asked, secrets);
    expect({ status: made.status, told: await made.text() }).toEqual({
      status: 200,
      told: expect.stringContaining("PROMPT.md"),
    });
    ui.kill("SIGTERM");
    expect(await ui.exited).toBe(143);
  },
);

test("what cannot be answered is told with what to do", async () => {
  const at = project({ git: false });
  writeLongJournal(at.dir, { iterations: 3, tools: 1, resultBytes: 10 });
  const ui = await pageOf(at);
  const secrets = await enter(ui);
  const of = `project=${projectId(at.dir)}&run=${RUN}`;
  const refused = await get(ui, `/api/diff?iteration=99&${of}`, secrets);
  expect(refused.status).toBe(409);
  expect(await refused.json()).toEqual({
    error: `The run ${RUN} does not have iteration 99.`,
    hint: "Load the page again.",
  });
  const found = await get(ui, `/api/search?words=iteration+2&${of}`, secrets);
  expect(found.headers.get("content-type")).toContain("application/json");
  expect(await found.json()).toMatchObject({ total: 1, iterations: [{ number: 2, count: 1 }] });
  ui.kill("SIGTERM");
});

test("the text of a long iteration is read beside the server, and is cut", async () => {
  const at = project({ git: false });
  writeLongJournal(at.dir, { iterations: 2, tools: 3, resultBytes: 6_000_000 });
  const ui = await pageOf(at);
  const secrets = await enter(ui);
  const of = `project=${projectId(at.dir)}&run=${RUN}`;
  const stream = (await get(ui, `/api/follow/run?${of}`, secrets)).body?.getReader();
  const decoder = new TextDecoder();
  for (let told = ""; !told.includes("caught_up"); )
    told += decoder.decode((await stream?.read())?.value, { stream: true });
  // The end of the run stands with its last iteration.
  const ends = [at.events().findLast(({ iteration }) => iteration === 1)?.seq, at.events().at(-1)?.seq];
  for (const number of [1, 2]) {
    const answer = await get(ui, `/api/transcript?iteration=${number}&${of}`, secrets);
    expect(answer.headers.get("x-ralph-seq")).toBe(String(ends[number - 1]));
    const html = await answer.text();
    expect(html).toContain(`Words of iteration ${number}: &lt;script&gt;`);
    expect(html).not.toContain(`Words of iteration ${3 - number}`);
    expect(html.match(/<details class="tool/g)?.length).toBe(4);
    expect(html.length).toBeLessThan(500_000);
  }
  await stream?.cancel();
  ui.kill("SIGTERM");
});
