/** How the page of `ralph ui` draws a part of it anew, in a real browser: with trees that chance makes. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { seed } from "../../seed.ts";
import { browser, openPage } from "../support/browser.ts";
import type { Page } from "../support/browser-page.ts";
import { cleanUp, project } from "../support/harness.ts";
import { complaintsAt, openHome } from "../support/on-page.ts";
import { startUi, type Ui } from "../support/ui.ts";

afterAll(cleanUp);

/** Draws trees that chance makes, one after the other, in one place. */
const TREES = `
  let state = ${seed};
  const chance = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const element = (depth) => {
    const name = ["p", "q", "r", "s"][chance(4)];
    const named = chance(2) === 0 ? "" : " data-card='" + chance(4) + "'";
    const more = chance(3) === 0 ? " class='c" + chance(3) + "'" : "";
    return "<i data-do='" + name + "'" + named + more + ">" + list(depth - 1) + "</i>";
  };
  const node = (depth) => (depth > 0 && chance(3) > 0 ? element(depth) : "text " + chance(5) + "<br>");
  const list = (depth) => Array.from({ length: chance(5) }, () => node(depth)).join("");
  const tree = () => list(3);
  const place = document.createElement("section");
  document.body.append(place);
`;

/** Moves the numbered fields of forms about, and takes some away, while one of them has the caret. */
const FORMS = `
  const form = (nth) => "<li data-card='" + nth + "'><p>words " + chance(9) + "</p><form data-number='" + nth + "'><input name='text'></form></li>";
  const forms = () => {
    const all = [0, 1, 2, 3, 4, 5].filter((nth) => nth === 3 || chance(4) > 0);
    return all.map((nth) => [chance(99), nth]).sort(([one], [other]) => one - other).map(([, nth]) => form(nth));
  };
`;

/** Where a selection begins and ends, and the texts that it may begin in. */
const SELECTION = `
  const points = () => {
    const { startContainer, startOffset, endContainer, endOffset } = getSelection().getRangeAt(0);
    return [startContainer, startOffset, endContainer, endOffset];
  };
  const textsIn = function* (node) {
    if (node.nodeType === Node.TEXT_NODE) yield node;
    for (const child of node.childNodes) yield* textsIn(child);
  };
`;

describe.skipIf(browser === null)("what is drawn anew", () => {
  let page: Page;
  let ui: Ui;
  beforeAll(async () => {
    page = await openPage();
    ui = await startUi(project({ git: false }));
    await openHome(page, ui, "#home h1");
  });
  afterAll(async () => {
    ui.kill("SIGTERM");
    await page.close();
  });
  const inPage = <T>(script: string) =>
    page.value<T>(`(async () => { const { patch } = await import("/patch.js"); ${TREES} ${script} })()`);

  test("is what the server made, whatever was there before", async () => {
    const wrong = await inPage<string[]>(`
      const wrong = [];
      for (let nth = 0; nth < 1000; nth += 1) {
        const html = tree();
        const before = place.innerHTML;
        const isWhole = patch(place, html);
        const wanted = document.createElement("section");
        wanted.innerHTML = html;
        if (!isWhole || place.innerHTML !== wanted.innerHTML) wrong.push(before + " -> " + html + ": " + place.innerHTML);
      }
      return wrong.slice(0, 3);`);
    expect(wrong).toEqual([]);
  });

  test("is the same element as before where nothing changed", async () => {
    const changed = await inPage<number>(`
      let changed = 0;
      const observer = new MutationObserver((all) => { changed += all.length; });
      for (let nth = 0; nth < 200; nth += 1) {
        const html = tree();
        patch(place, html);
        observer.observe(place, { subtree: true, childList: true, attributes: true, characterData: true });
        patch(place, html);
        changed += observer.takeRecords().length;
        observer.disconnect();
      }
      return changed;`);
    expect(changed).toBe(0);
  });

  test("leaves a selection as it is, and is what the server made once it is gone", async () => {
    const wrong = await inPage<string[]>(`
      ${SELECTION}
      const wrong = [];
      for (let nth = 0; nth < 300; nth += 1) {
        patch(place, tree() + "<i data-do='z'>some words</i>");
        const texts = [...textsIn(place)].filter(({ data }) => data.length > 3);
        const [one, other] = [texts[chance(texts.length)], texts[chance(texts.length)]];
        getSelection().setBaseAndExtent(one, 1, chance(2) === 0 ? one : other, 3);
        const was = points();
        const html = tree();
        for (let again = 0; again < 3; again += 1) patch(place, tree());
        patch(place, html);
        const now = points();
        const isSame = now.every((part, at) => part === was[at]) && now[0].isConnected && now[2].isConnected;
        getSelection().removeAllRanges();
        const isWhole = patch(place, html);
        const wanted = document.createElement("section");
        wanted.innerHTML = html;
        if (!isSame || !isWhole || place.innerHTML !== wanted.innerHTML) wrong.push([isSame, html, place.innerHTML].join(" : "));
      }
      return wrong.slice(0, 3);`);
    expect(wrong).toEqual([]);
  });

  test("goes around a caret: the others stand as they should, and it stays in its field", async () => {
    const wrong = await inPage<string[]>(`
      ${FORMS}
      const wrong = [];
      patch(place, "<ul>" + form(3) + "</ul>");
      const field = place.querySelector("input");
      field.focus();
      field.value = "typed";
      for (let nth = 0; nth < 300; nth += 1) {
        const html = "<ul>" + forms().join("") + "</ul>";
        const isWhole = patch(place, html);
        const wanted = document.createElement("section");
        wanted.innerHTML = html;
        if (!isWhole || place.innerHTML !== wanted.innerHTML || document.activeElement !== field || field.value !== "typed")
          wrong.push(html + ": " + place.innerHTML);
      }
      return wrong.slice(0, 3);`);
    expect(wrong).toEqual([]);
    expect(complaintsAt(page, ui)).toEqual([]);
  });
});
