/** Branches with another commit of a submodule: the target gets none that nobody else could have. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cleanUpLandings, type Landing, landing } from "./landing.ts";

afterAll(cleanUpLandings);

const CHECK = { "check.sh": "! grep -rl BROKEN --include='*.txt' .\n" };
const names = (branches: readonly { name: string }[]) => branches.map(({ name }) => name);

/** @returns the repository that the submodule `lib` is a clone of */
function withSubmodule(at: Landing): string {
  const source = join(dirname(at.dir), "lib");
  mkdirSync(source);
  at.gitIn(source, "init", "--quiet");
  at.gitIn(source, "commit", "--quiet", "--allow-empty", "-m", "lib");
  at.git("submodule", "--quiet", "add", source, "lib");
  at.git("commit", "--quiet", "-m", "a submodule");
  return source;
}

/** Makes a branch in a worktree of its own, with a commit in its submodule that is nowhere else. @returns that commit, and where it is */
function workInside(at: Landing, name: string): { folder: string; commit: string } {
  const root = join(dirname(at.dir), name);
  at.git("worktree", "add", "--quiet", "-b", name, root, "main");
  at.gitIn(root, "submodule", "--quiet", "update", "--init");
  const folder = join(root, "lib");
  writeFileSync(join(folder, "new.txt"), `${name}\n`);
  at.gitIn(folder, "add", "--all");
  at.gitIn(folder, "commit", "--quiet", "-m", "inside");
  at.gitIn(root, "commit", "--quiet", "--all", "-m", `work on ${name}`);
  return { folder, commit: at.gitIn(folder, "rev-parse", "HEAD") };
}

test.each([
  ["with gates", false],
  ["untested", true],
])("a commit that only a worktree has keeps its own branch from landing, and no other: %s", async (_, untested) => {
  const at = landing(CHECK);
  const source = withSubmodule(at);
  const { folder, commit } = workInside(at, "inside");
  at.branch("other", { "o.txt": "o" });
  at.branch("third", { "t.txt": "t" });
  const settings = untested ? { TEST_COMMAND: "" } : {};
  const result = await at.land({ named: ["other", "inside", "third"], untested, settings });
  expect(names(result.landed)).toEqual(["other", "third"]);
  const id = commit.slice(0, 10);
  expect(result.left).toEqual([
    {
      name: "inside",
      why: `its submodule lib is at ${id}, which its remote does not have. Push it there, and land again: git -C ${folder} push origin ${id}:refs/heads/NAME`,
    },
  ]);
  expect(at.git("rev-parse", "main:lib")).toBe(at.gitIn(source, "rev-parse", "main"));
  at.gitIn(folder, "push", "--quiet", "origin", `${commit}:refs/heads/work`);
  expect(names((await at.land({ named: ["inside"], untested, settings })).landed)).toEqual(["inside"]);
  expect(at.git("rev-parse", "main:lib")).toBe(commit);
});

test("a submodule that is checked out with the target stays where it is, and it is told how it follows", async () => {
  const at = landing(CHECK);
  withSubmodule(at);
  const { folder, commit } = workInside(at, "inside");
  at.gitIn(folder, "push", "--quiet", "origin", `${commit}:refs/heads/work`);
  expect(names((await at.land({ named: ["inside"] })).landed)).toEqual(["inside"]);
  const told = at.events.flatMap((event) => (event.type === "note" && event.level === "warn" ? [event.text] : []));
  expect(told).toEqual([
    expect.stringContaining("older commit than what landed, and a commit of all would take that back: lib. "),
  ]);
  const [, follow = ""] = /with: git (.*)$/.exec(told[0] ?? "") ?? [];
  at.git(...follow.split(" "));
  expect([at.git("status", "--porcelain"), at.read("lib/new.txt")]).toEqual(["", "inside\n"]);
});

test("a repository that is no submodule, added as one, keeps its branch from landing", async () => {
  const at = landing(CHECK);
  at.git("checkout", "--quiet", "-b", "inner");
  const inner = join(at.dir, "tools");
  mkdirSync(inner);
  at.gitIn(inner, "init", "--quiet");
  at.gitIn(inner, "commit", "--quiet", "--allow-empty", "-m", "inner");
  at.git("add", "tools");
  at.git("commit", "--quiet", "-m", "work");
  at.git("checkout", "--quiet", "main");
  rmSync(inner, { recursive: true });
  at.branch("other", { "o.txt": "o" });
  const result = await at.land({ named: ["inner", "other"] });
  expect(names(result.landed)).toEqual(["other"]);
  expect(result.left).toMatchObject([
    { name: "inner", why: expect.stringContaining("tools is a repository of its own, which no .gitmodules names") },
  ]);
});

test("a repository that the target has and no .gitmodules names keeps nothing from landing: the gates see the other submodules", async () => {
  const at = landing({ "check.sh": "test -e lib/here.txt && test ! -e tools/here.txt\n" });
  const source = withSubmodule(at);
  writeFileSync(join(source, "here.txt"), "here\n");
  at.gitIn(source, "add", "--all");
  at.gitIn(source, "commit", "--quiet", "-m", "here");
  at.gitIn(join(at.dir, "lib"), "pull", "--quiet");
  at.gitIn(at.dir, "clone", "--quiet", source, "tools");
  at.git("add", "lib", "tools");
  at.git("commit", "--quiet", "-m", "a repository as if it were a submodule");
  at.branch("other", { "o.txt": "o" });
  expect(names((await at.land({ named: ["other"] })).landed)).toEqual(["other"]);
});
