/** A swarm whose branch somebody renames or deletes while it works. */
import { afterAll, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanUp } from "../support/harness.ts";
import { until as eventually } from "../support/until.ts";
import { sharedPlan, until } from "./shared-plan.ts";

afterAll(cleanUp);

test.each([
  ["renamed", "branch -m main trunk", "branch -m trunk main"],
  ["deleted", "branch -D main", null],
])("the work is kept and named, and goes on once the branch is back: %s", async (_, gone, back) => {
  const waits = `test -e "$MEET/works" || { touch "$MEET/works"; ${until("gone")}; };`;
  const { at, git, meet } = sharedPlan({ plan: "- [ ] one\n- [ ] two\n", cases: `two) ${waits};` });
  const live = at.start("swarm", "2");
  await eventually("the agent works", () => existsSync(join(meet, "works")));
  await eventually("the first has landed", () => at.events().some(({ type }) => type === "landed"));
  const tip = git("rev-parse", "main");
  if (back === null) git("switch", "--quiet", "--detach");
  git(...gone.split(" "));
  writeFileSync(join(meet, "gone"), "");
  const { exit, stdout } = await live.ended;
  const told = stdout.replace(/\s+\[[^\]]*\]\s+|\s+/g, " ");
  expect([exit, told]).toEqual([6, expect.stringContaining("The branch main is not there any more")]);
  expect(told).toMatch(/ralph\/two-[0-9a-f]{12}/);
  expect(told).toContain(`git branch main ${tip.slice(0, 10)}`);
  expect((await at.ralph("swarm", "1", "--onto", "main")).exit).toBe(7);
  git(...(back?.split(" ") ?? ["branch", "main", tip]));
  if (back === null) git("switch", "--quiet", "main");
  const again = await at.ralph("swarm", "2");
  expect([again.exit, again.stdout]).toEqual([0, expect.stringContaining("All 2 tasks are done and landed.")]);
  expect(at.read(".ralph/fix_plan.md")).not.toContain("[ ]");
});
