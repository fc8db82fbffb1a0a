/** What tests of the page of `ralph ui` ask of it, and do with it. */
import axe from "axe-core";
import type { Page } from "./browser-page.ts";
import type { Ui } from "./ui.ts";

export const text = (selector: string) => `document.querySelector(${JSON.stringify(selector)})?.textContent ?? ""`;
export const has = (selector: string, words: string) => `(${text(selector)}).includes(${JSON.stringify(words)})`;
export const seen = (selector: string) =>
  `document.querySelector(${JSON.stringify(selector)})?.checkVisibility() ?? false`;
export const howMany = (selector: string) => `document.querySelectorAll(${JSON.stringify(selector)}).length`;

/** Opens the page, and waits until an element is seen: by default the link to the newest run of a project. */
export async function openHome(page: Page, ui: Ui, element = "#home h2 a"): Promise<void> {
  await page.open(ui.address());
  await page.becomes(seen(element), true);
}

/** Opens the page, and on it the newest run of the first project. */
export async function openNewestRun(page: Page, ui: Ui): Promise<void> {
  await openHome(page, ui);
  await page.value(`document.querySelector("#home h2 a").click()`);
}

/** What axe finds wrong, shortly. */
export async function violations(page: Page): Promise<string[]> {
  await page.value(`${axe.source}; 0`);
  return page.value<string[]>(
    `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | ")))`,
  );
}

/** What axe finds wrong at three widths, in light and dark, and widths at which the page scrolls sideways. */
export async function faultsAtAllWidths(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const scheme of ["light", "dark"] as const) {
    await page.prefer(scheme);
    for (const width of [360, 800, 1400]) {
      await page.resize(width, 900);
      found.push(...(await violations(page)).map((fault) => `${scheme} ${width}: ${fault}`));
      if (!(await page.value<boolean>("document.documentElement.scrollWidth <= document.documentElement.clientWidth")))
        found.push(`${scheme} ${width}: it scrolls sideways`);
    }
  }
  return found;
}

/** Moves the focus as a keyboard does, once the element is there. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  await page.becomes(seen(selector), true);
  const there = `document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`;
  for (let tab = 0; tab < 400; tab += 1) {
    if (await page.value<boolean>(there)) return;
    await page.press("Tab");
  }
  throw new Error(`${selector} takes no focus`);
}

/** The page's complaints, but for those about servers that earlier tests ended. */
export function complaintsAt(page: Page, { port }: Ui): string[] {
  const isOfOther = (words: string) =>
    words.includes("http://127.0.0.1:") && !words.includes(`http://127.0.0.1:${port}/`);
  return page.complaints().filter((words) => !isOfOther(words));
}
