/** A task of a run in detail, and what its gates said, on the page of `ralph ui`: in a real Chromium. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { answer } from "../support/answers.ts";
import { browser, openPage } from "../support/browser.ts";
import type { Page } from "../support/browser-page.ts";
import { cleanUp, project } from "../support/harness.ts";
import { complaintsAt, faultsAtAllWidths, has, howMany, openNewestRun, seen, tabTo } from "../support/on-page.ts";
import { enter, get, startUi, type Ui } from "../support/ui.ts";

afterAll(cleanUp);

const TICKS = `awk '!d && sub(/\\[ \\]/, "[x]") {d = 1} {print}' .ralph/@fix_plan.md > p && mv p .ralph/@fix_plan.md`;

/** A run in which the first task took two iterations, the first of which left its gate red. */
async function served(): Promise<Ui> {
  const at = project({
    files: {
      ".ralph/PROMPT.md": "Do the next task.\n",
      ".ralph/@fix_plan.md": "- [ ] greet <b>the</b> user\n- [ ] part\n",
      ".ralph/.ralphrc": 'QUALITY_GATES="test -e greet.txt"\n',
    },
    steps: [
      { shell: "echo half > half.txt", stdout: answer({ cost: 0.25 }) },
      { shell: `echo hello > greet.txt; ${TICKS}`, stdout: answer({ cost: 0.5 }) },
      { shell: `echo bye > part.txt; ${TICKS}`, stdout: answer({ cost: 0.25 }) },
    ],
  });
  await at.ralph("run", "--max-iterations", "3");
  return startUi(at);
}

const task = (row: number) => `#overview .tasks tbody tr:nth-child(${row}) .show-task`;

describe.skipIf(browser === null)("a task in detail", () => {
  let page: Page;
  beforeAll(async () => {
    page = await openPage();
  });
  afterAll(async () => page.close());

  async function shown(): Promise<Ui> {
    const ui = await served();
    await openNewestRun(page, ui);
    await page.becomes(howMany("#overview .show-task"), 2);
    return ui;
  }

  test("by mouse: its words, figures and iterations, what they changed, and the way to one of them", async () => {
    const ui = await shown();
    expect(await page.value(has("#overview .evidence", "test -e greet.txt2 green1 red"))).toBe(true);
    expect(await page.value(has("#overview .evidence", "Done rests on: every gate was green at the end"))).toBe(true);
    await page.click(task(1));
    await page.becomes(has("#task h2", "greet <b>the</b> user"), true);
    await page.becomes(has("#task .changes", "+hello"), true);
    expect(await page.value(has("#task .changes", "+half"))).toBe(true);
    expect(await page.value(has("#task .changes", "+bye"))).toBe(false);
    expect(await page.value(has("#task .facts", "$0.75"))).toBe(true);
    expect(await page.value(howMany("#task [data-iterations] button"))).toBe(2);
    expect(await faultsAtAllWidths(page)).toEqual([]);
    await page.click("#task [data-iterations] button:nth-child(2)");
    await page.becomes(`document.querySelector("#i2").open`, true);
    expect(await page.value(seen("#task"))).toBe(false);
    expect(complaintsAt(page, ui)).toEqual([]);
    ui.kill("SIGTERM");
  });

  test("by keyboard: opened, read and closed", async () => {
    const ui = await shown();
    await tabTo(page, task(2));
    await page.press("Enter");
    await page.becomes(has("#task .changes", "+bye"), true);
    expect(await page.value(has("#task .changes", "+hello"))).toBe(false);
    await page.press("Escape");
    await page.becomes(seen("#task"), false);
    ui.kill("SIGTERM");
  });
});

test("iterations that a run does not have are told", async () => {
  const ui = await served();
  const secrets = await enter(ui);
  const reader = (await get(ui, "/api/follow/home", secrets)).body?.getReader();
  let told = "";
  while (!told.includes("event: home")) told += new TextDecoder().decode((await reader?.read())?.value);
  const [, id, run] = /#\/run\/([0-9a-f]{16})\/([\w-]+)/.exec(told) ?? [];
  const asked = await get(ui, `/api/diff?project=${id}&run=${run}&iteration=8&last=9`, secrets);
  expect([asked.status, ((await asked.json()) as { error: string }).error]).toEqual([
    409,
    `The run ${run} does not have iterations 8 to 9.`,
  ]);
  ui.kill("SIGTERM");
});
