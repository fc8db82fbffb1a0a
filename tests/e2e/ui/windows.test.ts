/** Many windows of one browser on the page of `ralph ui`: they share its few connections to the server. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Page } from "../support/browser-page.ts";
import { chromium, openChromium } from "../support/chromium.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { complaintsAt, seen } from "../support/on-page.ts";
import { listProject, startUi, type Ui } from "../support/ui.ts";

afterAll(cleanUp);

const OTHERS = 8;
const PROJECT = "#home .card[data-card]";

/** Whether the windows that are seen, and there is one, show all projects. */
const isShown = (count = 1) =>
  `(() => { const all = [window, ...others].filter((one) => !one.closed && !one.document.hidden); return all.length > 0 && all.every((one) => one.document.querySelectorAll("${PROJECT}").length === ${count}); })()`;

/** Opens more windows of the page, and waits for the one that is seen then. */
async function openOthers(page: Page): Promise<void> {
  await page.value(`(window.others = Array.from({ length: ${OTHERS} }, () => open("/")), null)`);
  await page.becomes("document.hidden", true);
  await page.becomes(isShown(), true);
}

describe.skipIf(chromium === null)("nine windows of one browser", () => {
  let page: Page;
  let ui: Ui;
  let at: Project;
  beforeEach(async () => {
    at = project();
    listProject(at);
    ui = await startUi(at, "--control");
    page = await openChromium("--disable-popup-blocking");
    await page.open(ui.address());
    await page.becomes(seen(PROJECT), true);
  });
  afterEach(async () => {
    await page.close();
    ui.kill("SIGTERM");
  });

  test("show the page, each of them once it is seen, and what one asks is answered", async () => {
    await openOthers(page);
    const asked = `fetch("/api/start", { headers: { "x-ralph-key": localStorage.getItem("ralph-ui-key") } }).then(({ status }) => status)`;
    expect(await page.value<number>(asked)).toBe(200);
    for (let left = OTHERS; left > 0; left--) {
      await page.value(`[...others].reverse().find((one) => !one.closed).close()`);
      await page.becomes(isShown(), true);
    }
    expect(await page.value<boolean>("document.hidden")).toBe(false);
    expect(complaintsAt(page, ui)).toEqual([]);
  });

  test("show what is new once they are seen again", async () => {
    await openOthers(page);
    listProject({ dir: project().dir, env: at.env }, 2);
    await page.becomes(isShown(2), true);
    await page.value(`others.forEach((one) => one.close())`);
    await page.becomes("document.hidden", false);
    await page.becomes(isShown(2), true);
  });

  test("show the page where the browser tells what happens, too", async () => {
    await page.allowNotifications(`http://127.0.0.1:${ui.port}`);
    await page.value(`localStorage.setItem("ralph-ui-notify", "on")`);
    await page.reload();
    await page.becomes(seen(PROJECT), true);
    await openOthers(page);
    await page.becomes(
      `others.at(-1).document.querySelector('[data-do="notify"]').getAttribute("aria-pressed")`,
      "true",
    );
  });
});
