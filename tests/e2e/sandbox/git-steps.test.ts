/** What an agent that is shut in writes for git, before ralph commits and rebases outside. */
import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { git } from "../support/git.ts";
import { cleanUp, type Project } from "../support/harness.ts";
import { until } from "../support/until.ts";
import { engines } from "./engines.ts";
import { sandboxedProject } from "./sandboxed-project.ts";

afterAll(cleanUp);

const WORK = "echo more >> src/a.txt\n";
/** A program beside the project; only outside can one leave its mark there. */
const TRIP = '#!/bin/sh\\ntouch "$OUT/tripped"\\n';
const trips = (file: string) => `printf '${TRIP}' > ${file}; chmod +x ${file}\n`;

type Shut = Project & { out: string };

async function commits(made: Shut, flags: readonly string[], ...more: string[]): Promise<string[]> {
  const env = { ...made.env, OUT: made.out };
  const { exit, stderr } = await Object.assign(made, { env }).ralph(
    ...["run", "--max-iterations", "1", "--trust", "--commit", ...more, ...flags],
  );
  expect([exit, stderr]).toEqual([4, ""]);
  return made.events().flatMap((event) => (event.type === "git_step" ? [`${event.step} ${event.result}`] : []));
}

describe.each(engines)("from a sandbox of $name", ({ flags, env }) => {
  const shut = (script: string): Shut => {
    // A container does not have the variables of the machine outside.
    const made = sandboxedProject(`OUT=\${PWD%/*}\n${script}`, env);
    made.env.OUT = made.out;
    return made;
  };

  test.each([
    ["that is there", "hooks/pre-commit", true],
    ["that is not there yet", "tools/hooks/pre-commit", false],
  ])("no hook is left in a folder of the project %s, where git looks for hooks", async (_, hook, isThere) => {
    const folder = hook.slice(0, hook.lastIndexOf("/"));
    const made = shut(`mkdir -p ${folder}; ${trips(hook)}${WORK}`);
    if (isThere) {
      made.write(hook, '#!/bin/sh\ntouch "$OUT/checked"\n');
      chmodSync(made.path(hook), 0o755);
      git(made, "add", "-A");
      git(made, "commit", "-qm", "hooks");
    }
    git(made, "config", "core.hooksPath", folder);
    expect(await commits(made, flags)).toEqual(["commit done"]);
    expect([made.has("../tripped"), made.has("../checked")]).toEqual([false, isThere]);
  });

  test("no settings are left in a file of the project that git's settings include, nor in a program that they name", async () => {
    const made = shut(
      `printf '[core]\\n\\tfsmonitor = "touch $OUT/tripped; false"\\n' >> shared.cfg; ${trips("tools/clean.sh")}${WORK}`,
    );
    made.write("shared.cfg", "[user]\n\tname = Team\n");
    made.write("tools/clean.sh", "#!/bin/sh\ncat\n");
    made.write(".gitattributes", "src/* filter=clean\n");
    chmodSync(made.path("tools/clean.sh"), 0o755);
    git(made, "add", "-A");
    git(made, "commit", "-qm", "settings");
    git(made, "config", "include.path", "../shared.cfg");
    git(made, "config", "filter.clean.clean", "sh tools/clean.sh");
    expect(await commits(made, flags)).toEqual(["commit done"]);
    expect(made.has("../tripped")).toBe(false);
  });

  test.each([
    ["what git writes a message to", "COMMIT_EDITMSG", "mine"],
    ["a log of git's", "logs/HEAD", "mine"],
    ["a folder of logs", "logs", "made"],
    ["a list that git reads", "packed-refs", "mine"],
  ])("no link is left in the repository by which git would read or write outside: %s", async (_, name, to) => {
    const made = shut(`rm -rf .git/${name}; ln -s "$OUT/${to}" .git/${name}; ls -l .git .git/logs > seen; ${WORK}`);
    made.write("../mine", "MINE\n");
    mkdirSync(made.path("../made"));
    expect(await commits(made, flags)).toEqual(["commit done"]);
    expect(made.read("seen")).toContain("->");
    expect([made.read("../mine"), readdirSync(made.path("../made"))]).toEqual(["MINE\n", []]);
    expect(JSON.stringify(made.events())).not.toContain("MINE");
  });

  test("no repository is left in the project that git would look into as a submodule", async () => {
    const nested = (name: string) =>
      `git init -q ${name}; (cd ${name}; echo x > x; git add x; git commit -qm x); git add ${name} 2>/dev/null; git -C ${name} config core.fsmonitor 'touch "$OUT/tripped"; false'\n`;
    const made = shut(`${WORK}${nested("new")}rm -rf old/.git; ${nested("old")}`);
    git(made, "init", "-q", "old");
    git(made, "-C", "old", "commit", "-q", "--allow-empty", "-m", "old");
    git(made, "-c", "advice.addEmbeddedRepo=false", "add", "old");
    git(made, "commit", "-qm", "a submodule");
    expect(await commits(made, flags)).toEqual(["commit done"]);
    git(made, "status");
    expect([made.has("../tripped"), made.has("old/.git/HEAD"), made.has("new/.git")]).toEqual([false, true, false]);
  });

  test("no settings, hooks or links are left in a repository that the agent made where none was", async () => {
    const hook = ".git/hooks/pre-commit";
    const made = shut(
      `[ -e made ] || { ${WORK}touch made; git init -q; git config core.fsmonitor 'touch "$OUT/tripped"; false'; mkdir -p .git/hooks; ${trips(hook)}git add -A; git commit -qnm mine; ln -sf "$OUT/mine" .git/COMMIT_EDITMSG; ls -l .git > seen; }\n${WORK}`,
    );
    rmSync(made.path(".git"), { recursive: true });
    made.write("../mine", "MINE\n");
    const first = await made.ralph("run", "--max-iterations", "1", "--trust", ...flags);
    expect([first.exit, made.read("seen").includes("->"), made.has(".git/HEAD")]).toEqual([4, true, true]);
    await made.ralph("run", "--max-iterations", "1", "--trust", "--commit", ...flags);
    expect([made.event("git_step")?.result, made.has("../tripped"), made.read("../mine")]).toEqual([
      "done",
      false,
      "MINE\n",
    ]);
  });

  test("what somebody outside makes in the repository meanwhile stays", async () => {
    const made = shut(`touch begun; while [ ! -e go ]; do sleep 0.05; done; ${WORK}`);
    const kept = [".git/modules/lib/HEAD", ".git/hooks/post-commit"];
    // As an earlier call leaves a repository that its agent made.
    for (const name of ["hooks", "config"]) rmSync(made.path(`.git/${name}`), { recursive: true });
    const running = made.ralph("run", "--max-iterations", "1", "--trust", ...flags);
    await until("the agent works", () => made.has("begun"));
    for (const name of kept) made.write(name, "");
    git(made, "remote", "add", "mine", "elsewhere");
    made.write("go", "");
    expect((await running).exit).toBe(4);
    expect(kept.filter((name) => !made.has(name))).toEqual([]);
    expect(made.read(".git/config")).toContain("elsewhere");
  });

  test("no command is left in a rebase that goes on outside", async () => {
    const resolves =
      "echo both > src/a.txt; git add src/a.txt; echo 'exec touch \"$OUT/tripped\"' >> .git/rebase-merge/git-rebase-todo";
    const made = shut(`if [ -d .git/rebase-merge ]; then ${resolves}; else ${WORK}fi\n`);
    git(made, "switch", "-qc", "base");
    made.write("src/a.txt", "theirs\n");
    git(made, "commit", "-qam", "theirs");
    git(made, "switch", "-q", "-");
    expect(await commits(made, flags, "--rebase-on", "base")).toEqual([
      "commit done",
      "rebase begun",
      "rebase conflict",
      "rebase failed",
    ]);
    expect(made.event("git_step")?.text).toContain("names a command to run");
    expect(made.has("../tripped")).toBe(false);
  });
});
