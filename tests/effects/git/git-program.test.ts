import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { createGit, gitError } from "../../../src/effects/git/git-program.ts";
import { until } from "../../e2e/support/until.ts";
import { createSandbox } from "./git-sandbox.ts";

test("a git that takes too long is ended with its helpers, and says so", async () => {
  using repo = createSandbox();
  repo.git("config", "alias.hang", "!echo begun; sleep 600");
  const result = await createGit(repo.project, repo.env).run(["hang"], { timeoutMs: 500 });
  expect(result).toEqual({ code: null, stdout: "begun\n", stderr: "", ended: "timed_out" });
});

test("a git that only looks writes nothing, and so leaves no lock if it is killed", async () => {
  using repo = createSandbox();
  repo.write({ "a.txt": "1\n" });
  repo.commit();
  utimesSync(repo.path("a.txt"), 1, 1);
  const before = readFileSync(repo.path(".git", "index"));
  expect((await createGit(repo.project, repo.env).run(["status", "--porcelain"])).stdout).toBe("");
  expect(readFileSync(repo.path(".git", "index")).equals(before)).toBe(true);
});

test.skipIf(process.platform === "win32").each(["SIGINT", "SIGTERM"] as const)(
  "a git that writes the index leaves no lock when %s ends the program that called it",
  async (signal) => {
    using repo = createSandbox();
    repo.write({ "a.txt": "1\n" });
    repo.commit();
    mkdirSync(repo.path("new"));
    // Its rules never come, so git is at work for ever.
    expect(Bun.spawnSync(["mkfifo", repo.path("new", ".gitignore")]).exitCode).toBe(0);
    const module = join(import.meta.dirname, "../../../src/effects/git/git-program.ts");
    const program = `const { createGit } = await import(${JSON.stringify(module)});
await createGit(${JSON.stringify(repo.project)}, process.env).run(["add", "--all"]);`;
    const caller = Bun.spawn([process.execPath, "-e", program], { env: repo.env });
    await until("git has locked the index", () => existsSync(repo.path(".git", "index.lock")));
    caller.kill(signal);
    await caller.exited;
    expect(caller.signalCode).toBe(signal);
    expect(existsSync(repo.path(".git", "index.lock"))).toBe(false);
  },
);

test("a signal that has aborted before starts no git", async () => {
  using repo = createSandbox();
  const result = await createGit(repo.project, repo.env).run(["init", "new"], { signal: AbortSignal.abort() });
  expect(result).toEqual({ code: null, stdout: "", stderr: "", ended: "stopped" });
  expect(() => repo.gitIn(repo.path("new"), "status")).toThrow();
});

test("once ralph is stopped, a git that hangs has some seconds more, and what clears up works", async () => {
  using repo = createSandbox();
  repo.git("config", "alias.hang", "!touch begun; sleep 600");
  const stop = new AbortController();
  const git = createGit(repo.project, repo.env, stop.signal);
  const hung = git.run(["hang"]);
  await until("it has begun", () => existsSync(repo.path("begun")));
  stop.abort();
  expect(await hung).toMatchObject({ code: null, ended: "stopped" });
  expect((await git.run(["symbolic-ref", "HEAD"])).stdout).toBe("refs/heads/main\n");
  expect(await git.run(["hang"])).toMatchObject({ code: null, ended: "stopped" });
  expect(process.listenerCount("exit")).toBe(0);
}, 30_000);

test("what a hook leaves running does not hold the call open", async () => {
  using repo = createSandbox();
  repo.write({ ".git/hooks/post-commit": "#!/bin/sh\nsleep 60 &\n" });
  chmodSync(repo.path(".git", "hooks", "post-commit"), 0o755);
  const began = performance.now();
  const result = await createGit(repo.project, repo.env).run(["commit", "--allow-empty", "-qm", "x"], { hooks: true });
  expect(result.code).toBe(0);
  expect(performance.now() - began).toBeLessThan(45_000);
});

test("hooks run only where they are wanted", async () => {
  using repo = createSandbox();
  repo.write({ ".git/hooks/pre-commit": "#!/bin/sh\nexit 1\n" });
  chmodSync(repo.path(".git", "hooks", "pre-commit"), 0o755);
  const git = createGit(repo.project, repo.env);
  expect((await git.run(["commit", "--allow-empty", "-qm", "x"], { hooks: true })).code).toBe(1);
  expect((await git.run(["commit", "--allow-empty", "-qm", "x"])).code).toBe(0);
});

test("a folder that only looks like a repository is refused, and its settings are not obeyed", async () => {
  using repo = createSandbox();
  repo.write({
    "app/HEAD": "ref: refs/heads/main\n",
    "app/objects/x": "",
    "app/refs/x": "",
    "app/config":
      '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = "."\n\tfsmonitor = "touch obeyed; false"\n',
  });
  const { code, stderr } = await createGit(repo.path("app"), repo.env).run(["status"]);
  expect([code, stderr]).toEqual([128, expect.stringContaining("safe.bareRepository")]);
  expect(existsSync(repo.path("app", "obeyed"))).toBe(false);
});

test("a folder that is gone and a missing git are told apart", async () => {
  using repo = createSandbox();
  mkdirSync(repo.path("sub"));
  const gone = createGit(repo.path("sub"), repo.env);
  rmSync(repo.path("sub"), { recursive: true });
  expect(gone.run(["status"])).rejects.toThrow("the folder does not exist");
  expect(createGit(repo.project, { ...repo.env, PATH: "/nonexistent" }).run(["status"])).rejects.toThrow(
    "which is not installed",
  );
});

test("an error names the command and not an option's value", () => {
  const result = { code: 1, stdout: "", stderr: "fatal: no\u001b[31m" };
  expect(gitError(["-c", "user.name=x", "-C", "/x", "push", "origin"], result).message).toStartWith(
    "`git push` failed: fatal: no",
  );
});

test("a git that gave no answer is named, and what may hold it up", () => {
  const error = gitError(["status", "--porcelain"], { code: null, stdout: "", stderr: "", ended: "timed_out" });
  expect(error.message).toBe("`git status` failed: it took too long and was ended");
  expect(error.hint).toContain("a named pipe in place of a .gitattributes");
});

test.each([
  ["fatal: a b.bin: smudge filter lfs failed", "smudge"],
  ["fatal: a b.bin: clean filter 'lfs' failed", "clean"],
])("a filter that failed is named with the file and what it said: %s", (said) => {
  const stderr = `no such content\nerror: external filter 'git-lfs filter-process' failed\n${said}\n`;
  const error = gitError(["add"], { code: 128, stdout: "", stderr });
  expect(error.message).toBe("The filter lfs, which the repository requires, failed on a b.bin: no such content");
  expect(error.hint).toContain("git config --get-regexp '^filter\\.lfs\\.'");
});

test("a worktree of ralph's whose files were removed is in no repository, and not in the project's", async () => {
  using repo = createSandbox();
  repo.write({ "a.txt": "1\n" });
  repo.commit();
  const dir = repo.path(".ralph", "worktrees", "w1");
  repo.git("worktree", "add", "--quiet", dir);
  mkdirSync(`${dir}/app`);
  expect((await createGit(`${dir}/app`, repo.env).run(["rev-parse", "--show-prefix"])).stdout).toBe("app/\n");
  rmSync(`${dir}/.git`);
  repo.write({ "a.txt": "mine\n" });
  const env = { ...repo.env, GIT_CEILING_DIRECTORIES: "/elsewhere" };
  for (const where of [dir, `${dir}/app`]) {
    const { code, stderr } = await createGit(where, env).run(["commit", "--quiet", "--all", "--message", "not here"]);
    expect([code, stderr]).toEqual([128, expect.stringContaining("not a git repository")]);
  }
  expect(repo.status()).toContain("a.txt");
});
