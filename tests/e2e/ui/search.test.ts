/** Finding words in a run, whole paths and the saved report, in a real Chromium; skipped without one (CI installs it). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../../../scripts/lib/paths.ts";
import type { RalphEvent } from "../../../src/core/journal/event.ts";
import { browser, openPage } from "../support/browser.ts";
import type { Page } from "../support/browser-page.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { RUN, writeLongJournal } from "../support/long-journal.ts";
import { openNewestRun, seen, text } from "../support/on-page.ts";
import { enter, get, listProject, startUi, type Ui } from "../support/ui.ts";

afterAll(cleanUp);

const FOUND = "#seek [role=status]";
/** The text under the mark of the place that was gone to, and the iteration that it is in. */
const MARKED = `[...(CSS.highlights.get("found-now") ?? [])].map((range) => [range.toString(), range.startContainer.parentElement.closest(".iteration").id].join(" in ")).join()`;

/** A project with an invented run of 40 iterations, and its page. */
async function served(): Promise<{ at: Project; ui: Ui }> {
  const at = project({ git: false });
  writeLongJournal(at.dir, { iterations: 40, tools: 3, resultBytes: 200 });
  listProject(at);
  return { at, ui: await startUi(at) };
}

describe.skipIf(browser === null)("the text of a run on the page", () => {
  let page: Page;
  let at: Project;
  let ui: Ui;
  beforeAll(async () => {
    page = await openPage();
    ({ at, ui } = await served());
    await openNewestRun(page, ui);
    await page.becomes(`document.querySelectorAll(".iteration").length`, 40);
  });
  afterAll(async () => {
    ui.kill("SIGTERM");
    await page.close();
  });

  test("is searched by mouse: the place is unfolded, marked and counted", async () => {
    await page.click("#find");
    await page.type("WORDS OF ITERATION 17");
    await page.press("Enter");
    await page.becomes(text(FOUND), "1 of 1");
    await page.becomes(MARKED, "Words of iteration 17 in i17");
    await page.value(`document.querySelector("#find").select()`);
    await page.type("words of iteration 3");
    await page.press("Enter");
    // 3 and 30 to 39.
    await page.becomes(text(FOUND), "1 of 11");
    await page.click('#seek [data-step="1"]');
    await page.becomes(text(FOUND), "2 of 11");
    await page.becomes(MARKED, "Words of iteration 3 in i30");
    await page.click('#seek [data-step="-1"]');
    await page.becomes(MARKED, "Words of iteration 3 in i3");
    expect(await page.value<boolean>(`document.querySelector("#i3 .transcript").innerText.includes("Words")`)).toBe(
      true,
    );
  });

  test("is searched by keyboard, in folded results too, and what is not there is said", async () => {
    await page.value(`document.activeElement.blur()`);
    await page.press("/");
    expect(await page.value<string>("document.activeElement.id")).toBe("find");
    await page.type("<SCRIPT>document");
    await page.press("Enter");
    await page.becomes(text(FOUND), "1 of 80");
    await page.value(`document.activeElement.blur()`);
    await page.press("n");
    await page.becomes(MARKED, "<script>document in i1");
    await page.press("b");
    await page.press("b");
    await page.becomes(text(FOUND), "80 of 80");
    await page.press("/");
    await page.type("nowhere to be found (.*");
    await page.press("Enter");
    await page.becomes(text(FOUND), "Not found.");
    expect(await page.value<boolean>(seen('#seek [data-step="1"]'))).toBe(false);
  });

  test("shows paths whole or short, by mouse and by keyboard, and remembers it", async () => {
    await page.value(`document.querySelector("#i5").open = true`);
    await page.becomes(`(${text("#i5 .transcript")}).includes("Edit src/")`, true);
    await page.click("#paths");
    await page.becomes(`(${text("#i5 .transcript")}).includes(${JSON.stringify(join(at.dir, "src"))})`, true);
    expect(await page.value<string>(`localStorage.getItem("ralph-ui-paths")`)).toBe("whole");
    await page.value(`document.activeElement.blur()`);
    await page.press("w");
    await page.becomes(`(${text("#i5 .transcript")}).includes("Edit src/")`, true);
    expect(await page.value<string>(`document.querySelector("#paths").getAttribute("aria-pressed")`)).toBe("false");
  });

  test("with whole paths, too, gets what is new below what is there", async () => {
    await page.value(`document.activeElement.blur()`);
    await page.press("w");
    await page.value(`document.querySelector("#i40").open = true`);
    await page.becomes(`(${text("#i40 .transcript")}).includes(${JSON.stringify(join(at.dir, "src"))})`, true);
    await page.value(`window.there = document.querySelector("#i40 .transcript").firstElementChild; 0`);
    const journal = at.path(`.ralph/runs/${RUN}/events.jsonl`);
    const last: RalphEvent = JSON.parse(readFileSync(journal, "utf8").trimEnd().split("\n").at(-1) ?? "");
    const said = (nth: number) => {
      const { v, at, run } = last;
      const told = { type: "agent_text", call: 1, text: `news ${nth} of ${folder}/a.ts` };
      const event = { v, seq: last.seq + nth, at, run, iteration: 40, ...told };
      appendFileSync(journal, `${JSON.stringify(event)}\n`);
    };
    const folder = join(at.dir, "src");
    for (const nth of [1, 2]) {
      said(nth);
      await page.becomes(`(${text("#i40 .transcript")}).includes("news ${nth} of ${folder}")`, true);
    }
    expect(await page.value<number>(`(${text("#i40 .transcript")}).split("news 1 of").length`)).toBe(2);
    expect(await page.value<boolean>(`there.isConnected`)).toBe(true);
    await page.press("w");
    await page.becomes(`(${text("#i40 .transcript")}).includes("news 2 of ⌂/src/a.ts")`, true);
  });

  test("has the results of tools folded or not, by mouse and by keyboard, in what comes, too", async () => {
    const open = (row: string) => `document.querySelectorAll("${row} details.tool[open]").length`;
    await page.value(`document.querySelector("#i6").open = true`);
    await page.becomes(`document.querySelectorAll("#i6 details.tool").length > 2`, true);
    expect(await page.value<number>(open("#i6"))).toBe(0);
    await page.click("#results");
    await page.becomes(`document.querySelectorAll("#i6 details.tool:not([open])").length`, 0);
    await page.value(`document.querySelector("#i7").open = true`);
    await page.becomes(`${open("#i7")} > 2`, true);
    await page.value(`document.activeElement.blur()`);
    await page.press("o");
    await page.becomes(open(".iteration"), 0);
    expect(await page.value<string>(`document.querySelector("#results").getAttribute("aria-pressed")`)).toBe("false");
  });

  test("is saved as the page that ralph report writes, by mouse and by keyboard", async () => {
    await page.value(
      `URL.createObjectURL = (blob) => { blob.text().then((saved) => { window.saved = saved; }); return "blob:x"; }; HTMLAnchorElement.prototype.click = function () { window.name = this.download; }`,
    );
    await page.click("#export");
    await page.becomes(text("#noted"), `Saved as ralph-${RUN}.html.`);
    expect(await page.value<string>("window.name")).toBe(`ralph-${RUN}.html`);
    const report = Bun.spawnSync([binary, "report", "--html", "-"], { cwd: at.dir, env: at.env });
    await page.becomes("window.saved?.length", report.stdout.toString().length);
    expect(await page.value<boolean>(`window.saved === ${JSON.stringify(report.stdout.toString())}`)).toBe(true);
    await page.value(`window.saved = undefined; document.activeElement.blur()`);
    await page.press("e");
    await page.becomes("window.saved?.startsWith('<!doctype html>')", true);
  });
});

test("a search needs words and a run that is there, and only who was let in may search", async () => {
  const { ui } = await served();
  const secrets = await enter(ui);
  const home = await (await get(ui, "/api/follow/home", secrets)).body?.getReader().read();
  const id = /#\/run\/([0-9a-f]+)\//.exec(new TextDecoder().decode(home?.value))?.[1];
  const path = (words: string, run = RUN) => `/api/search?project=${id}&run=${run}&words=${encodeURIComponent(words)}`;
  expect((await get(ui, path("a"))).status).toBe(401);
  const found = await get(ui, path("words of iteration 3"), secrets);
  expect(await found.json()).toEqual({
    iterations: [3, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39].map((number) => ({ number, count: 1 })),
    total: 11,
    more: false,
  });
  expect((await get(ui, path("  "), secrets)).status).toBe(409);
  expect((await get(ui, path("a", "0009-none"), secrets)).status).toBe(409);
  ui.kill("SIGTERM");
});
