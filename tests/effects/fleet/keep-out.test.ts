/** What is a person's stays out of a worker's commits, whatever a commit says of the `.gitignore` beside it. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { keepOut, withCommittedRules } from "../../../src/effects/fleet/keep-out.ts";
import { openTaskBranch } from "../../../src/effects/fleet/task-branch.ts";
import { createGit } from "../../../src/effects/git/git-program.ts";
import { createSandbox } from "../git/git-sandbox.ts";

const FILE = ".ralph/.gitignore";

test("git may take the checkout to a commit with another .gitignore, and files stay out there too", async () => {
  using at = createSandbox();
  const git = createGit(at.project, at.env);
  at.write({ [FILE]: "/runs/\n", "src.txt": "one\n" });
  at.commit();
  at.git("checkout", "--quiet", "-b", "other");
  at.write({ [FILE]: "/runs/\n/logs/\n" });
  at.commit();
  at.git("checkout", "--quiet", "-b", "without");
  at.git("rm", "--quiet", FILE);
  at.git("commit", "--quiet", "-m", "without");
  at.git("checkout", "--quiet", "main");
  at.write({ ".ralph/PROMPT.md": "Work.\n", ".ralph/specs/a [1].md": "a\n" });
  await keepOut(git, [".ralph/PROMPT.md", ".ralph/specs/a [1].md", ".ralph/fix_plan.md"]);
  const seen = () => [at.git("status", "--porcelain", "-uall").trim(), readFileSync(join(at.project, FILE), "utf8")];
  const rules = "# What came along, and is no work of a worker's.\n/PROMPT.md\n/specs/a\\ \\[1].md\n/fix_plan.md\n";
  expect(seen()).toEqual(["", `/runs/\n${rules}`]);
  await withCommittedRules(git, () => git.need(["switch", "--quiet", "other"]));
  expect(seen()).toEqual(["", `/runs/\n/logs/\n${rules}`]);
  await withCommittedRules(git, () => git.need(["switch", "--quiet", "without"]));
  expect(seen()).toEqual(["", expect.stringMatching(/^\/worktrees\/\n[\s\S]*^\/PROMPT\.md\n/m)]);
  await withCommittedRules(git, () => git.need(["switch", "--quiet", "other"]));
  expect(seen()).toEqual(["", `/runs/\n/logs/\n${rules}`]);
});

test("rules that a commit has are not written twice, and nothing is hidden for them", async () => {
  using at = createSandbox();
  const git = createGit(at.project, at.env);
  at.write({ [FILE]: "*\n!.gitignore\n" });
  at.commit();
  at.write({ ".ralph/PROMPT.md": "Work.\n" });
  await keepOut(git, [".ralph/PROMPT.md", ".ralph/fix_plan.md", FILE, "src.txt"]);
  expect(readFileSync(join(at.project, FILE), "utf8")).toBe("*\n!.gitignore\n");
  expect(at.git("ls-files", "-v", FILE)).toStartWith("H ");
});

test.each([
  ["changed", "/runs/\n/theirs/\n"],
  ["deleted", null],
])(
  "a .gitignore that a branch changed and its target %s keeps no work from going on: the target's counts",
  async (_, theirs) => {
    using at = createSandbox();
    const git = createGit(at.project, at.env);
    at.write({ [FILE]: "/runs/\n", "src.txt": "one\n" });
    at.commit();
    at.git("checkout", "--quiet", "-b", "ralph/task");
    at.write({ [FILE]: "/runs/\n/ours/\n", "src.txt": "ours\n" });
    at.commit();
    at.git("checkout", "--quiet", "main");
    if (theirs === null) at.git("rm", "--quiet", FILE);
    at.write({ ...(theirs === null ? {} : { [FILE]: theirs }), "src.txt": "theirs\n" });
    at.commit();
    at.git("checkout", "--quiet", "ralph/task");
    at.write({ ".ralph/PROMPT.md": "Work.\n" });
    await keepOut(git, [".ralph/PROMPT.md"]);
    const marked = await openTaskBranch(git, {
      ...{ branch: "ralph/task", target: "main", hub: at.path(".git"), own: [], builtOn: [] },
      ...{ isReturned: true, isKept: true },
    });
    expect(marked).toEqual(["src.txt"]);
    expect(at.git("status", "--porcelain", "-uall").trim()).toBe("");
    const files = at.git("ls-tree", "-r", "--name-only", "HEAD").split("\n");
    expect(files).toEqual([...(theirs === null ? [] : [FILE]), "src.txt"]);
    if (theirs !== null) expect(at.git("show", `HEAD:${FILE}`)).toBe(theirs.trim());
    expect(readFileSync(join(at.project, FILE), "utf8")).toContain("/PROMPT.md\n");
  },
);
