/** The morning page of `ralph ui`, in a real Chromium and by plain requests. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { answer } from "../support/answers.ts";
import { browser, openPage } from "../support/browser.ts";
import type { Page } from "../support/browser-page.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { complaintsAt, faultsAtAllWidths, has, howMany, openHome, seen, tabTo } from "../support/on-page.ts";
import { enter, get, post, startUi } from "../support/ui.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const TICKS = `awk '!d && sub(/\\[ \\]/, "[x]") {d = 1} {print}' .ralph/@fix_plan.md > p && mv p .ralph/@fix_plan.md`;

/** A run that did two tasks, the first with a hostile name, and asked something. */
async function night(): Promise<Project> {
  const at = project({
    files: {
      ".ralph/PROMPT.md": "Do the next task.\n",
      ".ralph/@fix_plan.md": "- [ ] greet <b>the</b> user\n- [ ] part\n- [ ] last\n",
      ".ralph/.ralphrc": 'QUALITY_GATES="echo 3 pass && echo 0 fail"\n',
      "a.txt": "0\n",
    },
    steps: [
      { shell: `echo hello > greet.txt; ${TICKS}`, stdout: answer({ cost: 0.25 }) },
      { shell: `echo bye > part.txt; ${TICKS}`, stdout: answer({ cost: 0.5 }) },
      { stdout: answer({ text: "I cannot choose.", status: "BLOCKED", recommendation: "SQLite or Postgres?" }) },
    ],
  });
  await at.ralph("run", "--max-iterations", "3");
  return at;
}

const work = (at: number) => `#morning .work:nth-of-type(${at})`;
const looked = (at: Project) => {
  const path = join(at.env.HOME ?? "", ".local/state/ralph/looked.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null;
};

describe.skipIf(browser === null)("the morning page", () => {
  let page: Page;
  beforeAll(async () => {
    page = await openPage();
  });
  afterAll(async () => page.close());

  test("tells what landed with its proof, and takes answer, accept, undo, comment and seen by mouse", async () => {
    const at = await night();
    const ui = await startUi(at, "--control");
    await openHome(page, ui);
    await page.click("#to-morning");
    await page.becomes(howMany("#morning .work"), 2);
    expect(await page.value(has("#morning > .facts", "2 landed · $0.76 spent · 1 thing for you"))).toBe(true);
    // The newest first, and what needs the user before all of it.
    expect(await page.value(has(`${work(1)} h3`, "part"))).toBe(true);
    expect(await page.value(has(`${work(2)} h3`, "greet <b>the</b> user"))).toBe(true);
    expect(await page.value(has(`${work(2)} .proof`, "green echo 3 pass && echo 0 fail · 3 tests"))).toBe(true);
    expect(
      await page.value(
        `document.querySelector("#morning .needs").compareDocumentPosition(document.querySelector(".work")) & 4`,
      ),
    ).toBe(4);
    expect(await faultsAtAllWidths(page)).toEqual([]);

    await page.click(`${work(1)} [data-do="diff"]`);
    await page.becomes(has(`${work(1)} .changes`, "+bye"), true);
    await page.click(`${work(1)} [data-file="part.txt"] .comment`);
    await page.becomes(seen("#comment"), true);
    await page.click("#remark");
    await page.type("Too short");
    await page.click(`#comment button[value="say"]`);
    await page.becomes(has("#home-told", "goes into the first prompt of the next"), true);
    expect(at.event("said")?.text).toBe("part.txt:1: Too short");

    await page.click(`${work(2)} [data-do="accept"]`);
    await page.becomes(has("#morning .accepted summary", "1 accepted"), true);
    expect(looked(at).accepted).toMatchObject([{ project: at.dir, mark: 1 }]);

    await page.click("#morning form input");
    await page.type("SQLite");
    await page.click("#morning form button");
    await page.becomes(has("#home-told", "Answered"), true);
    await page.becomes(howMany("#morning .needs"), 0);

    await page.click(`${work(1)} [data-do="undo"]`);
    await page.becomes(seen("#sure"), true);
    await page.click(`#sure-yes`);
    await page.becomes(has("#home-told", 'without the task "part"'), true);
    expect([at.has("part.txt"), at.has("greet.txt")]).toEqual([false, true]);
    await page.becomes(has("#morning .work", "Taken back"), true);

    await page.reload();
    await page.becomes(howMany("#morning .work"), 2);
    expect(looked(at).looked_at).toBe(null);
    await page.click(`[data-do="seen"]`);
    await page.becomes(howMany("#morning .work"), 0);
    expect(looked(at).looked_at).toBe(new Date(looked(at).looked_at).toISOString());
    expect(complaintsAt(page, ui)).toEqual([]);

    // The words of the comment and the answer come with the next run.
    await at.ralph("run", "--max-iterations", "1");
    expect(at.calls().at(-1)?.stdin).toContain("Too short");
    expect(at.calls().at(-1)?.stdin).toContain("SQLite");
    ui.kill("SIGTERM");
  });

  test("is used by keyboard alone", async () => {
    const at = await night();
    const ui = await startUi(at, "--control");
    await openHome(page, ui);
    await page.press("m");
    await page.becomes(howMany("#morning .work"), 2);
    await tabTo(page, "#morning form input");
    await page.type("Postgres");
    await page.press("Enter");
    await until("the answer", () => at.event("question_answered")?.text === "Postgres");
    await page.becomes(howMany("#morning .needs"), 0);
    await tabTo(page, `[data-do="diff"]`);
    await page.press("Enter");
    await page.becomes(has(`${work(1)} .changes`, "+bye"), true);
    await tabTo(page, `${work(1)} [data-do="comment"]`);
    await page.press("Enter");
    await page.becomes(seen("#comment"), true);
    await page.type("Why so?");
    await tabTo(page, `#comment button[value="say"]`);
    await page.press("Enter");
    await until("the words", () => at.event("said")?.text === "part: Why so?");
    await page.becomes(`document.activeElement.dataset.do`, "comment");
    await tabTo(page, `${work(1)} [data-do="undo"]`);
    await page.press("Enter");
    await page.becomes(seen("#sure"), true);
    await page.press("Escape");
    await page.becomes(seen("#sure"), false);
    expect(at.has("part.txt")).toBe(true);
    // What is drawn anew meanwhile gives the focus back a moment later.
    await page.becomes(`document.activeElement.dataset.do ?? ""`, "undo");
    await page.press("Enter");
    await page.becomes(seen("#sure"), true);
    await tabTo(page, `#sure-yes`);
    await page.press("Enter");
    await page.becomes(has("#home-told", 'without the task "part"'), true);
    expect(at.has("part.txt")).toBe(false);
    await tabTo(page, `${work(2)} [data-do="accept"]`);
    await page.press("Enter");
    await page.becomes(has("#morning .accepted summary", "1 accepted"), true);
    await tabTo(page, `[data-do="seen"]`);
    await page.press("Enter");
    await page.becomes(howMany("#morning .work"), 0);
    expect(complaintsAt(page, ui)).toEqual([]);
    ui.kill("SIGTERM");
  });

  test("shows what a live run finishes without being loaded again, and refuses an undo meanwhile", async () => {
    const at = project({
      steps: [
        { shell: `echo 1 > one.txt; ${TICKS}`, stdout: answer(), waits_for: ".ralph/go1" },
        { shell: TICKS, stdout: answer(), waits_for: ".ralph/go2" },
      ],
    });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    const ui = await startUi(at, "--control");
    await openHome(page, ui);
    await page.click("#to-morning");
    await page.becomes(has("#morning > .facts", "0 landed"), true);
    at.write(".ralph/go1", "");
    await page.becomes(howMany("#morning .work"), 1);
    await page.click(`[data-do="undo"]`);
    await page.becomes(seen("#sure"), true);
    await page.click(`#sure-yes`);
    await page.becomes(has("#home-told", "A run is live in this project: its agent works on these files."), true);
    expect(at.has("one.txt")).toBe(true);
    await at.ralph("stop", "--now");
    await live.ended;
    ui.kill("SIGTERM");
  });
});

test("without --control it shows all and changes nothing", async () => {
  const at = await night();
  const ui = await startUi(at);
  const secrets = await enter(ui);
  const html = await (await get(ui, "/api/morning", secrets)).text();
  expect(html).toContain("greet &lt;b&gt;the&lt;/b&gt; user");
  expect([...html.matchAll(/data-do="(\w+)"/g)].map(([, what]) => what)).toEqual(["diff", "diff"]);
  // What steers is not shown (recovery.test.ts looks at it in a browser).
  expect([...html.matchAll(/<form class="([^"]*)"/g)].map(([, kind]) => kind)).toEqual(["words steers"]);
  const project = /data-project="(\w+)"/.exec(html)?.[1];
  const asked: [string, Record<string, unknown>][] = [
    ["seen", { until: new Date().toISOString() }],
    ["accept", { project, run: at.runs()[0], mark: 1, at: new Date().toISOString() }],
    ["undo", { project, task: "part" }],
  ];
  for (const [what, body] of asked) {
    const refused = await post(ui, `/api/morning/${what}`, body, secrets);
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining("only shows")]);
  }
  expect([looked(at), at.has("part.txt")]).toEqual([null, true]);
  expect(readFileSync(at.path(".ralph/@fix_plan.md"), "utf8")).toContain("[x] part");
  ui.kill("SIGTERM");
});

test("what nobody could have seen is refused in words", async () => {
  const at = await night();
  const ui = await startUi(at, "--control");
  const secrets = await enter(ui);
  const change = async (what: string, body: unknown) => {
    const { error } = (await (await post(ui, `/api/morning/${what}`, body, secrets)).json()) as { error?: string };
    return error;
  };
  const project = /data-project="(\w+)"/.exec(await (await get(ui, "/api/morning", secrets)).text())?.[1];
  expect(await change("seen", { until: "tomorrow" })).toContain("is no time");
  expect(await change("seen", { until: new Date(Date.now() + 3_600_000).toISOString() })).toContain("is no time");
  expect(await change("accept", { project: "0000", run: "x", mark: 1 })).toBe("This project is no longer there.");
  expect(await change("accept", { project, mark: 1 })).toBe("What is to be accepted is not named.");
  expect(await change("undo", { project, task: "" })).toBe("The task is not named.");
  expect(await change("undo", { project, task: "nobody did this" })).toContain("No run ticked the task");
  expect(looked(at)).toBe(null);
  ui.kill("SIGTERM");
});
