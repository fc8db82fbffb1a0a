/** The page of `ralph ui` in a real Chromium, against live scripted runs; skipped without one (CI installs it). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { VERSION } from "../../../src/version.ts";
import { answer, works } from "../support/answers.ts";
import { browser, openPage } from "../support/browser.ts";
import type { Page } from "../support/browser-page.ts";
import { cleanUp, type Live, type Project, project } from "../support/harness.ts";
import { HOSTILE, RUN, writeLongJournal } from "../support/long-journal.ts";
import { complaintsAt, has, openHome, openNewestRun, seen, tabTo, text, violations } from "../support/on-page.ts";
import { listProject, startUi, type Ui } from "../support/ui.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

/** A page that shows an invented run, and its server. */
async function shown(
  page: Page,
  iterations: number,
  ...words: string[]
): Promise<{ at: Project; ui: Ui; journal: string }> {
  const at = project({ git: false });
  writeLongJournal(at.dir, { iterations, tools: 4, resultBytes: 200 });
  listProject(at);
  const ui = await startUi(at, ...words);
  await openNewestRun(page, ui);
  await page.becomes(`document.querySelectorAll(".iteration").length`, iterations);
  return { at, ui, journal: at.path(`.ralph/runs/${RUN}/events.jsonl`) };
}

describe.skipIf(browser === null)("the page of ralph ui", () => {
  let page: Page;
  beforeAll(async () => {
    page = await openPage();
  });
  afterAll(async () => page.close());

  test("shows a run, executes nothing that the agent wrote and asks nobody but its server", async () => {
    const { ui } = await shown(page, 40);
    expect(await page.value<string>("location.hash")).toMatch(/^#\/run\/[0-9a-f]{16}\//);
    expect(await page.value<string>("document.title")).toBe("weather <b>station</b> · ralph");
    expect(await page.value<number>(`document.querySelectorAll(".charts svg").length`)).toBe(6);
    const bodies = `document.querySelectorAll(".iteration .body").length`;
    expect(await page.value<number>(bodies)).toBe(0);
    await page.click("#i3 > summary");
    await page.becomes(has("#i3 .transcript", "Words of iteration 3"), true);
    expect(await page.value<boolean>(has("#i3 .receipt", "4 tools"))).toBe(true);
    expect(await page.value<number>(bodies)).toBe(1);
    await page.click("#i3 > summary");
    await page.becomes(bodies, 0);
    await page.click("#i3 > summary");
    await page.becomes(has("#i3 .transcript", "Words of iteration 3"), true);
    await page.click("#i3 details.tool > summary");
    await page.becomes(has("#i3 details[open] .diff", "+ b"), true);
    await page.click(`.charts [data-jump="i9"] rect`);
    await page.becomes(`document.querySelector("#i9").open`, true);
    expect(HOSTILE).toContain("<script>");
    // Rows outside the window are not laid out, and then have no innerText.
    expect(await page.value<string>(`document.querySelector("#i3 .sentence").textContent`)).toContain("<img src=x");
    expect(await page.value<number>(`document.querySelectorAll("main img, main script, main [onerror]").length`)).toBe(
      0,
    );
    expect(
      page.requests().filter((url) => !url.startsWith(`http://127.0.0.1:${ui.port}/`) && url !== "data:,"),
    ).toEqual([]);
    expect(complaintsAt(page, ui)).toEqual([]);
    ui.kill("SIGTERM");
  });

  test.each(["light", "dark"] as const)(
    "has nothing that axe complains of in %s mode, at any width",
    async (scheme) => {
      await page.prefer(scheme);
      const { ui } = await shown(page, 8, "--control");
      for (const width of [360, 800, 1400]) {
        await page.resize(width, 900);
        expect({ width, found: await violations(page) }).toEqual({ width, found: [] });
        expect(await page.value<boolean>("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      }
      await page.click("#i2 > summary");
      await page.becomes(has("#i2 .transcript", "Words of iteration 2"), true);
      await page.click("#keys");
      expect(await violations(page)).toEqual([]);
      await page.press("Escape");
      await page.click("#all");
      await page.becomes(seen("#home h2 a"), true);
      expect(await violations(page)).toEqual([]);
      ui.kill("SIGTERM");
    },
  );

  test("follows a live run, and steers it by mouse", async () => {
    const steps = [1, 2, 3].map((n) => ({ ...works(n), waits_for: `.ralph/go${n}` }));
    const at = project({ steps });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    const ui = await startUi(at, "--control");
    await openNewestRun(page, ui);
    await page.becomes(seen("#words"), true);
    await page.click("#words");
    await page.type("Use yargs");
    await page.click("#say button");
    await page.becomes(has("#told", "next prompt"), true);
    at.write(".ralph/go1", "");
    await page.becomes(`document.querySelector("#i2")?.open ?? false`, true);
    await page.becomes(has("#i1 .sentence", "Progress: 1 file changed."), true);
    await until("the second call is recorded", () => at.calls()[1]?.stdin !== undefined);
    expect(at.calls()[1]?.stdin).toContain("Use yargs");
    await page.click(`[data-command="pause"]`);
    await page.becomes(seen(`[data-command="resume"]`), true);
    at.write(".ralph/go2", "");
    await page.becomes(has(".banner", "Paused"), true);
    await page.click(`[data-command="resume"]`);
    await page.becomes(`document.querySelector("#i3") !== null`, true);
    await page.click(`[data-command="stop"]`);
    await page.becomes(seen(`[data-command="withdraw"]`), true);
    await page.click(`[data-command="withdraw"]`);
    await page.becomes(seen(`[data-command="stop"]`), true);
    await page.click("#i1 .show-diff");
    await page.becomes(seen("#i1 .lines .comment"), true);
    const place = `document.querySelector("#i1 [data-file]").dataset.file + ":" + document.querySelector("#i1 .comment").dataset.line`;
    const named = await page.value<string>(place);
    await page.click("#i1 .lines .comment");
    await page.becomes(seen("#comment"), true);
    expect(await violations(page)).toEqual([]);
    await page.click("#remark");
    await page.type("Too long");
    await page.click(`#comment button[value="say"]`);
    await until("the comment", () => at.event("said")?.text === `${named}: Too long`);
    await page.becomes(has("#told", "next prompt"), true);
    await page.click(`[data-command="stop_now"]`);
    await page.becomes(text(`[data-command="stop_now"]`), "Really stop now?");
    expect(await page.value<boolean>(has("#told", "Press again"))).toBe(true);
    await page.press("Tab");
    await page.click(`[data-command="stop_now"]`);
    expect((await live.ended).exit).toBe(0);
    await page.becomes(has("#overview .outcome", "stopped_by_user"), true);
    await page.becomes(seen("#words"), false);
    expect(complaintsAt(page, ui)).toEqual([]);
    ui.kill("SIGTERM");
  });

  test("shows how near bounds, limits and the plan's end are, as they are after each call", async () => {
    const ticks = "printf '%s\\n' '- [x] one' '- [ ] two' > .ralph/@fix_plan.md";
    const at = project({
      files: {
        ".ralph/PROMPT.md": "Do the next task.\n",
        ".ralph/@fix_plan.md": "- [ ] one\n- [ ] two\n",
        ".ralph/.ralphrc": "MAX_CALLS_PER_HOUR=10\n",
      },
      steps: [
        { ...works(1), shell: ticks },
        { ...works(2), waits_for: ".ralph/go2" },
        { ...works(3), waits_for: ".ralph/go3" },
      ],
    });
    const live = at.start("--max-iterations", "8");
    await until("the second call", () => at.calls().length === 2);
    const ui = await startUi(at);
    await openNewestRun(page, ui);
    const gauges = `[...document.querySelectorAll(".gauges label")].map((label) => label.firstChild.data.trim() + " = " + label.querySelector("progress").value).join("; ")`;
    await page.becomes(gauges, "iterations 2/8 = 0.25; calls this hour 2/10 = 0.2; plan 1/2 = 0.5");
    await page.becomes(has(".gauges .facts", "circuit breaker closed"), true);
    at.write(".ralph/go2", "");
    await page.becomes(
      gauges,
      "iterations 3/8 = 0.375; no headway 1/8 = 0.125; calls this hour 3/10 = 0.3; plan 1/2 = 0.5",
    );
    live.kill("SIGTERM");
    await live.ended;
    await page.becomes(seen(".gauges"), false);
    ui.kill("SIGTERM");
  });

  test("steers a live run by keyboard alone", async () => {
    const at = project({
      steps: [
        { ...works(1), waits_for: ".ralph/go1" },
        { ...works(2), waits_for: ".ralph/go2" },
      ],
    });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    const ui = await startUi(at, "--control");
    await openHome(page, ui);
    await tabTo(page, "#home h2 a");
    await page.press("Enter");
    await page.becomes(seen("#words"), true);
    await page.press("s");
    await page.type("Be brief");
    await page.press("Enter");
    await until("the words", () => at.event("said")?.text === "Be brief");
    await tabTo(page, "#say button");
    await page.press("p");
    await page.becomes(seen(`[data-command="resume"]`), true);
    await page.press("p");
    await page.becomes(seen(`[data-command="pause"]`), true);
    at.write(".ralph/go1", "");
    await page.becomes(`document.querySelector("#i2") !== null`, true);
    await tabTo(page, "#i1 > summary");
    await page.press("Enter");
    await page.becomes(`document.querySelector("#i1").open`, false);
    await page.press("Enter");
    await page.becomes(`document.querySelector("#i1").open`, true);
    await tabTo(page, "#i1 .show-diff");
    await page.press("Enter");
    await page.becomes(seen("#i1 .lines .comment"), true);
    await tabTo(page, "#i1 .lines .comment");
    await page.press("Enter");
    await page.becomes(seen("#comment"), true);
    await page.type("Why?");
    await tabTo(page, `#comment button[value="say"]`);
    await page.press("Enter");
    await until("the comment", () => at.event("said")?.text.endsWith(": Why?") === true);
    await page.press("?");
    await page.becomes(seen("#sheet"), true);
    expect(await page.value<boolean>(has("#sheet .facts", `ralph ${VERSION}`))).toBe(true);
    await page.press("Escape");
    await page.becomes(seen("#sheet"), false);
    await tabTo(page, `[data-command="stop"]`);
    await page.press("Enter");
    await page.becomes(seen(`[data-command="withdraw"]`), true);
    at.write(".ralph/go2", "");
    expect((await live.ended).exit).toBe(0);
    await page.press("g");
    await page.becomes(seen("#home h2 a"), true);
    ui.kill("SIGTERM");
  });

  test("follows the end or not, by mouse and by keys, and is ended at once by keyboard", async () => {
    const long = Array.from({ length: 60 }, (_, line) => `Paragraph ${line}.`).join("\n\n");
    const at = project({ steps: [works(1, { text: long }), works(2, { text: long }), { waits_for: ".ralph/go3" }] });
    const live = at.start();
    await until("the third call", () => at.calls().length === 3);
    const ui = await startUi(at, "--control");
    await page.resize(800, 700);
    await openNewestRun(page, ui);
    await page.becomes(seen("#words"), true);
    const pressed = `document.querySelector("#follow").getAttribute("aria-pressed")`;
    const atBottom = `document.documentElement.scrollHeight - innerHeight - scrollY < 50`;
    await page.becomes(pressed, "true");
    await page.becomes(atBottom, true);
    // A part that shrinks takes the page along, in Firefox at once; by the time that the page hears of it, another may have grown.
    const frame = "new Promise((done) => requestAnimationFrame(() => setTimeout(done)))";
    await page.value(`(async () => {
      const room = document.createElement("div");
      document.querySelector("#iterations").append(room);
      room.style.height = "200px";
      scrollTo({ top: 1e6, behavior: "instant" });
      await ${frame};
      room.style.height = "0px";
      scrollY; // where it is now: asking draws the page
      room.style.height = "300px";
      await ${frame};
    })()`);
    expect(await page.value<boolean>(atBottom)).toBe(false);
    expect(await page.value<string>(pressed)).toBe("true");
    await page.value(`(document.querySelector("#iterations").lastElementChild.remove(), ${frame})`);
    await page.becomes(atBottom, true);
    await page.value(`scrollBy({ top: -300, behavior: "instant" })`);
    await page.becomes(pressed, "false");
    await page.value(`scrollBy({ top: 300, behavior: "instant" })`);
    await page.becomes(pressed, "true");
    await page.press("Home");
    await page.becomes("scrollY", 0);
    await page.becomes(pressed, "false");
    await page.press("End");
    await page.becomes(atBottom, true);
    await page.becomes(pressed, "true");
    await page.press("f");
    await page.becomes(pressed, "false");
    await page.value(`scrollTo({ top: 0, behavior: "instant" })`);
    await page.click("#follow");
    await page.becomes(pressed, "true");
    await page.becomes(atBottom, true);
    // A key belongs to the field that has the focus.
    await page.press("s");
    await page.becomes("document.activeElement.id", "words");
    await page.press("f");
    await page.becomes(pressed, "true");
    expect(await page.value<string>(`document.querySelector("#words").value`)).toBe("f");
    await tabTo(page, `[data-command="stop_now"]`);
    await page.press("Enter");
    await page.becomes(text(`[data-command="stop_now"]`), "Really stop now?");
    await page.press("Enter");
    expect((await live.ended).exit).toBe(0);
    // What is over is not followed.
    await page.becomes(seen("#follow"), false);
    expect(complaintsAt(page, ui)).toEqual([]);
    ui.kill("SIGTERM");
  });

  test("covers nothing of a run that is over, and its buttons stand apart, on a phone", async () => {
    const at = project({ steps: [works(1), works(2)] });
    await at.ralph("--max-iterations", "2");
    const ui = await startUi(at, "--control");
    await page.resize(360, 740);
    await openNewestRun(page, ui);
    await page.becomes(seen('#steer [data-do="go_on"]'), true);
    await page.becomes(`document.querySelectorAll(".iteration").length`, 2);
    expect(
      await page.value<boolean>(`document.querySelector("#steer").getBoundingClientRect().top > innerHeight`),
    ).toBe(true);
    const gaps = `[...document.querySelectorAll(".filter > button")].filter((b) => b.checkVisibility()).map((b) => b.getBoundingClientRect()).flatMap((b, at, all) => (at > 0 && all[at - 1].y === b.y ? [b.x - all[at - 1].right] : []))`;
    expect(Math.min(...(await page.value<number[]>(gaps)))).toBeGreaterThan(4);
    await page.resize(1200, 900);
    ui.kill("SIGTERM");
  });

  test("tells the newest tag of a run that is done", async () => {
    const at = project({
      files: { ".ralph/PROMPT.md": "Do it.\n", ".ralph/@fix_plan.md": "- [ ] one\n", "a.txt": "0\n" },
      steps: [
        {
          files: { "a.txt": "1\n", ".ralph/@fix_plan.md": "- [x] one\n" },
          stdout: answer({ status: "COMPLETE", exit: true, text: "Everything is in place." }),
        },
      ],
    });
    expect((await at.ralph("run", "--commit", "--tag", "patch")).exit).toBe(0);
    const ui = await startUi(at);
    await openNewestRun(page, ui);
    await page.becomes(has("#now", "Newest tag: v0.0.1"), true);
    expect(await page.value<boolean>(seen("#now .state"))).toBe(false);
    ui.kill("SIGTERM");
  });

  test("shows what needs a person first, and sends the answer", async () => {
    const at = project({
      steps: [
        { stdout: answer({ text: "I cannot choose.", status: "BLOCKED", recommendation: "SQLite or Postgres?" }) },
      ],
    });
    const live: Live = at.start("--max-iterations", "1");
    await live.ended;
    const ui = await startUi(at, "--control");
    await page.open(ui.address());
    await page.becomes(has("#home .card", "SQLite or Postgres?"), true);
    await page.becomes("document.title", "(1) ralph");
    await page.value(`document.querySelector("#home h2 a").click()`);
    await page.becomes(seen("#now form[data-number] input"), true);
    await page.click("#now form[data-number] input");
    await page.type("SQLite");
    await page.press("Enter");
    await page.becomes(has("#told", "Answered"), true);
    expect(at.event("question_answered")).toMatchObject({ number: 1, text: "SQLite" });
    ui.kill("SIGTERM");
  });

  test("goes on after a journal that is cut, growing, of a newer version or gone, and says what it is", async () => {
    const { at, ui, journal } = await shown(page, 3);
    appendFileSync(journal, `${"x".repeat(10_000_000)}\n{"v":1,"seq":`);
    await page.becomes(has("#now", "1 line of the journal cannot be read"), true);
    appendFileSync(journal, `"broken\n`);
    await page.becomes(has("#now", "2 lines of the journal cannot be read"), true);
    const last =
      readFileSync(journal, "utf8")
        .split("\n")
        .findLast((line) => line.includes('"type":"iteration_finished"')) ?? "";
    appendFileSync(journal, `${last.replace('{"v":1,', '{"v":99,')}\n`);
    await page.becomes(has("#now", "newer ralph"), true);
    rmSync(at.path(".ralph/runs"), { recursive: true });
    await page.becomes(has("#now", "The journal of this run is gone"), true);
    await page.press("g");
    await page.becomes(has("#home .card", "not started"), true);
    ui.kill("SIGTERM");
  });

  test("tells that the server is gone, and catches up with one that a new address opens", async () => {
    const { at, ui } = await shown(page, 3);
    ui.kill("SIGKILL");
    await page.becomes(has("#link", "does not answer"), true);
    const again = await startUi(at, "--port", String(ui.port));
    await page.becomes(has("#wall", "was not let in"), true);
    await page.value(`location.href = ${JSON.stringify(again.address())}`);
    await page.becomes(seen("#home h2 a"), true);
    await page.becomes(seen("#wall"), false);
    again.kill("SIGTERM");
  });

  test("opens a run of 2,000 iterations", async () => {
    const { ui } = await shown(page, 2000);
    await page.press("End");
    await page.becomes("scrollY > 1000", true);
    await page.press("Home");
    await page.becomes("scrollY", 0);
    await page.click("#i1400 > summary");
    await page.becomes(has("#i1400 .transcript", "Words of iteration 1400"), true);
    ui.kill("SIGTERM");
  });
});
