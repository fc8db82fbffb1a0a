import { expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { commitAll } from "../../../src/effects/git/commit-all.ts";
import { createGit } from "../../../src/effects/git/git-program.ts";
import { isAlive } from "../../../src/effects/process-tree/process-tree.ts";
import { createSandbox, type Sandbox } from "./git-sandbox.ts";

const gitOf = ({ project, env }: Sandbox, more: Record<string, string> = {}) => createGit(project, { ...env, ...more });

function hook({ path, write }: Sandbox, name: string, script: string): void {
  write({ [`.git/hooks/${name}`]: `#!/bin/sh\n${script}\n` });
  chmodSync(path(".git", "hooks", name), 0o755);
}

test("commits what is changed, new and deleted, and leaves what is ignored", async () => {
  using repo = createSandbox();
  repo.write({ "a.txt": "1", "gone.txt": "1", ".gitignore": "*.log\n" });
  const before = repo.commit();
  repo.write({ "a.txt": "2", "sub/new file.txt": "ä", "x.log": "log" });
  repo.git("rm", "--quiet", "--cached", "gone.txt");
  const id = await commitAll(gitOf(repo), "feat: more\n\n# a line that stays\n");
  expect(repo.git("rev-parse", "HEAD")).toBe(id ?? "");
  expect(repo.git("rev-parse", "HEAD^")).toBe(before);
  expect(repo.git("log", "-1", "--format=%B")).toBe("feat: more\n\n# a line that stays");
  expect(repo.git("show", "--name-status", "--format=", "-z", "HEAD").split("\0")).toEqual([
    "M",
    "a.txt",
    "A",
    "sub/new file.txt",
    "",
  ]);
  expect(repo.status()).toEqual([]);
});

test("makes no commit of nothing, and the first one of a new repository", async () => {
  using repo = createSandbox();
  expect(await commitAll(gitOf(repo), "none")).toBeNull();
  repo.write({ "a.txt": "1" });
  const id = await commitAll(gitOf(repo), "first");
  expect(repo.git("log", "--format=%H %s")).toBe(`${id} first`);
  expect(await commitAll(gitOf(repo), "none")).toBeNull();
});

test("commits the whole repository from a project below its root", async () => {
  using repo = createSandbox();
  repo.write({ "app/a.txt": "1", "outside.txt": "1" });
  await commitAll(createGit(repo.path("app"), repo.env), "all");
  expect(repo.git("ls-files").split("\n")).toEqual(["app/a.txt", "outside.txt"]);
});

test("in a sparse checkout what was written beside it is committed, and what it leaves out stays", async () => {
  using repo = createSandbox();
  repo.write({ "in/a.txt": "1", "out/b.txt": "1", "out/c.txt": "1" });
  repo.commit();
  repo.git("sparse-checkout", "set", "in");
  repo.write({ "in/a.txt": "2", "in/new.txt": "2", "out/new.txt": "2", "out/b.txt": "2" });
  await commitAll(gitOf(repo), "work");
  const changed = repo.git("diff", "--name-status", "HEAD~1", "HEAD").split("\n");
  expect(changed).toEqual(["M\tin/a.txt", "A\tin/new.txt", "M\tout/b.txt", "A\tout/new.txt"]);
  expect(repo.git("status", "--porcelain")).toBe("");
});

test("a repository in the repository stays out, with commits and without", async () => {
  using repo = createSandbox();
  repo.write({ "a.txt": "1", "own[1]/b.txt": "1", "empty/c.txt": "1" });
  repo.gitIn(repo.path("own[1]"), "init", "--quiet");
  repo.gitIn(repo.path("own[1]"), "add", ".");
  repo.gitIn(repo.path("own[1]"), "commit", "--quiet", "--message", "x");
  repo.gitIn(repo.path("empty"), "init", "--quiet");
  await commitAll(gitOf(repo), "all");
  expect(repo.git("ls-files")).toBe("a.txt");
});

test("the hooks run as for a person, and one that refuses is told with its output", async () => {
  using repo = createSandbox();
  hook(repo, "commit-msg", `echo "Checked-by: hook" >> "$1"`);
  repo.write({ "a.txt": "1" });
  await commitAll(gitOf(repo), "one");
  expect(repo.git("log", "-1", "--format=%B")).toContain("Checked-by: hook");

  hook(repo, "pre-commit", "echo no tabs please >&2; exit 3");
  repo.write({ "a.txt": "2" });
  const refused = commitAll(gitOf(repo), "two");
  expect(refused).rejects.toThrow("A hook (pre-commit, commit-msg) refused the commit: no tabs please");
  await refused.catch(() => {});
  expect(readFileSync(repo.path("a.txt"), "utf8")).toBe("2");
  expect(repo.git("rev-list", "--count", "HEAD")).toBe("1");
});

test("without an identity ralph's stands in, unless the user wants none", async () => {
  using repo = createSandbox();
  const nobody = Object.fromEntries(Object.entries(repo.env).filter(([name]) => !/AUTHOR|COMMITTER/.test(name)));
  // git may make up an identity of the machine's names, so one that cannot stands before it.
  repo.write({ "../bin/git": `#!/bin/sh\n[ "$1$3" = -cvar ] && exit 128\nPATH=\${PATH#*:} exec git "$@"\n` });
  chmodSync(repo.path("..", "bin", "git"), 0o755);
  const git = createGit(repo.project, { ...nobody, PATH: `${repo.path("..", "bin")}:${repo.env.PATH}` });
  repo.git("config", "user.name", "Jo");
  repo.git("config", "user.useConfigOnly", "true");
  repo.write({ "a.txt": "1" });
  expect(commitAll(git, "one")).rejects.toThrow("git does not know who you are");
  repo.git("config", "user.useConfigOnly", "false");
  await commitAll(git, "one");
  expect(repo.git("log", "-1", "--format=%an <%ae> %cn <%ce>")).toBe("Jo <ralph@localhost> Jo <ralph@localhost>");
});

test("the marks of a conflict are not committed", async () => {
  using repo = createSandbox();
  repo.write({ "a.txt": "base\n" });
  repo.commit("base");
  repo.git("switch", "--quiet", "--create", "other");
  repo.write({ "a.txt": "theirs\n" });
  repo.commit("theirs");
  repo.git("switch", "--quiet", "main");
  repo.write({ "a.txt": "ours\n" });
  const head = repo.commit("ours");
  expect(() => repo.git("merge", "other")).toThrow();
  expect(commitAll(gitOf(repo), "half")).rejects.toThrow("a git merge is under way");
  expect(repo.git("rev-parse", "HEAD")).toBe(head);
  expect(repo.git("ls-files", "--unmerged")).not.toBe("");
});

test("a stop ends the hook that hangs with everything it started", async () => {
  using repo = createSandbox();
  hook(repo, "pre-commit", "sleep 600 & echo $! > ../child; wait");
  repo.write({ "a.txt": "1" });
  const stop = new AbortController();
  const made = commitAll(gitOf(repo), "one", { signal: stop.signal });
  const child = repo.path("..", "child");
  while (!existsSync(child) || readFileSync(child, "utf8") === "") await Bun.sleep(5);
  const pid = Number(readFileSync(child, "utf8"));
  stop.abort();
  expect(made).rejects.toThrow("it was stopped");
  await made.catch(() => {});
  expect(isAlive(pid, null)).toBe(false);
  expect(existsSync(repo.path(".git", "index.lock"))).toBe(false);
});

test("outside a repository it says so", async () => {
  using plain = createSandbox("plain");
  expect(commitAll(gitOf(plain), "x")).rejects.toThrow("not a git repository");
});
