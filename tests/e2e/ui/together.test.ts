/** Two browsers and a terminal at one live run; skipped without Chromium (CI installs it). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { works } from "../support/answers.ts";
import { browser, openPage } from "../support/browser.ts";
import type { Page } from "../support/browser-page.ts";
import { cleanUp, project } from "../support/harness.ts";
import { complaintsAt, has, seen } from "../support/on-page.ts";
import { startUi } from "../support/ui.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

describe.skipIf(browser === null)("two browsers and a terminal at one run", () => {
  let pages: [Page, Page];
  beforeAll(async () => {
    pages = [await openPage(), await openPage()];
  });
  afterAll(async () => {
    for (const page of pages) await page.close();
  });

  test("see the same, whoever of them acts", async () => {
    const steps = [1, 2].map((n) => ({ ...works(n), waits_for: `.ralph/go${n}` }));
    const at = project({ steps });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    const ui = await startUi(at, "--control");
    for (const page of pages) {
      const address = ui.address();
      await page.open(address);
      await page.becomes(seen("#home h2 a"), true);
      await page.value(`document.querySelector("#home h2 a").click()`);
      await page.becomes(`document.querySelector("#i1")?.open ?? false`, true);
      await until("the next address", () => ui.address() !== address);
    }
    const [one, other] = pages;
    const onBoth = async (expression: string, expected: unknown) => {
      for (const page of pages) await page.becomes(expression, expected);
    };

    expect((await at.ralph("say", "from the terminal")).exit).toBe(0);
    await onBoth(has("#i1 .transcript", "from the terminal"), true);
    await one.click("#words");
    await one.type("from a browser");
    await one.click("#say button");
    await onBoth(has("#i1 .transcript", "from a browser"), true);

    await one.click(`[data-command="pause"]`);
    await onBoth(seen(`[data-command="resume"]`), true);
    await other.click(`[data-command="resume"]`);
    await onBoth(seen(`[data-command="pause"]`), true);

    expect((await at.ralph("stop")).exit).toBe(0);
    await onBoth(seen(`[data-command="withdraw"]`), true);
    expect((await at.ralph("status")).stdout).toContain("stop");
    await other.click(`[data-command="withdraw"]`);
    await onBoth(seen(`[data-command="stop"]`), true);

    at.write(".ralph/go1", "");
    await onBoth(`document.querySelector("#i2")?.open ?? false`, true);
    await until("the second call is recorded", () => at.calls()[1]?.stdin !== undefined);
    expect(at.calls()[1]?.stdin).toMatch(/from the terminal.*from a browser/s);

    expect((await at.ralph("stop", "--now")).exit).toBe(0);
    expect((await live.ended).exit).toBe(0);
    await onBoth(has("#overview .outcome", "stopped_by_user"), true);
    await onBoth(seen("#words"), false);
    const rows = await Promise.all(
      pages.map((page) => page.value<string>(`document.querySelector("#iterations").textContent`)),
    );
    expect(rows[0]).toBe(rows[1] ?? "");
    for (const page of pages) expect(complaintsAt(page, ui)).toEqual([]);
    ui.kill("SIGTERM");
  });
});
