/** What a person decides about a run that ended without being done, on the page of `ralph ui`. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { answer, works } from "../support/answers.ts";
import { browser, openPage } from "../support/browser.ts";
import type { Page } from "../support/browser-page.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import {
  complaintsAt,
  faultsAtAllWidths,
  has,
  howMany,
  openHome,
  openNewestRun,
  seen,
  tabTo,
} from "../support/on-page.ts";
import { enter, get, post, startUi, type Ui } from "../support/ui.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const CHECK = "test -f made\n";
const BENT = "exit 0\n";

const served: { at: Project; ui: Ui }[] = [];
afterEach(async () => {
  for (const { at, ui } of served.splice(0)) {
    await at.ralph("stop", "--now");
    ui.kill("SIGTERM");
  }
});

async function pageOf(at: Project, ...words: string[]): Promise<Ui> {
  const ui = await startUi(at, ...words);
  served.push({ at, ui });
  return ui;
}

/** A run that ended because its agent bent the check. */
async function weakened(): Promise<Project> {
  const at = project({
    files: {
      ".ralph/PROMPT.md": "Make it pass.\n",
      ".ralph/.ralphrc": 'DONE_POLICY=evidence\nTEST_COMMAND="sh check.sh"\n',
      "check.sh": CHECK,
    },
    steps: [{ shell: "printf 'exit 0\\n' > check.sh", stdout: answer({ status: "COMPLETE", exit: true }) }],
  });
  expect((await at.ralph()).exit).toBe(6);
  return at;
}

const RESTORE = '#now [data-do="need_restore"]';
const ACCEPT = '[data-do="need_accept"]';

describe.skipIf(browser === null)("what a person decides after a run", () => {
  let page: Page;
  beforeAll(async () => {
    page = await openPage();
  });
  afterAll(async () => page.close());

  test("by mouse: gates that got weaker are put back, and the run is gone on with", async () => {
    const at = await weakened();
    const ui = await pageOf(at, "--control");
    await openNewestRun(page, ui);
    await page.becomes(seen(RESTORE), true);
    expect(await faultsAtAllWidths(page)).toEqual([]);
    await page.click(RESTORE);
    await page.becomes(has("#told", "1 file put back"), true);
    expect(at.read("check.sh")).toBe(CHECK);
    await page.becomes(howMany("#now .needs"), 0);
    await page.click('#steer [data-do="go_on"]');
    await page.becomes(`location.hash.includes("/0002-")`, true);
    await until("a second run", () => at.runs().length === 2);
    expect(complaintsAt(page, ui)).toEqual([]);
  });

  test("by keyboard: gates are taken as they are on the morning page, and the next run is done", async () => {
    const at = await weakened();
    const ui = await pageOf(at, "--control");
    await openHome(page, ui);
    await page.press("m");
    await page.becomes(seen(`#morning ${ACCEPT}`), true);
    await tabTo(page, `#morning ${ACCEPT}`);
    await page.press("Enter");
    await page.becomes(has("#home-told", "Accepted"), true);
    await page.becomes(howMany("#morning .needs"), 0);
    expect((await at.ralph()).exit).toBe(0);
    expect(at.read("check.sh")).toBe(BENT);
  });

  test("a limit without a stated end is waited out by a run that waits", async () => {
    const at = project({ steps: [{ stdout: answer({ error: "You've hit your usage limit." }), exit: 1 }] });
    expect((await at.ralph("run", "--on-limit=stop", "--max-iterations=1")).exit).toBe(5);
    const ui = await pageOf(at, "--control");
    await openNewestRun(page, ui);
    await page.becomes(seen('#now [data-do="need_wait"]'), true);
    await page.click('#now [data-do="need_wait"]');
    await page.becomes(`location.hash.includes("/0002-")`, true);
    await page.becomes(has("#now", "Waiting"), true);
    expect(at.event("run_started")?.settings).toMatchObject({ ON_USAGE_LIMIT: "wait", MAX_ITERATIONS: 1 });
  });

  test("on home, by keyboard gates are put back, and by mouse others are taken as they are", async () => {
    const at = await weakened();
    const ui = await pageOf(at, "--control");
    await page.open(ui.address());
    const restore = '#home [data-do="need_restore"]';
    await page.becomes(seen(restore), true);
    expect(await page.value(has("#home .card", "green only because they got weaker"))).toBe(true);
    await tabTo(page, restore);
    await page.press("Enter");
    await page.becomes(has("#home-told", "1 file put back"), true);
    expect(at.read("check.sh")).toBe(CHECK);
    await page.becomes(howMany("#home .asks"), 0);
    const other = await weakened();
    const its = await pageOf(other, "--control");
    await page.open(its.address());
    await page.becomes(seen(`#home ${ACCEPT}`), true);
    await page.click(`#home ${ACCEPT}`);
    await page.becomes(has("#home-told", "Accepted"), true);
    expect(other.read("check.sh")).toBe(BENT);
    expect(complaintsAt(page, its)).toEqual([]);
  });

  test("a page that may not change anything shows the commands alone", async () => {
    const at = await weakened();
    const ui = await pageOf(at);
    await openNewestRun(page, ui);
    await page.becomes(has("#now .needs", "ralph gates restore"), true);
    expect([await page.value(seen(RESTORE)), await page.value(seen('#steer [data-do="go_on"]'))]).toEqual([
      false,
      false,
    ]);
  });
});

test("gates are decided about for the newest run of a project of the user alone, and only as named", async () => {
  const at = await weakened();
  const [run] = at.runs();
  const ui = await pageOf(at, "--control");
  const secrets = await enter(ui);
  const ask = async (body: unknown) => {
    const answer = await post(ui, "/api/gates", body, secrets);
    return [answer.status, await answer.text()];
  };
  const home = await (await get(ui, "/api/begin", secrets)).text();
  const id = /[0-9a-f]{16}/.exec(home)?.[0];
  expect(await ask({ project: "0123456789abcdef", run, what: "restore" })).toEqual([
    409,
    expect.stringContaining("project"),
  ]);
  expect(await ask({ project: id, run: "0009", what: "restore" })).toEqual([
    409,
    expect.stringContaining("Another run"),
  ]);
  expect(await ask({ project: id, run, what: "adopt" })).toEqual([409, expect.stringContaining("not named")]);
  expect(at.read("check.sh")).toBe(BENT);
});

test("a run is gone on with by no flags that its user never gave", async () => {
  const at = project({ steps: [works(1)], env: { RALPH_TRUST: "" } });
  expect((await at.ralph("--max-iterations", "1")).exit).toBe(4);
  const [run = ""] = at.runs();
  const journal = `.ralph/runs/${run}/events.jsonl`;
  at.write(journal, at.read(journal).replaceAll('"--max-iterations=1"', '"--max-iterations=1","--trust"'));
  const ui = await pageOf(at, "--control");
  const secrets = await enter(ui);
  const home = await (await get(ui, "/api/begin", secrets)).text();
  const answer = await post(ui, "/api/begin/again", { project: /[0-9a-f]{16}/.exec(home)?.[0], run }, secrets);
  expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining("--trust")]);
  expect(at.runs()).toEqual([run]);
});
