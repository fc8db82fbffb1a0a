/** Workers of a swarm that commit inside a submodule: what was pushed there lands, what was not stays where it is, and neither is undone by another. */
import { afterAll, expect, test } from "bun:test";
import { cleanUp } from "../support/harness.ts";
import { until, withSubmodule } from "./shared-plan.ts";

afterAll(cleanUp);

const COMMIT = "echo $task > lib/$task; git -C lib add -A; git -C lib commit -q -m $task";

const LOOK = "git -C lib cat-file -e HEAD:one || touch stale";

test("a commit that was not pushed keeps only its own task from landing, and stays until it is", async () => {
  const { at, git, inLib } = withSubmodule({ plan: "- [ ] one\n- [ ] two\n- [ ] three\n", cases: `one) ${COMMIT};;` });
  const before = git("rev-parse", "main:lib");
  const { exit, stdout } = await at.ralph("swarm", "1");
  const told = stdout.replace(/\s+\[[^\]]*\]\s+|\s+/g, " ");
  expect([exit, told]).toEqual([6, expect.stringContaining("One task is not landed: ralph/one-")]);
  expect(told).toContain("its submodule lib is at");
  expect(at.read(".ralph/fix_plan.md")).toBe("- [ ] one\n- [x] two\n- [x] three\n");
  expect(git("rev-parse", "main:lib")).toBe(before);
  const branch = git("for-each-ref", "--format=%(refname:short)", "refs/heads/ralph/one-*");
  const commit = git("rev-parse", `${branch}:lib`);
  const removed = await at.ralph("worktrees", "remove", "w1", "--force");
  expect([removed.exit, removed.stderr]).toEqual([7, expect.stringContaining("work that is nowhere else")]);
  inLib("push", "--quiet", "origin", `${commit}:refs/heads/one`);
  expect((await at.ralph("land")).exit).toBe(0);
  expect(git("rev-parse", "main:lib")).toBe(commit);
  expect((await at.ralph("worktrees", "remove", "w1")).exit).toBe(0);
});

test("a commit that was pushed and has landed is not taken back by the next task of another worker", async () => {
  const { at, git } = withSubmodule({
    plan: "- [ ] one\n- [ ] two\n- [ ] three (after: two)\n- [ ] four (after: two)\n",
    // The next tasks of both workers begin when `one` has landed, and only one of them has it in its submodule.
    cases: `one) ${until("two")}; ${COMMIT}; git -C lib push -q origin HEAD:refs/heads/one;;
two) touch "$MEET/two"; n=0; while [ "$(git rev-parse main:lib)" = "$(git -C lib rev-parse HEAD)" ]; do n=$((n+1)); [ $n -gt 2400 ] && exit 9; sleep 0.05; done;;
three) touch "$MEET/three"; ${until("four")}; ${LOOK};;
four) touch "$MEET/four"; ${until("three")}; ${LOOK};;`,
  });
  const { exit, stdout } = await at.ralph("swarm", "2");
  expect([exit, stdout]).toEqual([0, expect.stringContaining("All 4 tasks are done and landed.")]);
  expect(at.has("stale")).toBe(false);
  expect(git("rev-parse", "main:lib")).toBe(git("-C", "../lib", "rev-parse", "one"));
});
