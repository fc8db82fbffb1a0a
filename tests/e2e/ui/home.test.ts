/** Home of `ralph ui`: cards, layouts, controls, notifications, theme and the notice of an update, in a real Chromium. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answer, works } from "../support/answers.ts";
import { browser, openPage } from "../support/browser.ts";
import type { Page } from "../support/browser-page.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { complaintsAt, faultsAtAllWidths, has, howMany, openHome, seen, tabTo } from "../support/on-page.ts";
import { enter, get, post, startUi } from "../support/ui.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const button = (what: string) => `#home [data-do="${what}"]`;

/** What the page does after so many ms, it does when the test says so: `late.at(-1)()`. */
const later = (ms: number) =>
  `{ const real = setTimeout; window.late = []; window.setTimeout = (done, after) => (after === ${ms} ? -late.push(done) : real(done, after)); 0 }`;
const SELECTED = "getSelection().toString()";

/** Puts a second project on the list of the first one's user, and runs it. */
async function beside(first: Project, ...argv: string[]): Promise<Project> {
  const other = project({ steps: [works(1)] });
  Object.assign(other.env, { HOME: first.env.HOME });
  await other.ralph(...argv);
  return other;
}

describe.skipIf(browser === null)("home", () => {
  let page: Page;
  beforeAll(async () => {
    page = await openPage();
  });
  afterAll(async () => page.close());

  test("tells of model, branch, worktrees, earlier runs, and what an ended run changed", async () => {
    const at = project({ steps: [works(1), works(2), works(3)] });
    await at.ralph("run", "--max-iterations", "1");
    await at.ralph("run", "--max-iterations", "1");
    await at.ralph("run", "--max-iterations", "1", "--worktree=oak");
    const ui = await startUi(at, "--control");
    await page.open(ui.address());
    await page.becomes(howMany("#home .card"), 2);
    const branch = Bun.spawnSync(["git", "branch", "--show-current"], { cwd: at.dir }).stdout.toString().trim();
    const card = `document.querySelector('#home [data-do="run_diff"][aria-label="Diff: project"]').closest(".card")`;
    const told = await page.value<string>(`${card}.textContent`);
    expect(told).toContain(`Claude Code · scripted · branch ${branch}`);
    expect(told).toContain("1 worktree: oak ralph/oak");
    expect(told).toContain("1 earlier run");
    expect(await page.value<string>(`${card}.querySelector('p a[href^="#/run/"]').textContent`)).toBe("oak");
    expect(await faultsAtAllWidths(page)).toEqual([]);
    await page.click("#home .ended summary");
    await page.becomes(has("#home .ended[open]", "run 0001"), true);
    await page.click(`#home [aria-label="Diff: project"]`);
    await page.becomes(has("#home .changes", "+2"), true);
    await page.click(`#home [aria-label="Report: project"]`);
    await page.becomes(has("#home-told", "Saved as ralph-0002"), true);
    // What is unfolded stays so while the card is drawn anew.
    const drawn = `${card}.querySelector("p").textContent`;
    await page.becomes(`${drawn} === ${JSON.stringify(await page.value<string>(drawn))}`, false);
    expect(await page.value<boolean>(seen("#home .changes"))).toBe(true);
    // The diff goes with its run.
    await at.ralph("run", "--max-iterations", "1");
    await page.becomes(has("#home .ended[open]", "run 0002"), true);
    await page.becomes(howMany("#home .changes"), 0);
    await tabTo(page, "#home .ended a");
    await page.press("Enter");
    await page.becomes("location.hash.includes('/run/')", true);
    expect(complaintsAt(page, ui)).toEqual([]);
    ui.kill("SIGTERM");
  });

  test("takes no press away: what changes meanwhile is shown after it", async () => {
    const at = project({ steps: [works(1)] });
    await at.ralph("run", "--max-iterations", "1");
    const ui = await startUi(at, "--control");
    await openHome(page, ui, button("run_diff"));
    await page.hold(button("run_diff"));
    const follow = await get(ui, "/api/follow/home", await enter(ui));
    await beside(at, "run", "--max-iterations", "1");
    const news = follow.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let told = ""; (told.match(/run_diff/g) ?? []).length < 2; ) {
      const part = (await news?.read())?.value ?? "";
      told = part.includes("event: home") ? part : told + part;
    }
    await news?.cancel();
    await page.letGo();
    await page.becomes(has("#home .changes", "+1"), true);
    await page.becomes(howMany("#home .card"), 2);
    expect(complaintsAt(page, ui)).toEqual([]);
    ui.kill("SIGTERM");
  });

  test("steers a live run from its card, by mouse and by keyboard", async () => {
    const at = project({ steps: [1, 2, 3].map((n) => ({ ...works(n), waits_for: `.ralph/go${n}` })) });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    const ui = await startUi(at, "--control");
    await openHome(page, ui, button("pause"));
    await page.click(button("pause"));
    await page.becomes(has("#home-told", "Pausing after iteration 1"), true);
    await page.becomes(seen(button("resume")), true);
    await tabTo(page, button("resume"));
    await page.press("Enter");
    await page.becomes(has("#home-told", "Going on"), true);
    await page.becomes("document.activeElement.dataset.do", "pause");
    await page.press("Enter");
    await page.becomes(seen(button("resume")), true);
    await page.click(button("resume"));
    await page.becomes(seen(button("pause")), true);
    await page.click(button("stop"));
    await page.becomes(seen(button("withdraw")), true);
    await tabTo(page, button("withdraw"));
    await page.press("Enter");
    await page.becomes(seen(button("stop")), true);
    await tabTo(page, button("stop"));
    await page.press("Enter");
    await page.becomes(seen(button("withdraw")), true);
    await page.click(button("withdraw"));
    await page.becomes(seen(button("stop")), true);
    await page.click(button("stop_now"));
    await page.becomes(has(button("stop_now"), "Really stop now?"), true);
    await page.press("Enter");
    expect((await live.ended).exit).toBe(0);
    await page.becomes(seen(button("report")), true);
    await tabTo(page, button("report"));
    await page.press("Enter");
    await page.becomes(has("#home-told", "Saved as ralph-0001"), true);
    await tabTo(page, button("run_diff"));
    await page.press("Enter");
    await page.becomes(seen("#home .changes"), true);
    expect(complaintsAt(page, ui)).toEqual([]);
    ui.kill("SIGTERM");
  });

  test("keeps the focus in its card, and moves it to no button that does something else", async () => {
    const at = project({ steps: [{ hangs: true }] });
    const other = project({ steps: [{ hangs: true }] });
    Object.assign(other.env, { HOME: at.env.HOME });
    const lives = [at.start(), other.start()];
    await until("two calls", () => at.calls().length + other.calls().length === 2);
    const ui = await startUi(at, "--control");
    await page.open(ui.address());
    await page.becomes(howMany(button("pause")), 2);
    // Both projects have the same name, and so have their buttons.
    const second = await page.value<string>(`document.querySelectorAll("#home .card")[1].dataset.card`);
    const focus = `[document.activeElement?.closest("[data-card]")?.dataset.card, document.activeElement?.dataset.do ?? document.activeElement?.localName].join()`;
    await tabTo(page, `#home [data-card="${second}"] [data-do="pause"]`);
    await page.press("Enter");
    await page.becomes(focus, `${second},resume`);
    await tabTo(page, `#home [data-card="${second}"] [data-do="stop_now"]`);
    await page.press("Enter");
    await page.press("Enter");
    await page.becomes(seen(`#home [data-card="${second}"] [data-do="go_on"]`), true);
    await page.becomes(focus, `${second},a`);
    expect(await page.value<number>(howMany(button("stop_now")))).toBe(1);
    await Promise.all([at.ralph("stop", "--now"), other.ralph("stop", "--now")]);
    await Promise.all(lives.map(({ ended }) => ended));
    expect(complaintsAt(page, ui)).toEqual([]);
    ui.kill("SIGTERM");
  });

  test("shows the last lines of what a live run's agent says and does, but not in a list", async () => {
    const hostile = `Now <img src=x onerror="document.title='taken'"> it goes on.`;
    const at = project({
      steps: [
        works(1, { text: hostile }),
        { ...works(2, { text: "The second is done." }), waits_for: ".ralph/go2" },
        { ...works(3), waits_for: ".ralph/go3" },
      ],
    });
    const live = at.start();
    await until("a call", () => at.calls().length === 2);
    const ui = await startUi(at);
    await page.open(ui.address());
    await page.becomes(has("#home .last", hostile), true);
    expect(await page.value<number>(howMany("#home .last img"))).toBe(0);
    expect(await faultsAtAllWidths(page)).toEqual([]);
    at.write(".ralph/go2", "");
    await page.becomes(has("#home .last", `${hostile}\nThe second is done.`), true);
    await page.click(`[data-layout="list"]`);
    await page.becomes(seen("#home .last"), false);
    await page.click(`[data-layout="grid"]`);
    await page.becomes(seen("#home .last"), true);
    await at.ralph("stop", "--now");
    await live.ended;
    await page.becomes(howMany("#home .last"), 0);
    expect(complaintsAt(page, ui)).toEqual([]);
    ui.kill("SIGTERM");
  });

  test("shows no button that changes something without --control", async () => {
    const at = project({ steps: [{ ...works(1), waits_for: ".ralph/go" }] });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    const ui = await startUi(at);
    await openHome(page, ui);
    expect(await page.value<number>(howMany("#home .steers"))).toBe(3);
    expect(await page.value<boolean>(seen("#home .steers"))).toBe(false);
    await at.ralph("stop", "--now");
    await live.ended;
    ui.kill("SIGTERM");
  });

  test("says why a run failed, and what can be done about it, where it is a question a box for the answer", async () => {
    const at = project({ steps: [{ stdout: answer({ error: "Invalid API key · Please run /login" }), exit: 1 }] });
    await at.ralph();
    const asks = project({
      steps: [
        { stdout: answer({ text: "I cannot choose.", status: "BLOCKED", recommendation: "SQLite or Postgres?" }) },
      ],
    });
    Object.assign(asks.env, { HOME: at.env.HOME });
    await asks.ralph("run", "--max-iterations", "1");
    const ui = await startUi(at, "--control");
    await page.open(ui.address());
    await page.becomes(howMany("#home .card"), 2);
    await page.becomes(has("#home .card:last-child", "login is missing or not accepted: Invalid API key"), true);
    expect(await page.value(howMany('#home .card:last-child [data-do="go_on"]'))).toBe(1);
    expect(await faultsAtAllWidths(page)).toEqual([]);
    // The box says the same as its command.
    expect(await page.value(seen("#home .asks .typed"))).toBe(false);
    await page.click("#home .asks input");
    await page.type("SQL");
    // What is told anew meanwhile takes neither the words nor the click.
    const reader = (await get(ui, "/api/follow/home", await enter(ui))).body?.getReader();
    void at.ralph();
    for (let told = ""; told.split("event: home").length < 4; )
      told += new TextDecoder().decode((await reader?.read())?.value);
    expect(await page.value(`document.querySelector("#home .asks input").value`)).toBe("SQL");
    await page.type("ite");
    await page.click("#home .asks button");
    await page.becomes(has("#home-told", "Answered"), true);
    expect(asks.event("question_answered")).toMatchObject({ number: 1, text: "SQLite" });
    await page.becomes(howMany("#home .asks"), 0);
    expect(complaintsAt(page, ui)).toEqual([]);
    ui.kill("SIGTERM");
  });

  test("asks before it ends a call at once: only a second press of its own does it, within some seconds", async () => {
    const at = project({ steps: [{ hangs: true }] });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    const ui = await startUi(at, "--control");
    await openHome(page, ui, button("stop_now"));
    await page.value(later(5000));
    const told = `[document.querySelector('${button("stop_now")}').textContent, document.querySelector('${button("stop_now")}').ariaLabel].join()`;
    const [plain, asks] = ["Stop now,Stop now: project", "Really stop now?,Really stop now? project"];
    await page.click(button("stop_now"));
    await page.becomes(told, asks);
    expect(await page.value(has("#home-told", "Press again"))).toBe(true);
    // The card is drawn anew meanwhile.
    await beside(at, "run", "--max-iterations", "1");
    await page.becomes(howMany("#home .card"), 2);
    // While it lives, the run beside comes first.
    await page.becomes(howMany(button("stop_now")), 1);
    expect(await page.value<string>(told)).toBe(asks);
    expect(await faultsAtAllWidths(page)).toEqual([]);
    // Neither a double click nor a key that is held is a second press.
    const onIt = (event: string) => `document.querySelector('${button("stop_now")}').dispatchEvent(${event})`;
    await page.value(onIt(`new MouseEvent("click", { bubbles: true, detail: 2 })`));
    const held = `new KeyboardEvent("keydown", { key: "Enter", repeat: true, bubbles: true, cancelable: true })`;
    expect(await page.value<boolean>(onIt(held))).toBe(false);
    expect(await page.value<string>(told)).toBe(asks);
    await page.value("late.at(-1)()");
    expect(await page.value<string>(told)).toBe(plain);
    expect(await page.value<boolean>(has("#home-told", "Press again"))).toBe(false);
    // Escape, or a press of something else, takes it back.
    await tabTo(page, button("stop_now"));
    await page.press("Enter");
    await page.becomes(told, asks);
    await page.press("Escape");
    await page.becomes(told, plain);
    await page.press("Enter");
    await page.becomes(told, asks);
    await page.click('[data-layout="list"]');
    await page.becomes(told, plain);
    await page.click(button("stop_now"));
    await page.becomes(told, asks);
    await page.press("Tab");
    await page.click(button("stop_now"));
    expect((await live.ended).exit).toBe(0);
    expect(page.requests().filter((url) => url === `http://127.0.0.1:${ui.port}/api/act`).length).toBe(1);
    await page.click('[data-layout="grid"]');
    expect(complaintsAt(page, ui)).toEqual([]);
    ui.kill("SIGTERM");
  });

  test("keeps the form still that somebody types into, and draws all else", async () => {
    const asks = project({
      steps: [
        { stdout: answer({ text: "I cannot choose.", status: "BLOCKED", recommendation: "SQLite or Postgres?" }) },
      ],
    });
    await asks.ralph("run", "--max-iterations", "1");
    const at = project({
      steps: [
        works(1, { text: "The first is done." }),
        { ...works(2, { text: "The second is done." }), waits_for: ".ralph/go2" },
        { ...works(3), waits_for: ".ralph/go3" },
      ],
    });
    Object.assign(at.env, { HOME: asks.env.HOME });
    const live = at.start();
    await until("the second call", () => at.calls().length === 2);
    const ui = await startUi(at, "--control");
    await page.open(ui.address());
    await page.becomes(has("#home .last", "The first is done."), true);
    await page.click("#home .asks input");
    await page.type("SQL");
    const own = `document.querySelector("#home .asks").closest(".card").querySelector("p").textContent`;
    const before = await page.value<string>(own);
    at.write(".ralph/go2", "");
    await page.becomes(has("#home .last", "The second is done."), true);
    await page.becomes(`${own} !== ${JSON.stringify(before)}`, true);
    await page.type("ite");
    // Answered elsewhere, the question leaves once the caret does; until then its card stays where it is.
    expect((await asks.ralph("inbox", "answer", "1", "Postgres")).exit).toBe(0);
    await page.becomes(`document.querySelector("[data-needs]").dataset.needs`, "0");
    const typed = `document.activeElement.closest(".asks") === null ? null : document.activeElement.value`;
    expect(await page.value(typed)).toBe("SQLite");
    await page.press("Tab");
    await page.press("Tab");
    await page.becomes(howMany("#home .asks"), 0);
    await page.becomes(`document.querySelector("#home .card").matches(".live")`, true);
    await at.ralph("stop", "--now");
    await live.ended;
    expect(complaintsAt(page, ui)).toEqual([]);
    ui.kill("SIGTERM");
  });

  test("leaves a selection as it is, for a minute at most, and draws all else", async () => {
    const at = project({ steps: [works(1)] });
    await at.ralph("run", "--max-iterations", "1");
    await beside(at, "run", "--max-iterations", "1");
    const ui = await startUi(at);
    await page.open(ui.address());
    await page.becomes(howMany("#home .card"), 2);
    const words = (card: number) => `document.querySelectorAll("#home .card")[${card}].querySelector("p")`;
    const select = (what: string) => page.value<string>(`getSelection().selectAllChildren(${what}), ${SELECTED}`);
    const changes = async (card: number) => {
      const before = await page.value<string>(`${words(card)}.textContent`);
      await page.becomes(`${words(card)}.textContent !== ${JSON.stringify(before)}`, true);
    };
    await page.value(later(60_000));
    const path = await select(`document.querySelector("#home .card code")`);
    await changes(0);
    expect(await page.value<string>(SELECTED)).toBe(path);
    const told = await select(words(0));
    await changes(1);
    await changes(1);
    expect([await page.value(`${words(0)}.textContent`), await page.value(SELECTED)]).toEqual([told, told]);
    await page.value("getSelection().removeAllRanges()");
    await changes(0);
    await select(words(0));
    await page.becomes("late.length > 0", true);
    await page.value("late.at(-1)()");
    await changes(0);
    expect(complaintsAt(page, ui)).toEqual([]);
    ui.kill("SIGTERM");
  });

  test("takes a project off the list once that is confirmed, by mouse and by keyboard; its next run puts it back", async () => {
    const at = project({ steps: [works(1)] });
    await at.ralph("run", "--max-iterations", "1");
    const other = await beside(at, "run", "--max-iterations", "1");
    const third = await beside(at, "run", "--max-iterations", "1");
    const ui = await startUi(at, "--control");
    await page.open(ui.address());
    await page.becomes(howMany("#home .card"), 3);
    const card = await page.value<string>(
      `[...document.querySelectorAll("#home .card")].find((one) => one.textContent.includes(${JSON.stringify(other.dir)})).dataset.card`,
    );
    await page.click(`[data-card="${card}"] [data-do="forget"]`);
    await page.becomes(seen("#sure"), true);
    expect(await page.value(has("#sure-title", "Remove this project from the list?"))).toBe(true);
    expect(await faultsAtAllWidths(page)).toEqual([]);
    await page.click("#sure-yes");
    await page.becomes(howMany("#home .card"), 2);
    expect(await page.value(has("#home-told", "is off the list"))).toBe(true);
    expect(other.has(".ralph/runs")).toBe(true);
    await tabTo(page, '[data-do="forget"]');
    await page.press("Enter");
    await page.becomes(seen("#sure"), true);
    await page.press("Escape");
    await page.becomes(seen("#sure"), false);
    expect(await page.value<string>("document.activeElement.dataset.do")).toBe("forget");
    await page.press("Enter");
    await page.becomes(seen("#sure"), true);
    await tabTo(page, "#sure-yes");
    await page.press("Enter");
    await page.becomes(howMany("#home .card"), 1);
    await other.ralph("run", "--max-iterations", "1");
    await third.ralph("run", "--max-iterations", "1");
    await page.becomes("document.querySelectorAll('#home .card').length >= 2", true);
    expect(complaintsAt(page, ui)).toEqual([]);
    ui.kill("SIGTERM");
  });

  test("is a list, tabs or a grid, and remembers which", async () => {
    const at = project({ steps: [works(1)] });
    await at.ralph("run", "--max-iterations", "1");
    await beside(at, "run", "--max-iterations", "1");
    const ui = await startUi(at);
    await page.open(ui.address());
    await page.becomes(howMany("#home .card"), 2);
    const visible = `[...document.querySelectorAll("#home .card")].filter((one) => one.checkVisibility()).length`;
    await page.click(`[data-layout="tabs"]`);
    await page.becomes(visible, 1);
    expect(await faultsAtAllWidths(page)).toEqual([]);
    const chosen = `document.querySelector("#home .chosen").dataset.card`;
    const first = await page.value<string>(chosen);
    await page.click("#home [data-tab]:last-child");
    await page.becomes(`${chosen} !== ${JSON.stringify(first)}`, true);
    await page.press("ArrowRight");
    await page.becomes(chosen, first);
    await page.reload();
    await page.becomes(visible, 1);
    await tabTo(page, `[data-layout="list"]`);
    await page.press("Enter");
    await page.becomes(visible, 2);
    expect(
      await page.value<number>(
        `getComputedStyle(document.querySelector(".projects")).gridTemplateColumns.split(" ").length`,
      ),
    ).toBe(1);
    expect(await faultsAtAllWidths(page)).toEqual([]);
    await page.click(`[data-layout="grid"]`);
    await page.becomes(`document.querySelector("#home").dataset.layout`, "grid");
    expect(complaintsAt(page, ui)).toEqual([]);
    ui.kill("SIGTERM");
  });

  test("goes through system, light and dark, and remembers it", async () => {
    const at = project({ steps: [works(1)] });
    await at.ralph("run", "--max-iterations", "1");
    const ui = await startUi(at);
    await page.prefer("dark");
    await openHome(page, ui);
    const paper = `getComputedStyle(document.body).backgroundColor`;
    const dark = await page.value<string>(paper);
    await page.click("#theme");
    await page.becomes(`document.querySelector("#theme").getAttribute("aria-label")`, "Theme: light");
    const light = await page.value<string>(paper);
    expect(light).not.toBe(dark);
    await page.reload();
    await page.becomes(seen("#home h2 a"), true);
    expect(await page.value<string>(paper)).toBe(light);
    await tabTo(page, "#theme");
    await page.press("Enter");
    await page.becomes(paper, dark);
    await page.prefer("light");
    expect(await page.value<string>(paper)).toBe(dark);
    await page.press("Enter");
    await page.becomes(`document.querySelector("#theme").getAttribute("aria-label")`, "Theme: as the system");
    // A page of another process hears of the system's colours a moment later.
    await page.becomes(paper, light);
    ui.kill("SIGTERM");
  });

  test("tells by the browser that a run needs its user and ended, once it may", async () => {
    const at = project({
      steps: [
        { ...works(1), waits_for: ".ralph/go1" },
        {
          stdout: answer({
            text: "I cannot choose.",
            status: "BLOCKED",
            recommendation: "SQLite <b>or</b> Postgres?",
          }),
          waits_for: ".ralph/go2",
        },
      ],
    });
    const live = at.start("--max-iterations", "2");
    await until("a call", () => at.calls().length === 1);
    const ui = await startUi(at);
    await openHome(page, ui, button("notify"));
    await page.click(button("notify"));
    await page.becomes(has("#home-told", "does not allow it"), true);
    await page.allowNotifications(`http://127.0.0.1:${ui.port}`);
    await page.becomes("Notification.permission", "granted");
    await page.value(
      `{ const Real = Notification; window.heard = []; window.Notification = class extends Real { constructor(title, more) { super(title, more); heard.push({ title, body: more.body, note: this }); } } }`,
    );
    await tabTo(page, button("notify"));
    await page.press("Enter");
    await page.becomes(`document.querySelector('${button("notify")}').getAttribute("aria-pressed")`, "true");
    // It is told wherever the page is.
    await page.click("#to-morning");
    at.write(".ralph/go1", "");
    await until("the second call", () => at.calls().length === 2);
    at.write(".ralph/go2", "");
    await live.ended;
    const told = (words: string) =>
      `heard.some(({ title, body }) => (title + body).includes(${JSON.stringify(words)}))`;
    await page.becomes(told("SQLite <b>or</b> Postgres?"), true);
    await page.becomes(told("stopped"), true);
    const count = await page.value<number>("heard.length");
    await at.ralph("run", "--max-iterations", "1");
    await page.becomes(`heard.length > ${count}`, true);
    await page.value("heard[0].note.onclick()");
    await page.becomes("location.hash.includes('/run/')", true);
    await page.press("g");
    await page.becomes(seen(button("notify")), true);
    await page.click(button("notify"));
    await page.becomes(has("#home-told", "no longer tells"), true);
    expect(complaintsAt(page, ui)).toEqual([]);
    ui.kill("SIGTERM");
  });

  test("tells of the newer version that ralph knows of, until it is put off, and asks nobody", async () => {
    const source = "https://releases.example";
    const at = project({ env: { RALPH_UPDATE_URL: source } });
    const cache = join(at.env.HOME ?? "", ".cache/ralph");
    mkdirSync(cache, { recursive: true });
    writeFileSync(join(cache, "update.json"), JSON.stringify({ source, checked_at: Date.now(), version: "999.1.0" }));
    const ui = await startUi(at);
    await page.open(ui.address());
    await page.becomes(has("#update", "ralph 999.1.0 is available; this is "), true);
    await page.click("#update-later");
    await page.becomes(seen("#update"), false);
    await page.reload();
    await page.becomes(seen("#home h1"), true);
    expect(await page.value<boolean>(seen("#update"))).toBe(false);
    writeFileSync(join(cache, "update.json"), JSON.stringify({ source, checked_at: Date.now(), version: "999.2.0" }));
    await page.reload();
    await page.becomes(has("#update", "ralph 999.2.0"), true);
    await tabTo(page, "#update-later");
    await page.press("Enter");
    await page.becomes(seen("#update"), false);
    expect(page.requests().filter((url) => url.includes("example"))).toEqual([]);
    ui.kill("SIGTERM");
  });
});

test("a project with a live run stays on the list, and so does one that is not named by its id", async () => {
  const at = project({ steps: [{ ...works(1), waits_for: ".ralph/go" }] });
  const live = at.start();
  await until("a call", () => at.calls().length === 1);
  const ui = await startUi(at, "--control");
  const secrets = await enter(ui);
  const id = /[0-9a-f]{16}/.exec(await (await get(ui, "/api/begin", secrets)).text())?.[0];
  const forget = async (of: unknown) =>
    ((await (await post(ui, "/api/home/forget", { project: of }, secrets)).json()) as { error?: string }).error;
  expect(await forget(id)).toBe("A run is live in this project: end it first.");
  expect(await forget("../0123456789abcdef")).toBe("This project is no longer there.");
  expect((await at.ralph("ps")).stdout).toContain("project");
  await at.ralph("stop", "--now");
  await live.ended;
  ui.kill("SIGTERM");
});

test("who wants to hear of no update is told of none, nor of one that is of another source or older", async () => {
  const source = "https://releases.example";
  const told = async (env: Record<string, string>, cached: Record<string, unknown>) => {
    const at = project({ env: { RALPH_UPDATE_URL: source, ...env } });
    const cache = join(at.env.HOME ?? "", ".cache/ralph");
    mkdirSync(cache, { recursive: true });
    const known = { source, checked_at: Date.now(), version: "999.1.0", ...cached };
    writeFileSync(join(cache, "update.json"), JSON.stringify(known));
    const ui = await startUi(at);
    const answer = await (await get(ui, "/api/home/update", await enter(ui))).json();
    ui.kill("SIGTERM");
    return answer;
  };
  expect(await told({}, {})).toMatchObject({ version: "999.1.0" });
  expect(await told({ RALPH_UPDATE_CHECK: "false" }, {})).toBe(null);
  expect(await told({}, { source: "https://elsewhere.example" })).toBe(null);
  expect(await told({}, { version: "0.0.1" })).toBe(null);
});
