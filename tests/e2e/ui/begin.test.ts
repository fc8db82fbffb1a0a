/** A run that is begun on the page of `ralph ui`, in a real Chromium and by plain requests. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { works } from "../support/answers.ts";
import { browser, openPage } from "../support/browser.ts";
import type { Page } from "../support/browser-page.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { complaintsAt, faultsAtAllWidths, has, openHome, seen, tabTo, text } from "../support/on-page.ts";
import { enter, get, listProject, post, startUi, type Ui } from "../support/ui.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const TOLD = "#home-told";
const served: { at: Project; ui: Ui }[] = [];
afterEach(async () => {
  for (const { at, ui } of served.splice(0)) {
    await at.ralph("stop", "--now");
    ui.kill("SIGTERM");
  }
});

/** A project on its user's list, and its page. */
async function pageOf(at: Project, ...words: string[]): Promise<Ui> {
  listProject(at);
  const ui = await startUi(at, ...words);
  served.push({ at, ui });
  return ui;
}

const settingOf = (at: Project, name: string) =>
  (at.event("run_started")?.settings as Record<string, unknown> | undefined)?.[name];

describe.skipIf(browser === null)("the form that begins a run", () => {
  let page: Page;
  beforeAll(async () => {
    page = await openPage();
  });
  afterAll(async () => page.close());

  test("by mouse: a task in words, with agent, model of its list and bounds; then shows the run", async () => {
    const at = project({ steps: [works(1), { hangs: true }] });
    const ui = await pageOf(at, "--control");
    await openHome(page, ui, "#to-begin");
    await page.click("#to-begin");
    await page.becomes(seen("#new-run"), true);
    expect(await faultsAtAllWidths(page)).toEqual([]);
    await page.click("#new-run textarea");
    await page.type("Greet <b>them</b>\n--max-iterations=9");
    expect(await page.value<string>(`document.querySelector("#new-run").elements.what.value`)).toBe("task");
    await page.click('#new-run [name="model"]');
    await page.type("model-of-mine");
    await page.click('#new-run [name="max_iterations"]');
    await page.type("2");
    await page.click('#new-run [name="max_cost"]');
    await page.type("1.50");
    await page.click("#new-run .buttons button");
    await page.becomes(seen("#run"), true);
    expect(await page.value<string>("location.hash")).toMatch(/^#\/run\/[0-9a-f]{16}\//);
    await page.becomes(has("#told", "goes on in the background"), true);
    expect(settingOf(at, "MAX_ITERATIONS")).toBe(2);
    expect(settingOf(at, "MAX_COST_USD")).toBe(1.5);
    expect(settingOf(at, "CLAUDE_MODEL")).toBe("model-of-mine");
    await until("the agent is called", () => at.calls().length > 0);
    expect(at.calls()[0]?.stdin).toContain("Greet <b>them</b>\n--max-iterations=9");
    expect(complaintsAt(page, ui)).toEqual([]);
  });

  test("a mode of the chosen project, where it has any", async () => {
    const at = project({ steps: [{ hangs: true }] });
    at.write(".ralph/PROMPT-build.md", "Build it.\n");
    at.write("PROMPT-tidy.md", "Tidy up.\n");
    at.write("PROMPT--x.md", "No mode.\n");
    const plain = project({ steps: [] });
    listProject({ dir: plain.dir, env: at.env }, 2);
    const ui = await pageOf(at, "--control");
    await openHome(page, ui, "#to-begin");
    await page.value(`location.hash = "#/begin"`);
    await page.becomes(seen("#new-run"), true);
    const choose = (dir: string) =>
      page.value(
        `(() => { const { project } = document.querySelector("#new-run").elements; project.value = [...project.options].find((one) => one.text.includes(${JSON.stringify(dir)})).value; project.dispatchEvent(new Event("change", { bubbles: true })); })()`,
      );
    await choose(plain.dir);
    expect(await page.value<boolean>(seen("#modes"))).toBe(false);
    await choose(at.dir);
    expect(await page.value<boolean>(seen("#modes"))).toBe(true);
    expect(await faultsAtAllWidths(page)).toEqual([]);
    const offered = `[...document.querySelector('#new-run [name="mode"]').options].map((one) => one.value).join()`;
    expect(await page.value<string>(offered)).toBe("tidy,build");
    await page.click('#new-run [name="what"][value="mode"]');
    await page.value(`document.querySelector('#new-run [name="mode"]').value = "build"`);
    await page.click("#new-run .buttons button");
    await page.becomes(seen("#run"), true);
    await until("the agent is called", () => at.calls().length === 1);
    expect(at.calls()[0]?.stdin).toContain("Build it.");
    expect(complaintsAt(page, ui)).toEqual([]);
  });

  test("offers what was begun last: its project, its mode and the preambles", async () => {
    const first = project({ steps: [works(1)] });
    await first.ralph("run", "--max-iterations=1", "--preamble=Be brief & <b>bold</b>.");
    const at = project({ steps: [works(1), { hangs: true }] });
    Object.assign(at.env, { HOME: first.env.HOME });
    at.write(".ralph/PROMPT-build.md", "Build it.\n");
    at.write(".ralph/PROMPT-tidy.md", "Tidy up.\n");
    await at.ralph("run", "tidy", "--max-iterations=1", "--preamble=Speak French.");
    const ui = await startUi(at, "--control");
    served.push({ at, ui });
    await openHome(page, ui, "#to-begin");
    await page.press("c");
    await page.becomes(seen("#new-run"), true);
    const chosen = (name: string) =>
      page.value<string>(`document.querySelector("#new-run").elements.${name}.selectedOptions[0].text`);
    expect(await chosen("project")).toContain(at.dir);
    expect(await chosen("mode")).toBe("tidy");
    expect(await page.value<string>(`document.querySelector("#new-run").elements.what.value`)).toBe("mode");
    expect(await page.value(`[...document.querySelectorAll("#preambles option")].map((o) => o.value)`)).toEqual([
      "Speak French.",
      "Be brief & <b>bold</b>.",
    ]);
    await tabTo(page, '#new-run [name="preamble"]');
    await page.type("Speak German.");
    await page.press("Enter");
    await page.becomes(seen("#run"), true);
    await until("the agent is called", () => at.calls().length === 2);
    expect(at.calls()[1]?.stdin).toContain("Speak German.");
    expect(at.calls()[1]?.stdin).toContain("Tidy up.");
    // What stands for a status bar.
    await page.becomes(has("#now .state", "executing"), true);
    expect(await page.value(has("#now .state", "iteration 1 · Claude Code · mode tidy"))).toBe(true);
    await page.becomes(seen("#overview .outcome"), false);
    expect(complaintsAt(page, ui)).toEqual([]);
  });

  test("a run that was ended is gone on with from home, with its own words and flags", async () => {
    const at = project({ steps: [works(1), { hangs: true }, { hangs: true }] });
    await at.ralph("run", "--task=Greet them", "--max-iterations=1", "--max-cost=3");
    const ui = await pageOf(at, "--control");
    await openHome(page, ui, '#home [data-do="go_on"]');
    await page.click('#home [data-do="go_on"]');
    await page.becomes(seen("#run"), true);
    await until("a second run", () => at.runs().length === 2);
    await page.becomes(`location.hash.includes("/0002-")`, true);
    expect(at.event("run_started")).toMatchObject({ task: "Greet them" });
    expect([settingOf(at, "MAX_ITERATIONS"), settingOf(at, "MAX_COST_USD")]).toEqual([1, 3]);
    await at.ralph("stop", "--now");
    await until("the run is over", () => !at.has(".ralph/lock"));
    await page.press("g");
    // Home as it was left is seen until the new one is there.
    await page.becomes(seen('#home a[href*="/0002-"]'), true);
    await tabTo(page, '#home [data-do="go_on"]');
    await page.press("Enter");
    await page.becomes(`location.hash.includes("/0003-")`, true);
  });

  test("by keyboard alone: the plan, and a refusal in the words of ralph run", async () => {
    const at = project({ steps: [{ hangs: true }] });
    const ui = await pageOf(at, "--control");
    await openHome(page, ui, "#to-begin");
    await page.press("c");
    await page.becomes(`document.activeElement?.name ?? ""`, "project");
    // Letters choose in a list; they are no keys of the page.
    await page.press("m");
    expect(await page.value<string>("location.hash")).toBe("#/begin");
    await tabTo(page, '#new-run [name="max_time"]');
    await page.type("90s");
    await page.press("Enter");
    await page.becomes(seen("#run"), true);
    await until("the agent is called", () => at.calls().length === 1);
    expect(at.calls()[0]?.stdin).toContain("Do the next task.");
    await page.value(`document.activeElement?.blur()`);
    await page.press("c");
    await page.becomes(`document.activeElement?.name ?? ""`, "project");
    expect(await page.value(has("#new-run option", "runs now"))).toBe(true);
    await tabTo(page, "#new-run .buttons button");
    await page.press("Enter");
    await page.becomes(`(${text(TOLD)}).startsWith("Another ralph")`, true);
    expect(at.runs().length).toBe(1);
  });

  test("offers the models that the agent's CLI names, or says why there are none", async () => {
    const at = project();
    const ui = await pageOf(at, "--control");
    await openHome(page, ui, "#to-begin");
    await page.value(`location.hash = "#/begin"`);
    await page.becomes(seen("#new-run"), true);
    await page.value(`document.querySelector("#new-run").elements.driver.value = "cursor"`);
    await page.click("#ask-models");
    await page.becomes(has("#models-told", "Cursor CLI is not installed"), true);
    writeFileSync(join(at.dir, "..", "bin", "opencode"), "#!/bin/sh\necho a/one\necho b/two\n", { mode: 0o755 });
    await page.value(`document.querySelector("#new-run").elements.driver.value = "opencode"`);
    await tabTo(page, "#ask-models");
    await page.press("Enter");
    await page.becomes(text("#models-told"), "2 models, offered as you type: a/one, b/two");
    expect(await page.value(`[...document.querySelectorAll("#models option")].map((o) => o.value).join()`)).toBe(
      "a/one,b/two",
    );
  });
});

test("nothing begins without --control, nor by words that ralph run refuses", async () => {
  const at = project({ steps: [works(1)] });
  at.env.PATH = "/nowhere";
  const reading = await pageOf(at);
  const secrets = await enter(reading);
  const refused = await post(reading, "/api/begin", { project: "0", what: "plan" }, secrets);
  expect([refused.status, await refused.json()]).toMatchObject([409, { hint: "Start it with: ralph ui --control" }]);
  reading.kill("SIGTERM");
  await reading.exited;
  const ui = await pageOf(at, "--control");
  const mine = await enter(ui);
  const form = await (await get(ui, "/api/begin", mine)).text();
  // Only ralph itself is there.
  expect(form).toContain("GitHub Copilot CLI · not installed<");
  expect(form).toContain("Demo agent<");
  const id = /<option value="([0-9a-f]{16})">/.exec(form)?.[1];
  const begin = async (body: object) => {
    const response = await post(ui, "/api/begin", { project: id, ...body }, mine);
    return [response.status, ((await response.json()) as { error: string }).error];
  };
  expect(await begin({ what: "task", task: "  " })).toEqual([409, "There are no words for what to do."]);
  expect((await begin({ what: "mode", mode: "--auto" }))[1]).toBe("This project has no PROMPT---auto.md.");
  expect((await begin({ what: "plan", driver: "nobody" }))[1]).toBe('There is no driver called "nobody".');
  expect((await begin({ what: "plan", max_iterations: "-3" }))[0]).toBe(409);
  expect((await begin({ what: "plan", model: "--auto" }))[1]).toContain('must be a name that does not begin with "-"');
  expect((await begin({ project: "../../etc", what: "plan" }))[1]).toBe("This project is no longer there.");
  expect(at.runs()).toEqual([]);
});

test("of several that are asked for at once one begins, and the others are told that it is live", async () => {
  const at = project({ steps: [{ ...works(1), waits_for: ".ralph/go" }] });
  const ui = await pageOf(at, "--control");
  const mine = await enter(ui);
  const id = /<option value="([0-9a-f]{16})">/.exec(await (await get(ui, "/api/begin", mine)).text())?.[1];
  const asked = await Promise.all(
    ["one", "two", "three", "four"].map(async (task) => {
      const response = await post(ui, "/api/begin", { project: id, what: "task", task }, mine);
      const { told, error } = (await response.json()) as { told?: string; error?: string };
      return `${response.status} ${told ?? error}`;
    }),
  );
  const [begun, ...others] = asked.sort();
  expect(begun).toMatch(/^200 Run .* goes on in the background/);
  for (const other of others) expect(other).toMatch(/^409 Another ralph /);
  expect(at.runs()).toHaveLength(1);
});
