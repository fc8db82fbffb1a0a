/** A swarm on the page of `ralph ui`: its workers while they work, and what landed once their worktrees are gone. */
import { afterAll, expect, test } from "bun:test";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sharedPlan, until } from "../fleet/shared-plan.ts";
import { cleanUp } from "../support/harness.ts";
import { enter, get, startUi, type Ui } from "../support/ui.ts";
import { until as eventually } from "../support/until.ts";

afterAll(cleanUp);

/** The first drawing of home. */
async function home(ui: Ui, secrets: Record<string, string>): Promise<string> {
  const answer = await get(ui, "/api/follow/home", secrets);
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let told = "";
  while (!told.includes("\n\n")) told += (await reader?.read())?.value ?? "\n\n";
  await reader?.cancel();
  return String(JSON.parse(/^data: (.*)$/m.exec(told)?.[1] ?? '""'));
}

test("a card tells what each worker of a swarm does, and the morning page what landed, each once", async () => {
  const { at, meet } = sharedPlan({
    plan: "- [ ] one\n- [ ] two\n",
    cases: `one) touch "$MEET/one"; ${until("go")};;\ntwo) touch "$MEET/two"; ${until("go")};;`,
  });
  const live = at.start("swarm", "2");
  await eventually("both work", () => existsSync(join(meet, "one")) && existsSync(join(meet, "two")));
  const ui = await startUi(at);
  const secrets = await enter(ui);
  const html = await home(ui, secrets);
  expect(html).toContain("2 workers");
  expect(html).toMatch(/<b>w\d<\/b> one <span class="facts">iteration 1/);
  expect(html).toMatch(/<b>w\d<\/b> two <span class="facts">iteration 1/);
  expect(html).toMatch(/2 worktrees: <a href="#\/run\/[0-9a-f]{16}\/[\w-]+">w1<\/a>/);
  writeFileSync(join(meet, "go"), "");
  expect((await live.ended).exit).toBe(0);

  const landed = async () => {
    const page = await (await get(ui, "/api/morning", secrets)).text();
    return { page, names: [...page.matchAll(/data-name="([^"]*)"/g)].map(([, name]) => name).sort() };
  };
  const before = await landed();
  expect(before.names).toEqual(["one", "two"]);
  expect(before.page).toContain("sh check.sh");
  for (const worker of ["w1", "w2"]) rmSync(at.path(`.ralph/worktrees/${worker}`), { recursive: true });
  const after = await landed();
  expect(after.names).toEqual(["one", "two"]);
  expect(after.page).toContain("landed on <code>main</code>");
  expect(after.page).toContain("the gates were green on exactly this commit");
  expect(after.page).not.toContain("data-task");
  ui.kill("SIGTERM");
});
