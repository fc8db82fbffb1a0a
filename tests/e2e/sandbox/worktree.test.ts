/** A sandboxed run in a worktree: it commits there, and touches neither the project nor another worktree. */
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { cleanUp } from "../support/harness.ts";
import { engines } from "./engines.ts";
import { sandboxedProject } from "./sandboxed-project.ts";

afterAll(cleanUp);

const script = `echo b > src/a.txt; git add -A; git commit -qm work
common=$(git rev-parse --git-common-dir)
for path in "$common/worktrees/other/HEAD" "$common/hooks/post-commit" "$common/../src/a.txt" "$common/../.ralph/worktrees/other/src/a.txt"
do (echo "ref: refs/heads/main" > "$path") 2>/dev/null; done
`;

describe.each(engines)("a sandboxed run in a worktree of $name", ({ flags, env }) => {
  test("commits on its branch, and changes nothing else", async () => {
    const made = sandboxedProject("true\n", env);
    const git = (...argv: string[]) =>
      Bun.spawnSync(["git", ...argv], { cwd: made.dir, env: made.env })
        .stdout.toString()
        .trim();
    const run = (name: string) => made.ralph("run", "--trust", `--worktree=${name}`, "--max-iterations", "1", ...flags);
    expect((await run("other")).exit).toBe(4);
    made.write("probe.sh", script);
    git("commit", "-qam", "probe");
    const before = git("rev-parse", "ralph/other");
    expect(await run("login")).toMatchObject({ exit: 4 });
    expect(git("log", "-1", "--format=%s", "ralph/login")).toBe("work");
    const other = join(made.dir, ".ralph/worktrees/other");
    expect(git("-C", other, "rev-parse", "HEAD")).toBe(before);
    expect(git("-C", other, "symbolic-ref", "HEAD")).toBe("refs/heads/ralph/other");
    expect(made.has(".git/hooks/post-commit")).toBe(false);
    expect(made.read("src/a.txt")).toBe("a\n");
    expect(made.read(".ralph/worktrees/other/src/a.txt")).toBe("a\n");
    // Nor does a run in the project itself.
    expect((await made.ralph("run", "--trust", "--max-iterations", "1", ...flags)).exit).toBe(4);
    expect(git("-C", other, "symbolic-ref", "HEAD")).toBe("refs/heads/ralph/other");
    expect(git("-C", other, "status", "--porcelain", "-uno")).toBe("");
  });
});
