/** Two swarms in one repository at once, and a person who works there too. */
import { afterAll, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanUp } from "../support/harness.ts";
import { until as eventually } from "../support/until.ts";
import { sharedPlan, until } from "./shared-plan.ts";

afterAll(cleanUp);

const PLAN = "- [ ] one\n- [ ] two\n- [ ] three\n";
const DONE = PLAN.replaceAll("[ ]", "[x]");

test("those of two projects with the same words, and a person, all land on one branch", async () => {
  const { at, did, meet, git } = sharedPlan({
    plan: PLAN,
    folders: ["a/", "b/"],
    // One of each project is at work before any is done, and the person commits meanwhile.
    cases: `one) touch "$MEET/$(basename "$(dirname "$(dirname "$(dirname "$PWD")")")")-$$"; ${until("go")};;`,
  });
  const swarms = ["a", "b"].map((name) => at.start("swarm", "2", "-C", at.path(name)));
  await eventually("both have begun", () =>
    ["a", "b"].every((name) => existsSync(at.path(`${name}/.ralph/worktrees`))),
  );
  await eventually("a task of each", () => did().filter((task) => task === "one").length === 2);
  writeFileSync(at.path("mine.txt"), "a person's\n");
  git("add", "mine.txt");
  git("-c", "user.name=p", "-c", "user.email=p@localhost", "commit", "--quiet", "-m", "by hand");
  writeFileSync(at.path("open.txt"), "not committed\n");
  writeFileSync(join(meet, "go"), "");
  for (const swarm of swarms) {
    const { exit, stdout, stderr } = await swarm.ended;
    expect([exit, stdout + stderr]).toEqual([0, expect.stringContaining("All 3 tasks are done and landed.")]);
  }
  expect(did().sort()).toEqual(["one", "one", "three", "three", "two", "two"]);
  for (const name of ["a", "b"]) {
    expect(at.read(`${name}/.ralph/fix_plan.md`)).toBe(DONE);
    for (const task of ["one", "two", "three"]) expect(at.read(`${name}/done/${task}`)).toBe(`${task}\n`);
  }
  expect(git("log", "--format=%s", "-1", "--", "mine.txt")).toBe("by hand");
  expect(git("status", "--porcelain")).toBe("?? open.txt");
  expect(git("for-each-ref", "refs/ralph/claims")).toBe("");
  expect(git("fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");
});

test("those for two branches with the same plan keep their work apart", async () => {
  const { at, did, git } = sharedPlan({ plan: PLAN });
  git("branch", "next");
  const other = join(at.dir, "..", "next");
  git("worktree", "add", "--quiet", other, "next");
  const swarms = [at.start("swarm", "2"), at.start("swarm", "2", "-C", other)];
  for (const swarm of swarms) {
    const { exit, stdout, stderr } = await swarm.ended;
    expect([exit, stdout + stderr]).toEqual([0, expect.stringContaining("All 3 tasks are done and landed.")]);
  }
  expect(did()).toHaveLength(6);
  for (const dir of [at.dir, other]) expect(readFileSync(join(dir, ".ralph/fix_plan.md"), "utf8")).toBe(DONE);
  expect(git("merge-base", "main", "next")).toBe(git("rev-list", "--max-parents=0", "main"));
});
