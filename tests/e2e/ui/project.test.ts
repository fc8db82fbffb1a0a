/** Plan and settings of a project on the page of `ralph ui`, in a real Chromium and by plain requests. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { browser, openPage } from "../support/browser.ts";
import type { Page } from "../support/browser-page.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { complaintsAt, faultsAtAllWidths, has, howMany, openHome, seen, tabTo, text } from "../support/on-page.ts";
import { enter, get, listProject, post, startUi, type Ui } from "../support/ui.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const PLAN = ".ralph/@fix_plan.md";
const TOLD = "#home-told";
const open: Ui[] = [];
afterEach(() => {
  for (const ui of open.splice(0)) ui.kill("SIGTERM");
});

async function served(...words: string[]): Promise<{ at: Project; ui: Ui }> {
  const at = project({
    files: {
      ".ralph/PROMPT.md": "Do the next task.\n",
      [PLAN]: "# Plan\n\n## Now\n- [x] one\n- [ ] two <b>bold</b>\n  of two lines\n\n## Later\n- [ ] three\n",
      ".ralph/.ralphrc": "MAX_ITERATIONS=7\nPREAMBLE='secret is s3cr3t-t0ken-value'\n",
    },
    env: { SHOP_TOKEN: "s3cr3t-t0ken-value", MAX_CALLS_PER_HOUR: "60" },
  });
  listProject(at);
  const ui = await startUi(at, ...words);
  open.push(ui);
  return { at, ui };
}

const row = (number: number) => `#project .tasks li:nth-child(${number})`;
const setting = (name: string) => `#project [data-setting="${name}"]`;

describe.skipIf(browser === null)("plan and settings on the page", () => {
  let page: Page;
  beforeAll(async () => {
    page = await openPage();
  });
  afterAll(async () => page.close());

  async function shown(...words: string[]): Promise<{ at: Project; ui: Ui }> {
    const both = await served(...words);
    await openHome(page, both.ui, "#home .card");
    await page.click(`#home a[href^="#/project/"]`);
    await page.becomes(howMany("#project .tasks li"), 3);
    return both;
  }

  test("are changed by mouse, as ralph plan and ralph config change them", async () => {
    const { at, ui } = await shown("--control");
    expect(await page.value(has(row(2), "two <b>bold</b>"))).toBe(true);
    expect(await page.value(has("#project", "1 of 3 done"))).toBe(true);
    // What the environment says goes before every file.
    expect(await page.value(howMany(setting("MAX_CALLS_PER_HOUR")))).toBe(0);
    expect(await page.value(has("#project", "MAX_CALLS_PER_HOUR"))).toBe(true);
    expect(await faultsAtAllWidths(page)).toEqual([]);
    await page.click(`${row(2)} [data-plan="down"]`);
    await page.becomes(has(row(2), "three"), true);
    expect(at.read(PLAN)).toContain("- [ ] three\n- [ ] two <b>bold</b>\n  of two lines\n");
    await page.click(`${row(2)} [data-plan="done"]`);
    await page.becomes(has(TOLD, "Done: 2: three"), true);
    await page.becomes(howMany(`${row(2)} [data-plan="open"]`), 1);
    await page.click(`${row(2)} [data-plan="open"]`);
    await page.becomes(has(TOLD, "Open: 2: three"), true);
    await page.becomes(howMany(`${row(2)} [data-plan="done"]`), 1);
    await page.click(`${row(2)} [data-plan="reword"]`);
    await page.becomes(seen("#one-line"), true);
    await page.type("three, reworded");
    await page.click('#one-line button[value="save"]');
    await page.becomes(has(row(2), "three, reworded"), true);
    await page.click('#project [data-plan="add"] [name="text"]');
    await page.type("a new one");
    await page.click('#project [data-plan="add"] button');
    await page.becomes(howMany("#project .tasks li"), 4);
    expect(at.read(PLAN)).toContain("- [ ] a new one");
    await page.click(`${row(3)} [data-plan="after"]`);
    await page.becomes(seen("#one-line"), true);
    expect(await faultsAtAllWidths(page)).toEqual([]);
    await page.type("1, 4");
    await page.click('#one-line button[value="save"]');
    await page.becomes(has(row(3), "waits for 1, 4"), true);
    expect(at.read(PLAN)).toContain('two <b>bold</b> (after: one, "a new one")');
    await page.click(`${row(4)} [data-plan="skip"]`);
    await page.becomes(has(row(4), "optional"), true);
    await page.becomes(has(TOLD, "Skipped, now 4: a new one"), true);
    expect(await faultsAtAllWidths(page)).toEqual([]);

    await page.click(setting("MAX_ITERATIONS"));
    await page.becomes(seen("#one-line"), true);
    expect(await page.value(`document.querySelector("#line-words").value`)).toBe("7");
    await page.type("many");
    await page.click('#one-line button[value="save"]');
    await page.becomes(has(TOLD, 'MAX_ITERATIONS="many" is not allowed'), true);
    await page.becomes(seen("#one-line"), false);
    await page.click(setting("MAX_ITERATIONS"));
    await page.type("9");
    await page.click('#one-line button[value="save"]');
    await page.becomes(has(TOLD, "MAX_ITERATIONS=9 now stands in .ralph/.ralphrc"), true);
    expect(at.read(".ralph/.ralphrc")).toContain("MAX_ITERATIONS=9\n");
    // A secret is neither shown nor written back as it is shown.
    expect(await page.value(has("#project", "s3cr3t"))).toBe(false);
    expect(await page.value(`document.querySelector('${setting("PREAMBLE")}')`)).toBeNull();
    // The browser notes the refusal above.
    expect(complaintsAt(page, ui).filter((words) => !words.includes("409 (Conflict)"))).toEqual([]);
  });

  test("are changed by keyboard alone; a default comes back with an empty line", async () => {
    const { at } = await shown("--control");
    await tabTo(page, `${row(3)} [data-plan="up"]`);
    await page.press("Enter");
    await page.becomes(has(row(2), "three"), true);
    await tabTo(page, '#project [data-plan="add"] [name="text"]');
    await page.type("by keys");
    await page.press("Tab");
    await page.type("1");
    await page.press("Enter");
    await page.becomes(has(row(2), "by keys"), true);
    await tabTo(page, `${row(2)} [data-plan="skip"]`);
    await page.press("Enter");
    await page.becomes(has(row(4), "by keys"), true);
    await tabTo(page, `${row(2)} [data-plan="after"]`);
    await page.press("Enter");
    await page.becomes(seen("#one-line"), true);
    await page.type("1");
    await page.press("Enter");
    await page.becomes(has(row(2), "waits for 1"), true);
    await tabTo(page, `${row(2)} [data-plan="reword"]`);
    await page.press("Enter");
    await page.becomes(seen("#one-line"), true);
    await page.type("reworded by keys");
    await page.press("Enter");
    await page.becomes(has(row(2), "reworded by keys"), true);
    await tabTo(page, `${row(2)} [data-plan="done"]`);
    await page.press("Enter");
    await page.becomes(howMany(`${row(2)} [data-plan="open"]`), 1);
    await tabTo(page, `${row(2)} [data-plan="open"]`);
    await page.press("Enter");
    await page.becomes(howMany(`${row(2)} [data-plan="done"]`), 1);
    await tabTo(page, `${row(2)} [data-plan="down"]`);
    await page.press("Enter");
    await page.becomes(has(row(3), "reworded by keys"), true);
    await tabTo(page, "#defaults summary");
    await page.press("Enter");
    await page.becomes(`document.querySelector("#defaults").open`, true);
    await tabTo(page, setting("MAX_ITERATIONS"));
    await page.press("Enter");
    await page.becomes(seen("#one-line"), true);
    await page.press("Delete");
    await page.press("Enter");
    await until("the setting is gone", () => !at.read(".ralph/.ralphrc").includes("MAX_ITERATIONS"));
    await page.becomes(`(${text("#defaults summary")}).startsWith("Defaults (")`, true);
  });

  test("show what somebody else changes meanwhile, and touch no other task", async () => {
    const { at, ui } = await shown();
    expect(await page.value(howMany("#project button"))).toBe(0);
    at.write(PLAN, "# Plan\n- [ ] first of all\n- [x] one\n- [ ] two <b>bold</b>\n- [ ] three\n");
    await page.becomes(howMany("#project .tasks li"), 4);
    ui.kill("SIGTERM");
  });

  test("show it while somebody types, too, whose words and caret stay", async () => {
    const { at } = await shown("--control");
    await page.click('#project [data-plan="add"] [name="text"]');
    await page.type("half a ta");
    at.write(PLAN, "# Plan\n- [ ] first of all\n- [x] one\n- [ ] two <b>bold</b>\n- [ ] three\n");
    await page.becomes(howMany("#project .tasks li"), 4);
    await page.type("sk");
    await page.press("Enter");
    await until("the task", () => at.read(PLAN).includes("- [ ] half a task\n"));
  });

  test("are asked for once at a time, however slow the server is; the newest is asked for afterwards", async () => {
    const { at, ui } = await shown();
    const secrets = await enter(ui);
    await page.value(slowly("/api/project?"));
    // Each page that comes makes the server tell all of them what home is now.
    for (let told = 1; told <= 3; told += 1) {
      await first(ui, secrets);
      await page.becomes(`heard >= ${told}`, true);
    }
    expect(await page.value("asked.length")).toBe(1);
    at.write(PLAN, "# Plan\n- [ ] the newest\n");
    await page.value("asked[0]()");
    await page.becomes("asked.length", 2);
    await page.value("asked[1]()");
    await page.becomes(has("#project", "the newest"), true);
  });
});

/** Makes requests that begin so wait until they are let go, by `asked[N]()`, and counts what the stream told in `heard`. */
function slowly(path: string): string {
  return `{
    const [ask, read] = [fetch, JSON.parse];
    window.asked = [];
    window.heard = 0;
    window.fetch = (to, how) =>
      String(to).startsWith(${JSON.stringify(path)})
        ? new Promise((answer) => asked.push(() => void answer(ask(to, how))))
        : ask(to, how);
    JSON.parse = (text) => {
      heard += 1;
      return read(text);
    };
    0;
  }`;
}

test("a task that is another one by now is left alone, and without --control nothing changes", async () => {
  const { at, ui } = await served("--control");
  const secrets = await enter(ui);
  const id = /#\/project\/([0-9a-f]{16})/.exec(await first(ui, secrets))?.[1] ?? "none";
  const html = await (await get(ui, `/api/project?project=${id}`, secrets)).text();
  expect(html).toContain("two &lt;b&gt;bold&lt;/b&gt;");
  const plan = at.read(PLAN);
  const asked = async (body: object) => {
    const answer = await post(ui, "/api/project", { project: id, ...body }, secrets);
    return [answer.status, ((await answer.json()) as { error?: string }).error];
  };
  expect(await asked({ do: "done", number: "2", text: "three" })).toEqual([
    409,
    "Task 2 is another one by now: the plan was changed.",
  ]);
  expect((await asked({ do: "done", number: "99", text: "x" }))[0]).toBe(409);
  expect((await asked({ do: "reword", number: "3", text: "three", words: " " }))[1]).toBe(
    "The task would have no words.",
  );
  expect((await asked({ do: "add", words: "" }))[1]).toBe("The task has no words.");
  expect((await asked({ do: "set", setting: "NO_SUCH", value: "1" }))[0]).toBe(409);
  expect((await asked({ do: "rm", number: "3", text: "three" }))[1]).toBe("What is to be done is not named.");
  expect(at.read(PLAN)).toBe(plan);
  ui.kill("SIGTERM");
  await ui.exited;
  const reading = await startUi(at);
  open.push(reading);
  const mine = await enter(reading);
  expect(
    (await post(reading, "/api/project", { project: id, do: "done", number: "3", text: "three" }, mine)).status,
  ).toBe(409);
  expect(at.read(PLAN)).toBe(plan);
});

/** The first message of home. */
async function first(ui: Ui, secrets: Record<string, string>): Promise<string> {
  const reader = (await get(ui, "/api/follow/home", secrets)).body?.getReader();
  let told = "";
  while (!told.includes("event: home")) told += new TextDecoder().decode((await reader?.read())?.value);
  return told;
}
