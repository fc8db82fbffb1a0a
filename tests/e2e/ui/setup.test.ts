/** A project that is set up, and tasks that are imported, on the page of `ralph ui`: in a real Chromium and by plain requests. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { browser, openPage } from "../support/browser.ts";
import type { Page } from "../support/browser-page.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { faultsAtAllWidths, has, openHome, seen, tabTo } from "../support/on-page.ts";
import { enter, post, startUi, type Ui } from "../support/ui.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const TOLD = "#home-told";
const open: Ui[] = [];
afterEach(() => {
  for (const ui of open.splice(0)) ui.kill("SIGTERM");
});

async function served(...words: string[]): Promise<{ at: Project; ui: Ui }> {
  const at = project({ files: { "shop/readme.txt": "x\n", "shop/todo.md": "# Todo\n\n- [ ] sell bread\n" } });
  const ui = await startUi(at, ...words);
  open.push(ui);
  return { at, ui };
}

describe.skipIf(browser === null)("the form that sets a project up", () => {
  let page: Page;
  beforeAll(async () => {
    page = await openPage();
  });
  afterAll(async () => page.close());

  async function shown(): Promise<Project> {
    const { at, ui } = await served("--control");
    await openHome(page, ui, "#to-begin");
    await page.click("#to-begin");
    await page.becomes(seen('#begin a[href="#/setup"]'), true);
    await page.click('#begin a[href="#/setup"]');
    await page.becomes(seen("#new-project"), true);
    return at;
  }

  test("by mouse: a preview that changes nothing, then the files; then tasks of a document", async () => {
    const at = await shown();
    expect(await faultsAtAllWidths(page)).toEqual([]);
    await page.click('#new-project [name="folder"]');
    await page.type(at.path("sh"));
    await page.becomes(
      `[...document.querySelectorAll("#folders option")].map((one) => one.value).join()`,
      at.path("shop"),
    );
    await page.type("op");
    await page.click('#new-project [name="test_command"]');
    await page.type("true");
    await page.click("#new-project [data-preview]");
    await page.becomes(has(TOLD, "Nothing is changed yet."), true);
    expect(await page.value(has("#setup-told", "+++ b/.ralph/PROMPT.md"))).toBe(true);
    expect(at.has("shop/.ralph")).toBe(false);
    expect(await faultsAtAllWidths(page)).toEqual([]);
    await page.click("#new-project .buttons button:last-child");
    await page.becomes(has(TOLD, "Done."), true);
    expect(at.read("shop/.ralph/.ralphrc")).toContain("\nTEST_COMMAND=true\n");

    await page.click('#new-project [name="source"]');
    await page.type("todo.md");
    await page.click("#new-project [data-preview]");
    await page.becomes(has(TOLD, "Nothing is changed yet."), true);
    expect(await page.value(has("#setup-told", "+- [ ] sell bread"))).toBe(true);
    const plan = "shop/.ralph/@fix_plan.md";
    expect(at.read(plan)).not.toContain("sell");
    await page.click("#new-project .buttons button:last-child");
    await page.becomes(has(TOLD, "Done."), true);
    expect(at.read(plan)).toContain("- [ ] sell bread");
  });

  test("by keyboard: a new folder is made; what cannot be is told", async () => {
    const at = await shown();
    await page.type("shop");
    await page.press("Enter");
    await page.becomes(has(TOLD, "The folder has to be named whole"), true);
    await tabTo(page, '#new-project [name="folder"]');
    await page.value(`document.querySelector('#new-project [name="folder"]').select()`);
    await page.type(at.path("bakery"));
    await tabTo(page, "#new-project [data-preview]");
    await page.press("Enter");
    await page.becomes(has(TOLD, "Nothing is changed yet."), true);
    expect(at.has("bakery")).toBe(false);
    await tabTo(page, "#new-project .buttons button:last-child");
    await page.press("Enter");
    await page.becomes(has(TOLD, "Done."), true);
    expect(at.has("bakery/.ralph/PROMPT.md")).toBe(true);
    await tabTo(page, '#new-project [name="source"]');
    await page.type("../shop/todo.md");
    await page.press("Enter");
    await until("the task", () => at.read("bakery/.ralph/@fix_plan.md").includes("- [ ] sell bread"));
  });
});

test("a word is never a flag, a file is no folder, and without --control nothing is written", async () => {
  const { at, ui } = await served("--control");
  const secrets = await enter(ui);
  const asked = async (body: object) => {
    const answer = await post(ui, "/api/setup", body, secrets);
    return [answer.status, ((await answer.json()) as { error?: string }).error];
  };
  expect(await asked({ folder: at.path("shop/readme.txt") })).toEqual([
    409,
    `${at.path("shop/readme.txt")} is no folder, and none can be made there.`,
  ]);
  for (const name of ["a\0b", "n".repeat(300), join("n".repeat(300), "shop")]) {
    expect((await asked({ folder: at.path(name) }))[0]).toBe(409);
  }
  mkdirSync(at.path("shop/.ralph"));
  writeFileSync(at.path("shop/.ralph/PROMPT.md"), "x\n");
  expect((await asked({ folder: at.path("shop"), source: "--agent" }))[1]).toContain("./--agent");
  expect((await asked({}))[0]).toBe(409);
  ui.kill("SIGTERM");
  await ui.exited;
  const reading = await startUi(at);
  open.push(reading);
  const mine = await enter(reading);
  expect((await post(reading, "/api/setup", { folder: at.path("new") }, mine)).status).toBe(409);
  expect(existsSync(join(at.dir, "new"))).toBe(false);
});
