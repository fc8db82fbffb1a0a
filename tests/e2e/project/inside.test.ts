/** Work inside a submodule, and inside a repository in the project: what a user meets of it. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answer } from "../support/answers.ts";
import { git } from "../support/git.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";

afterAll(cleanUp);

const gitIn = ({ dir, env }: Project, folder: string, ...words: string[]) =>
  git({ dir: join(dir, folder), env }, ...words);

const steps = [1, 2, 3, 4].map((nth) => ({
  files: { [`inside/${nth}.c`]: `int n${nth};\n`, "inside/lib.c": `int x = ${nth};\n` },
  stdout: answer(),
}));

function made(asSubmodule: boolean): Project {
  const at = project({ git: true, steps, files: { ".ralph/PROMPT.md": "Work on inside.\n", "a.txt": "0\n" } });
  const folder = join(at.dir, "inside");
  mkdirSync(folder);
  at.write("inside/lib.c", "int x;\n");
  gitIn(at, "inside", "init", "--quiet");
  gitIn(at, "inside", "add", "--all");
  gitIn(at, "inside", "commit", "--quiet", "--message", "one");
  if (!asSubmodule) return at;
  gitIn(at, "", "-c", "advice.addEmbeddedRepo=false", "add", "inside");
  gitIn(at, "", "commit", "--quiet", "--message", "a submodule");
  return at;
}

describe.each([
  ["a submodule", true],
  ["a repository in the project", false],
])("work in %s", (_, asSubmodule) => {
  test("is progress, is told, and can be undone", async () => {
    const at = made(asSubmodule);
    const { exit } = await at.ralph("run", "--max-iterations", "4");
    expect(exit).toBe(4);
    const changed = at
      .events()
      .flatMap((event) => (event.type === "iteration_finished" ? [event.evidence.files_changed] : []));
    expect(changed).toEqual([1, 2, 3, 4].map((nth) => [`inside/${nth}.c`, "inside/lib.c"]));
    const diff = await at.ralph("diff", "--iteration", "4");
    expect(diff.stdout).toContain("inside/4.c");
    expect(diff.stdout).toContain("-int x = 3;");
    expect((await at.ralph("diff", "3..")).stdout).toContain("+int x = 4;");
    const undo = await at.ralph("undo", "2");
    expect(undo.exit).toBe(0);
    expect([at.read("inside/lib.c"), at.has("inside/1.c"), at.has("inside/2.c")]).toEqual([
      "int x = 1;\n",
      true,
      false,
    ]);
    expect(gitIn(at, "", "fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");
  });

  test("that is committed there is headway, as a commit of the project's is; going to another commit is none", async () => {
    for (const [work, exit] of [
      ["echo '//' >> lib.c; git commit -qam work", 4],
      ["git checkout -q HEAD~1", 3],
    ] as const) {
      const at = made(asSubmodule);
      for (const nth of [1, 2, 3, 4, 5, 6])
        gitIn(at, "inside", "commit", "--quiet", "--allow-empty", "-m", `more ${nth}`);
      at.write(".ralph/fix_plan.md", "- [ ] all of it\n");
      const agent = join(at.dir, "..", "agent.sh");
      const said = `test "$1" = --version && { echo "2.1.197 (Claude Code)"; exit; }`;
      writeFileSync(agent, `#!/bin/sh\n${said}\n(cd inside; ${work})\ncat <<'END'\n${answer()}\nEND\n`, {
        mode: 0o755,
      });
      at.env.CLAUDE_CODE_CMD = agent;
      at.env.NO_HEADWAY_THRESHOLD = "3";
      expect((await at.ralph("run", "--max-iterations", "5")).exit).toBe(exit);
    }
  });
});
