/** `ralph land` with real repositories and gates: what reaches the target, what goes back, and what stays as it is. */
import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, lstatSync, readFileSync, renameSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { EventOf, RalphEvent } from "../../../src/core/journal/event.ts";
import { cleanUpLandings, type Landing, landing } from "./landing.ts";

afterAll(cleanUpLandings);

/** Red if any file says so. */
const CHECK = { "check.sh": "! grep -rl BROKEN --include='*.txt' .\n" };

function all<T extends RalphEvent["type"]>({ events }: Landing, type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

const names = (branches: readonly { name: string }[]) => branches.map(({ name }) => name);

/** Nothing of the work is left behind. */
function expectTidy(at: Landing): void {
  expect(at.has(".ralph/worktrees/.land")).toBe(false);
  expect(at.git("worktree", "list").split("\n")).toHaveLength(1);
  expect(at.git("fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");
}

describe("branches that others made", () => {
  test("land together after one run of the gates, and the tested commit is the landed one", async () => {
    const at = landing(CHECK);
    for (const name of ["a", "b", "c"]) at.branch(name, { [`${name}.txt`]: name });
    const result = await at.land({ named: ["a", "b", "c"] });
    expect(names(result.landed)).toEqual(["a", "b", "c"]);
    const [tested] = all(at, "land_tested");
    expect(all(at, "land_tested")).toHaveLength(1);
    expect(at.git("rev-parse", "main")).toBe(tested?.commit ?? "");
    expect(["a.txt", "b.txt", "c.txt"].map(at.has)).toEqual([true, true, true]);
    expect(at.git("status", "--porcelain")).toBe("");
    expect(at.git("branch", "--list", "a", "b", "c").split("\n")).toHaveLength(3);
    expectTidy(at);
  });

  test("a red one is found, named with what failed, and stays as it is; the others land", async () => {
    const at = landing(CHECK);
    for (const name of ["a", "b", "d", "e"]) at.branch(name, { [`${name}.txt`]: name });
    const commit = at.branch("c", { "c.txt": "BROKEN" });
    const result = await at.land({ named: ["a", "b", "c", "d", "e"] });
    expect(names(result.landed)).toEqual(["a", "b", "d", "e"]);
    expect(result.returned).toMatchObject([{ branch: { name: "c" }, why: "red", claim: "kept" }]);
    expect(result.returned[0]?.message).toContain("c.txt");
    expect(at.git("rev-parse", "c")).toBe(commit);
    expect(at.has("c.txt")).toBe(false);
    expectTidy(at);
  });

  test("one that is there already counts as landed, and no gate runs", async () => {
    const at = landing(CHECK);
    at.branch("a", { "a.txt": "a" });
    at.git("merge", "--quiet", "--no-ff", "a", "-m", "by hand");
    const before = at.git("rev-parse", "main");
    const result = await at.land({ named: ["a"] });
    expect(names(result.landed)).toEqual(["a"]);
    expect([result.tested, at.git("rev-parse", "main")]).toEqual([0, before]);
  });
});

describe("handed-in work", () => {
  const PLAN = ".ralph/@fix_plan.md";

  test("is ticked in the commit that lands it, and leaves the queue", async () => {
    const at = landing({ ...CHECK, [PLAN]: "- [ ] one\n- [ ] two\n" });
    await at.handIn("aaaaaaaaaaaa", "one", { "1.txt": "1", [PLAN]: "- [x] one\n" });
    await at.handIn("bbbbbbbbbbbb", "two", { "2.txt": "2", [PLAN]: "- [x] two\n" });
    const result = await at.land();
    expect(result).toMatchObject({ tested: 1, returned: [], left: [] });
    expect(at.read(PLAN)).toBe("- [x] one\n- [x] two\n");
    expect(at.git("status", "--porcelain")).toBe("");
    expect((await at.claims()).size).toBe(0);
    expect(at.git("branch", "--list", "ralph/*")).toBe("");
    expect(at.git("log", "--format=%s", "--first-parent")).toBe("Land: two\nLand: one\nfirst");
    expectTidy(at);
  });

  test("is ticked on disk where no commit has the plan", async () => {
    const at = landing({ ...CHECK, ".gitignore": ".ralph/\n", [PLAN]: "# Plan\r\n- [ ] one\r\n- [ ] two\r\n" });
    await at.handIn("aaaaaaaaaaaa", "one", { "1.txt": "1" });
    await at.land();
    expect(at.read(PLAN)).toBe("# Plan\r\n- [x] one\r\n- [ ] two\r\n");
  });

  test.if(process.platform !== "win32")(
    "is ticked in a plan that stays a link, and readable for whom it was",
    async () => {
      const at = landing({ ...CHECK, ".gitignore": ".ralph/\n", [PLAN]: "- [ ] one\n" });
      const shared = join(at.dir, "..", "shared-plan.md");
      renameSync(join(at.dir, PLAN), shared);
      chmodSync(shared, 0o644);
      symlinkSync(shared, join(at.dir, PLAN));
      await at.handIn("aaaaaaaaaaaa", "one", { "1.txt": "1" });
      await at.land();
      expect(readFileSync(shared, "utf8")).toBe("- [x] one\n");
      expect(statSync(shared).mode & 0o777).toBe(0o644);
      expect(lstatSync(join(at.dir, PLAN)).isSymbolicLink()).toBe(true);
    },
  );

  test("that is red goes back with the failing output, and the box stays open", async () => {
    const at = landing({ ...CHECK, [PLAN]: "- [ ] one\n- [ ] two\n" });
    await at.handIn("aaaaaaaaaaaa", "one", { "1.txt": "BROKEN" });
    await at.handIn("bbbbbbbbbbbb", "two", { "2.txt": "2" });
    await at.land();
    expect(at.read(PLAN)).toBe("- [ ] one\n- [x] two\n");
    const claim = (await at.claims()).get("aaaaaaaaaaaa");
    expect(claim).toMatchObject({ state: "returned", why: "red", branch: "ralph/aaaaaaaaaaaa", tries: 1 });
    expect(claim?.state === "returned" && claim.message).toContain("./1.txt");
  });

  test("that conflicts goes back with both tasks' words and both diffs", async () => {
    const at = landing({ ...CHECK, [PLAN]: "- [ ] one\n- [ ] two\n", "x.txt": "old\n" });
    await at.handIn("aaaaaaaaaaaa", "make it blue", { "x.txt": "blue\n" });
    await at.handIn("bbbbbbbbbbbb", "make it red", { "x.txt": "red\n" });
    const result = await at.land();
    expect(names(result.landed)).toEqual(["ralph/aaaaaaaaaaaa"]);
    const claim = (await at.claims()).get("bbbbbbbbbbbb");
    const message = claim?.state === "returned" ? claim.message : "";
    for (const part of ["make it blue", "make it red", "+blue", "+red", "x.txt"]) expect(message).toContain(part);
    expect(at.read("x.txt")).toBe("blue\n");
    expectTidy(at);
  });

  test("comes back three times, then waits for a person, whose word lands it", async () => {
    const at = landing({ ...CHECK, [PLAN]: "- [ ] one\n" });
    await at.handIn("aaaaaaaaaaaa", "one", { "1.txt": "BROKEN" }, 2);
    await at.land();
    expect((await at.claims()).get("aaaaaaaaaaaa")).toMatchObject({ state: "parked", tries: 3 });
    expect((await at.land()).returned).toEqual([]);
    const result = await at.land({ named: ["ralph/aaaaaaaaaaaa"], settings: { TEST_COMMAND: "true" } });
    expect(names(result.landed)).toEqual(["ralph/aaaaaaaaaaaa"]);
    expect([at.read(PLAN), (await at.claims()).size]).toEqual(["- [x] one\n", 0]);
  });

  test("whose branch somebody deleted is left with two ways out, and both are", async () => {
    const at = landing({ ...CHECK, [PLAN]: "- [ ] one\n" });
    const name = "ralph/aaaaaaaaaaaa";
    const lost = async (file: string) => {
      const commit = await at.handIn("aaaaaaaaaaaa", "one", { [file]: "1" });
      at.git("branch", "--quiet", "-D", name);
      const why = (await at.land()).left[0]?.why ?? "";
      const [, back = "", anew = ""] =
        /^its branch was deleted\. Bring it back with: git (.*)\. To have its task done anew: git (.*)$/.exec(why) ??
        [];
      return { commit, back, anew };
    };
    const { commit, back } = await lost("1.txt");
    expect(back).toBe(`branch ${name} ${commit}`);
    at.git(...back.split(" "));
    expect(names((await at.land()).landed)).toEqual([name]);
    const { anew } = await lost("2.txt");
    expect((await at.claims()).size).toBe(1);
    at.git(...anew.split(" "));
    expect((await at.claims()).size).toBe(0);
  });

  test("lands from under a worker that has its branch checked out, which stays", async () => {
    const at = landing({ ...CHECK, [PLAN]: "- [ ] one\n" });
    const name = "ralph/aaaaaaaaaaaa";
    const commit = await at.handIn("aaaaaaaaaaaa", "one", { "1.txt": "1" });
    const worker = join(at.dir, "..", "worker");
    at.git("worktree", "add", "--quiet", worker, name);
    expect(names((await at.land()).landed)).toEqual([name]);
    expect([(await at.claims()).size, at.git("rev-parse", name)]).toEqual([0, commit]);
    expect(at.gitIn(worker, "status", "--porcelain")).toBe("");
  });

  test("that conflicts goes back, though git has a person's solution of it on record", async () => {
    const at = landing({ ...CHECK, [PLAN]: "- [ ] one\n- [ ] two\n", "x.txt": "old\n" });
    for (const name of ["enabled", "autoUpdate"]) at.git("config", `rerere.${name}`, "true");
    const first = at.git("rev-parse", "main");
    await at.handIn("aaaaaaaaaaaa", "one", { "x.txt": "blue\n" });
    await at.handIn("bbbbbbbbbbbb", "two", { "x.txt": "red\n" });
    at.git("merge", "--quiet", "ralph/aaaaaaaaaaaa");
    expect(() => at.git("merge", "ralph/bbbbbbbbbbbb")).toThrow();
    at.write({ "x.txt": "purple\n" });
    at.git("commit", "--quiet", "--all", "-m", "solved");
    at.git("reset", "--quiet", "--hard", first);
    const { landed, returned } = await at.land();
    expect(names(landed)).toEqual(["ralph/aaaaaaaaaaaa"]);
    expect(returned).toMatchObject([{ branch: { name: "ralph/bbbbbbbbbbbb" }, why: "conflict" }]);
    expect(at.read("x.txt")).toBe("blue\n");
  });

  test("that was changed after it had been handed in is left, and told", async () => {
    const at = landing({ ...CHECK, [PLAN]: "- [ ] one\n" });
    await at.handIn("aaaaaaaaaaaa", "one", { "1.txt": "1" });
    at.git("checkout", "--quiet", "ralph/aaaaaaaaaaaa");
    at.git("commit", "--quiet", "--allow-empty", "-m", "more");
    at.git("checkout", "--quiet", "main");
    const result = await at.land();
    expect(result).toMatchObject({ landed: [], left: [{ why: "it was changed after it had been handed in" }] });
  });
});

test("gates find what git ignores in the project but ralph's own, and cannot delete it with their checkout", async () => {
  const at = landing({ ".gitignore": ".ralph/\nnode_modules/\n.env\n" });
  at.write({ "node_modules/dep/index.js": "1\n", ".env": "SECRET=1\n" });
  for (const name of ["a", "b"]) at.branch(name, { [`${name}.txt`]: name });
  const TEST_COMMAND = "test -f node_modules/dep/index.js && test -f .env && ! test -e .ralph && ! test -f b.txt";
  const result = await at.land({ named: ["a", "b"], settings: { TEST_COMMAND } });
  expect(names(result.landed)).toEqual(["a"]);
  expect([at.read("node_modules/dep/index.js"), at.read(".env")]).toEqual(["1\n", "SECRET=1\n"]);
});

test("a project below the root of its repository lands from there", async () => {
  const at = landing({
    "app/check.sh": "test -f x.txt\n",
    "app/.ralph/PROMPT.md": "Work.\n",
    "app/.ralph/@fix_plan.md": "- [ ] one\n",
  });
  at.git("rm", "--quiet", "--cached", "-r", ".ralph", "--ignore-unmatch");
  await at.handIn("aaaaaaaaaaaa", "one", { "app/x.txt": "x" }, 0, "app");
  const result = await at.land({ below: "app" });
  expect(names(result.landed)).toEqual(["ralph/aaaaaaaaaaaa"]);
  expect(at.read("app/.ralph/@fix_plan.md")).toBe("- [x] one\n");
});
