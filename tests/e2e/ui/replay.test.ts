/** A run as it was at a time, on the page of `ralph ui`: in a real Chromium, and by plain requests. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { browser, openPage } from "../support/browser.ts";
import type { Page } from "../support/browser-page.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { RUN, writeLongJournal } from "../support/long-journal.ts";
import { complaintsAt, faultsAtAllWidths, has, openNewestRun, seen, tabTo } from "../support/on-page.ts";
import { enter, get, listProject, startUi, type Ui } from "../support/ui.ts";

afterAll(cleanUp);

const open: Ui[] = [];
afterEach(() => {
  for (const ui of open.splice(0)) ui.kill("SIGTERM");
});

/** An invented run of 20 iterations of the same length. */
async function served(): Promise<{ at: Project; ui: Ui }> {
  const at = project({ git: false });
  writeLongJournal(at.dir, { iterations: 20, tools: 3, resultBytes: 100 });
  listProject(at);
  const ui = await startUi(at);
  open.push(ui);
  return { at, ui };
}

describe.skipIf(browser === null)("the replay of a run", () => {
  let page: Page;
  beforeAll(async () => {
    page = await openPage();
  });
  afterAll(async () => page.close());

  async function shown(): Promise<Ui> {
    const { ui } = await served();
    await openNewestRun(page, ui);
    await page.becomes(`document.querySelectorAll(".iteration").length`, 20);
    await page.becomes(seen("#overview .charts"), true);
    return ui;
  }
  const slideTo = (step: number) =>
    page.value(
      `(() => { const s = document.querySelector("#replay input"); s.value = "${step}"; s.dispatchEvent(new Event("input", { bubbles: true })); })()`,
    );

  test("by mouse: the end, its middle, its beginning; then the run as it is", async () => {
    const ui = await shown();
    await page.click("#to-replay");
    await page.becomes(has("#replay h2", "Iteration 20"), true);
    expect(await page.value(seen("#iterations"))).toBe(false);
    expect(await faultsAtAllWidths(page)).toEqual([]);
    // A click on the slider, somewhere between its ends.
    await page.click("#replay input");
    await page.becomes(`Number(document.querySelector("#replay input").value) % 1000 > 0`, true);
    await page.becomes(has("#replay [data-then] h2", "Iteration 20"), false);
    await slideTo(500);
    await page.becomes(has("#replay [data-then] h2", "Iteration 10"), true);
    expect(await page.value(has("#replay .transcript", "Words of iteration 10"))).toBe(true);
    expect(await page.value(has("#replay .transcript", "Words of iteration 9"))).toBe(false);
    await slideTo(0);
    await page.becomes(has("#replay [data-then]", "Before the first iteration"), true);
    await page.click("#replay [data-play]");
    await page.becomes(has("#replay [data-then] h2", "Iteration 2"), true);
    await page.click("#to-replay");
    await page.becomes(seen("#replay"), false);
    expect(await page.value(seen("#iterations"))).toBe(true);
    expect(complaintsAt(page, ui)).toEqual([]);
  });

  test("by keyboard: opened, moved and left", async () => {
    await shown();
    await page.press("r");
    await page.becomes(has("#replay h2", "Iteration 20"), true);
    await page.becomes(`document.activeElement?.type ?? ""`, "range");
    await page.press("Home");
    await page.becomes(has("#replay [data-then]", "Before the first iteration"), true);
    await tabTo(page, "#replay [data-play]");
    await page.value(`document.activeElement.blur()`);
    await page.press("r");
    await page.becomes(seen("#replay"), false);
  });
});

test("a time is answered by the fold of what was before it, and nothing later", async () => {
  const { ui } = await served();
  const secrets = await enter(ui);
  const reader = (await get(ui, "/api/follow/home", secrets)).body?.getReader();
  let told = "";
  while (!told.includes("event: home")) told += new TextDecoder().decode((await reader?.read())?.value);
  const id = /#\/project\/([0-9a-f]{16})/.exec(told)?.[1];
  const then = async (more: string) => {
    const answer = await get(ui, `/api/then?project=${id}&run=${RUN}${more}`, secrets);
    return (await answer.json()) as { from: number; to: number; at: number; html: string; error?: string };
  };
  const { from, to, at, html } = await then("");
  expect([from, at]).toEqual([Date.parse("2026-03-04T12:00:00.500Z"), to]);
  expect(html).toContain("Iteration 20");
  const middle = await then(`&at=${Math.round((from + to) / 2)}`);
  expect(middle.html).toContain("Iteration 10");
  expect(middle.html).not.toContain("Words of iteration 11");
  expect([middle.from, middle.to]).toEqual([from, to]);
  expect((await then("&at=1")).at).toBe(from);
  expect((await then("&at=soon")).error).toBe("at is no number.");
});
