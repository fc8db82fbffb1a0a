/** Worktrees by the real git: what is made, what comes along, what is refused. */
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectTitle } from "../../../src/core/project-name.ts";
import { removeWorktree } from "../../../src/effects/worktrees/remove.ts";
import { listWorktrees, ownerOf, worktreeEnv } from "../../../src/effects/worktrees/worktrees.ts";
import { refusal, worktreeSandbox } from "./worktree-sandbox.ts";

const text = (...path: string[]) => readFileSync(join(...path), "utf8");
/** What `git worktree list` knows, without the project itself. */
const known = (at: ReturnType<typeof worktreeSandbox>) =>
  at.git("worktree", "list", "--porcelain").split("\n\n").length - 1;

describe("a worktree", () => {
  test("is a checkout of a branch of its own, below .ralph, and git does not see it", async () => {
    using at = worktreeSandbox();
    const base = at.commit();
    const made = await at.open("login");
    expect(made).toMatchObject({
      name: "login",
      root: at.path(".ralph", "worktrees", "login"),
      project: at.path(".ralph", "worktrees", "login"),
      branch: "ralph/login",
      ready: true,
    });
    expect(at.gitIn(made.root, "symbolic-ref", "--short", "HEAD")).toBe("ralph/login");
    expect(at.gitIn(made.root, "rev-parse", "HEAD")).toBe(base);
    expect(at.gitIn(made.root, "status", "--porcelain")).toBe("");
    expect(at.status()).toEqual([]);
    expect(at.git("rev-parse", "--abbrev-ref", "HEAD")).toBe("main");
    expect(listWorktrees(at.project)).toEqual([made]);
  });

  test("knows its owner, its title and its ports, which no folder of that name elsewhere does", async () => {
    using at = worktreeSandbox();
    at.commit();
    const { project, portBase } = await at.open("login");
    expect(ownerOf(project)).toBe(at.project);
    expect(projectTitle(project)).toBe("project/login");
    expect(worktreeEnv(project)).toEqual({ RALPH_WORKTREE: "login", RALPH_PORT_BASE: String(portBase) });
    const stray = at.path(".ralph", "worktrees", "stray");
    mkdirSync(stray);
    for (const other of [at.project, stray]) {
      expect(ownerOf(other)).toBe(other);
      expect(worktreeEnv(other)).toEqual({});
    }
  });

  test("that is there already is found as it was left", async () => {
    using at = worktreeSandbox();
    at.commit();
    const made = await at.open("login", { setup: "echo once >> set-up.txt" });
    writeFileSync(join(made.project, "src.txt"), "mine\n");
    at.said.length = 0;
    expect(await at.open("login", { setup: "echo twice >> set-up.txt" })).toEqual(made);
    expect(text(made.project, "src.txt")).toBe("mine\n");
    expect(text(made.project, "set-up.txt")).toBe("once\n");
    expect(at.said).toEqual([]);
  });

  test("of a project below the root of its repository holds that project at the same place", async () => {
    using at = worktreeSandbox();
    at.write({ "apps/web/index.html": "hello\n", "apps/web/.ralph/PROMPT.md": "Web.\n" });
    at.commit();
    const made = await at.open("web", { project: at.path("apps", "web") });
    expect(made.root).toBe(at.path("apps", "web", ".ralph", "worktrees", "web"));
    expect(made.project).toBe(join(made.root, "apps", "web"));
    expect(text(made.project, "index.html")).toBe("hello\n");
    expect(text(made.project, ".ralph", "PROMPT.md")).toBe("Web.\n");
    expect(ownerOf(made.project)).toBe(at.path("apps", "web"));
    expect(ownerOf(made.root)).toBe(made.root);
    expect(at.status()).toEqual([]);
  });

  test("begins from the commit of a detached HEAD, or from a branch that is named", async () => {
    using at = worktreeSandbox();
    const first = at.commit();
    at.write({ "src.txt": "two\n" });
    const second = at.commit();
    at.git("checkout", "--quiet", "--detach", first);
    const head = async (name: string, base?: string) =>
      at.gitIn((await at.open(name, base === undefined ? {} : { base })).root, "rev-parse", "HEAD");
    expect(await head("a")).toBe(first);
    expect(await head("b", "main")).toBe(second);
  });

  test("may take up a branch that is named and exists", async () => {
    using at = worktreeSandbox();
    const base = at.commit();
    at.git("branch", "feature/x");
    const made = await at.open("x", { branch: "feature/x" });
    expect(made.branch).toBe("feature/x");
    expect(at.gitIn(made.root, "rev-parse", "--abbrev-ref", "HEAD")).toBe("feature/x");
    expect(at.git("rev-parse", "feature/x")).toBe(base);
  });

  test("without a name gets a short one that is free", async () => {
    using at = worktreeSandbox();
    at.commit();
    at.git("branch", "ralph/elm");
    const names = await Promise.all([at.open(null), at.open(null), at.open(null)]).then((all) =>
      all.map(({ name }) => name),
    );
    expect(new Set(names).size).toBe(3);
    expect(names).not.toContain("elm");
    expect(names).toContain("oak");
  });

  // Windows starts no script under the name of a program.
  test.skipIf(process.platform === "win32")(
    "without a name takes the next one where another ralph is faster",
    async () => {
      using at = worktreeSandbox();
      at.commit();
      const bin = join(at.folder, "bin");
      mkdirSync(bin);
      const real = Bun.which("git");
      // The branch appears after those that exist were listed.
      const script = [
        "#!/bin/sh",
        `case "$*" in *"check-ref-format --branch ralph/oak"*) ${real} branch ralph/oak;; esac`,
        `exec ${real} "$@"`,
      ];
      writeFileSync(join(bin, "git"), `${script.join("\n")}\n`, { mode: 0o755 });
      const { name } = await at.open(null, { env: { ...at.env, PATH: `${bin}:${at.env.PATH}` } });
      expect(name).toBe("elm");
    },
  );

  test("is made and removed in a repository with sha256, with sparse checkout, and shallow", async () => {
    using at = worktreeSandbox();
    at.write({ "deep/a.txt": "a\n", "other/b.txt": "b\n" });
    at.commit();
    at.commit();
    const from = `file://${at.project}`;
    at.gitIn(at.folder, "clone", "--quiet", "--depth=1", from, "shallow");
    at.gitIn(at.folder, "clone", "--quiet", "--sparse", from, "sparse");
    at.gitIn(at.folder, "init", "--quiet", "--object-format=sha256", "long");
    writeFileSync(join(at.folder, "long", "src.txt"), "one\n");
    at.gitIn(join(at.folder, "long"), "add", "-A");
    at.gitIn(join(at.folder, "long"), "commit", "--quiet", "-m", "first");
    for (const name of ["shallow", "sparse", "long"]) {
      const project = join(at.folder, name);
      const { root } = await at.open("x", { project });
      expect(text(root, "src.txt")).toBe("one\n");
      const { checkpoint } = await removeWorktree({ project, name: "x", force: false, env: at.env });
      expect(at.gitIn(project, "show", `${checkpoint}:src.txt`)).toBe("one");
      at.gitIn(project, "fsck", "--strict");
    }
  });

  test.each([["made anew"], ["removed"]])("whose git was killed while it made it is %s", async (how) => {
    using at = worktreeSandbox();
    at.commit();
    const { root } = await at.open("login");
    const record = at.path(".ralph/worktrees/.records/login.json");
    writeFileSync(record, readFileSync(record, "utf8").replace('"ready"', '"making"'));
    at.write({ ".git/worktrees/login/commondir": "", ".git/worktrees/login/locked": "initializing" });
    if (how === "removed") await removeWorktree({ project: at.project, name: "login", force: false, env: at.env });
    else expect(text((await at.open("login")).project, "src.txt")).toBe("one\n");
    expect([existsSync(root), known(at)]).toEqual(how === "removed" ? [false, 0] : [true, 1]);
  });

  test("that somebody deleted is made again on its branch", async () => {
    using at = worktreeSandbox();
    at.commit();
    const made = await at.open("login");
    writeFileSync(join(made.project, "new.txt"), "work\n");
    at.gitIn(made.root, "add", "-A");
    at.gitIn(made.root, "commit", "--quiet", "-m", "work");
    rmSync(made.root, { recursive: true });
    expect(await at.open("login")).toEqual(made);
    expect(text(made.project, "new.txt")).toBe("work\n");
    expect(known(at)).toBe(1);
  });

  test("that somebody moved away is refused while its branch is checked out there, and made again afterwards", async () => {
    using at = worktreeSandbox();
    at.commit();
    const made = await at.open("login");
    at.gitIn(made.root, "commit", "--quiet", "--allow-empty", "-m", "work");
    const tip = at.git("rev-parse", "ralph/login");
    const elsewhere = join(at.folder, "elsewhere");
    at.git("worktree", "move", made.root, elsewhere);
    for (const _ of [1, 2])
      expect(await refusal(at.open("login"))).toBe(`The branch ralph/login is checked out in ${elsewhere}.`);
    expect(at.gitIn(elsewhere, "symbolic-ref", "--short", "HEAD")).toBe("ralph/login");
    at.git("worktree", "remove", "--force", elsewhere);
    expect(await at.open("login")).toEqual(made);
    expect(at.gitIn(made.root, "rev-parse", "HEAD")).toBe(tip);
  });

  test("that cannot be made again is known still, with its branch", async () => {
    using at = worktreeSandbox();
    at.write({ ".gitattributes": "*.bin filter=broken\n" });
    at.commit();
    const made = await at.open("login");
    writeFileSync(join(made.root, "a.bin"), "a\n");
    at.gitIn(made.root, "add", "-A");
    at.gitIn(made.root, "commit", "--quiet", "-m", "work");
    rmSync(made.root, { recursive: true });
    at.git("config", "filter.broken.smudge", "false");
    at.git("config", "filter.broken.required", "true");
    for (const _ of [1, 2]) expect(await refusal(at.open("login"))).toContain("git cannot make the worktree login: ");
    expect(listWorktrees(at.project).map(({ name }) => name)).toEqual(["login"]);
    at.git("config", "--unset", "filter.broken.required");
    expect(await at.open("login")).toEqual(made);
    expect(text(made.project, "a.bin")).toBe("a\n");
  });
});

describe("into a worktree come", () => {
  test("prompts, plan, settings, agent file and specs, ignored or not, and nothing that ralph writes at run time", async () => {
    using at = worktreeSandbox();
    at.write({ ".gitignore": "/.ralph\n.env*\n" });
    at.git("add", ".gitignore", "src.txt");
    at.git("commit", "--quiet", "-m", "first");
    const own = {
      ".ralph/PROMPT-plan.md": "Plan.\n",
      ".ralph/.ralphrc": "MAX_ITERATIONS=3\n",
      ".ralph/AGENT.md": "Build.\n",
      ".ralph/specs/deep/a.md": "A.\n",
      "PROMPT-flat.md": "Flat.\n",
    };
    at.write({ ...own, ".ralph/runs/r1/events.jsonl": "{}\n", ".ralph/status.json": "{}\n", ".ralph/lock": "x" });
    const { project } = await at.open("login");
    for (const [path, content] of Object.entries(own)) expect(text(project, path)).toBe(content);
    expect(readdirSync(join(project, ".ralph")).sort()).toEqual([
      ".ralphrc",
      "AGENT.md",
      "PROMPT-plan.md",
      "PROMPT.md",
      "fix_plan.md",
      "specs",
    ]);
  });

  test("a .gitignore of .ralph that a commit has, as the person has it now", async () => {
    using at = worktreeSandbox();
    at.write({ ".ralph/.gitignore": "/runs/\n" });
    at.commit();
    const { project, root } = await at.open("login");
    expect(at.gitIn(root, "status", "--porcelain")).toBe("");
    expect(text(project, ".ralph/.gitignore")).toBe("/runs/\n");
    at.write({ ".ralph/.gitignore": "/runs/\n/mine/\n" });
    const { project: other } = await at.open("logout");
    expect(text(other, ".ralph/.gitignore")).toBe("/runs/\n/mine/\n");
  });

  test("a tracked plan as the person has it now, and not what the person deleted", async () => {
    using at = worktreeSandbox();
    at.write({ ".ralph/specs/old.md": "old\n" });
    at.commit();
    at.write({ ".ralph/fix_plan.md": "- [ ] one\n- [ ] two\n" });
    rmSync(at.path(".ralph", "specs", "old.md"));
    const { project } = await at.open("login");
    expect(text(project, ".ralph", "fix_plan.md")).toBe("- [ ] one\n- [ ] two\n");
    expect(existsSync(join(project, ".ralph", "specs"))).toBe(false);
  });

  test("files that a setting names, but none from outside", async () => {
    using at = worktreeSandbox();
    at.commit();
    at.write({ "docs/ask.md": "Ask.\n" });
    writeFileSync(join(at.folder, "outside.md"), "secret\n");
    const { project } = await at.open("login", { files: ["docs/ask.md", "../outside.md", "missing.md"] });
    expect(text(project, "docs", "ask.md")).toBe("Ask.\n");
    expect(existsSync(join(project, "..", "outside.md"))).toBe(false);
  });

  test("links that go on leading where they led", async () => {
    using at = worktreeSandbox();
    at.commit();
    mkdirSync(join(at.folder, "specs"));
    writeFileSync(join(at.folder, "specs", "s.md"), "S.\n");
    symlinkSync("../../specs", at.path(".ralph", "specs"));
    symlinkSync("PROMPT.md", at.path(".ralph", "PROMPT-again.md"));
    const { project } = await at.open("login");
    expect(text(project, ".ralph", "specs", "s.md")).toBe("S.\n");
    writeFileSync(join(project, ".ralph", "PROMPT.md"), "Changed.\n");
    expect(text(project, ".ralph", "PROMPT-again.md")).toBe("Changed.\n");
    expect(text(at.project, ".ralph", "PROMPT.md")).toBe("Work.\n");
  });

  test("files that git ignores and .worktreeinclude names, as copies", async () => {
    using at = worktreeSandbox();
    at.write({
      ".gitignore": ".env*\nnode_modules/\ndist/\n",
      ".worktreeinclude": "# local\n.env*\n!.env.prod\n/node_modules/\nnotes.txt\nsrc.txt\n",
    });
    at.commit();
    at.write({
      ".env": "A=1\n",
      ".env.prod": "A=2\n",
      "sub/.env.local": "A=3\n",
      "node_modules/a/index.js": "a\n",
      "dist/out.js": "out\n",
      "notes.txt": "neither tracked nor ignored\n",
      "src.txt": "changed here\n",
    });
    const { root } = await at.open("login");
    expect(text(root, ".env")).toBe("A=1\n");
    expect(text(root, "sub", ".env.local")).toBe("A=3\n");
    expect(text(root, "node_modules", "a", "index.js")).toBe("a\n");
    expect(text(root, "src.txt")).toBe("one\n");
    for (const path of [".env.prod", "dist", "notes.txt"]) expect(existsSync(join(root, path))).toBe(false);
    expect(at.said).toContain("3 files that git ignores came along (.worktreeinclude)");
    writeFileSync(join(root, "node_modules", "a", "index.js"), "theirs\n");
    expect(text(at.project, "node_modules", "a", "index.js")).toBe("a\n");
    // Nothing of the first worktree goes into the second.
    const second = await at.open("second");
    expect(existsSync(join(second.root, ".ralph", "worktrees"))).toBe(false);
  });
});

describe("no worktree is made, and nothing stays,", () => {
  const nothingLeft = (at: ReturnType<typeof worktreeSandbox>, branches: string) => {
    expect(existsSync(at.path(".ralph", "worktrees"))).toBe(false);
    expect(known(at)).toBe(0);
    expect(at.git("for-each-ref", "--format=%(refname:short)", "refs/heads")).toBe(branches);
  };

  test("without a repository", async () => {
    using at = worktreeSandbox("plain");
    expect(await refusal(at.open("x"))).toBe(`A worktree needs a git repository, and ${at.project} is in none.`);
    expect(existsSync(at.path(".ralph", "worktrees"))).toBe(false);
  });

  test("on a branch without commits", async () => {
    using at = worktreeSandbox();
    expect(await refusal(at.open("x"))).toBe("A worktree begins from a commit, and this repository has none yet.");
    nothingLeft(at, "");
  });

  test("without the git program", async () => {
    using at = worktreeSandbox();
    at.commit();
    expect(await refusal(at.open("x", { env: { ...at.env, PATH: "/nonexistent" } }))).toBe(
      "This needs the git program, which is not installed.",
    );
    nothingLeft(at, "main");
  });

  test("for a branch that exists, or is checked out elsewhere", async () => {
    using at = worktreeSandbox();
    at.commit();
    at.git("branch", "ralph/x");
    expect(await refusal(at.open("x"))).toBe("The branch ralph/x exists already.");
    expect(await refusal(at.open("y", { branch: "main" }))).toBe(`The branch main is checked out in ${at.project}.`);
    nothingLeft(at, "main\nralph/x");
  });

  test("for a commit that does not exist", async () => {
    using at = worktreeSandbox();
    at.commit();
    expect(await refusal(at.open("x", { base: "nowhere" }))).toBe('There is no commit "nowhere" to begin from.');
    nothingLeft(at, "main");
  });

  test("where a file or folder is in the way", async () => {
    using at = worktreeSandbox();
    at.commit();
    at.write({ ".ralph/worktrees/x/mine.txt": "mine\n" });
    const place = at.path(".ralph", "worktrees", "x");
    expect(await refusal(at.open("x"))).toBe(`${place} is in the way: ralph did not make it.`);
    expect(text(place, "mine.txt")).toBe("mine\n");
    rmSync(at.path(".ralph", "worktrees"), { recursive: true });
    at.write({ ".ralph/worktrees": "a file\n" });
    expect(await refusal(at.open("x"))).toBe(
      `${at.path(".ralph", "worktrees")} is no folder of its own, and worktrees have to lie in it.`,
    );
  });

  test("of a worktree", async () => {
    using at = worktreeSandbox();
    at.commit();
    const { project } = await at.open("x");
    expect(await refusal(at.open("y", { project }))).toBe(`${project} is a worktree itself, and worktrees have none.`);
  });

  test("from submodules with changes of their own; from clean ones it is, and says that they are empty", async () => {
    using at = worktreeSandbox();
    at.gitIn(at.folder, "init", "--quiet", "library");
    at.gitIn(join(at.folder, "library"), "commit", "--quiet", "--allow-empty", "-m", "first");
    at.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../library", "library");
    at.commit();
    at.gitIn(at.path("library"), "commit", "--quiet", "--allow-empty", "-m", "ahead");
    expect(await refusal(at.open("x"))).toBe(
      "The submodule library holds changes that a worktree would begin without.",
    );
    nothingLeft(at, "main");
    at.commit();
    const { root } = await at.open("x");
    expect(readdirSync(join(root, "library"))).toEqual([]);
    expect(at.said.join("\n")).toContain("submodules are empty");
  });

  test.each([
    ["", "the name is empty"],
    ["a/b", "it is one name, without slashes"],
    ["a\\b", "it is one name, without slashes"],
    ["..", "it has to begin with a letter or a digit"],
    [".land", "it has to begin with a letter or a digit"],
    ["-f", "it has to begin with a letter or a digit"],
    ["a..b", "git allows no two dots in a branch"],
    ["a.lock", "git lets no branch end like that"],
    ["a.", "git lets no branch end like that"],
    ["a b", '" " is not allowed'],
    ["a~1", '"~" is not allowed'],
    ["née", '"é" is not allowed'],
    ["nul", "Windows has a device of that name"],
    ["x".repeat(61), "it has more than 60 characters"],
  ])("by the name %p", async (name, why) => {
    using at = worktreeSandbox();
    at.commit();
    expect(await refusal(at.open(name))).toBe(`A worktree cannot be called ${JSON.stringify(name)}: ${why}.`);
    nothingLeft(at, "main");
  });

  test("when git cannot check it out", async () => {
    using at = worktreeSandbox();
    at.write({ ".gitattributes": "*.bin filter=broken\n", "a.bin": "a\n" });
    at.commit();
    at.git("config", "filter.broken.smudge", "false");
    at.git("config", "filter.broken.required", "true");
    expect(await refusal(at.open("x"))).toContain("git cannot make the worktree x: ");
    nothingLeft(at, "main");
  });
});

describe("the set-up of a worktree", () => {
  test("runs once, in the project, with its ports", async () => {
    using at = worktreeSandbox();
    at.commit();
    const made = await at.open("x", { setup: 'echo "$RALPH_WORKTREE $RALPH_PORT_BASE" > set-up.txt' });
    expect(text(made.project, "set-up.txt")).toBe(`x ${made.portBase}\n`);
  });

  test("that fails says so with its output, and is tried again by the next start", async () => {
    using at = worktreeSandbox();
    at.commit();
    const failed = at.open("x", { setup: "echo no network >&2; exit 3" });
    expect(await refusal(failed)).toBe(
      "The set-up of the worktree x failed (exit 3): echo no network >&2; exit 3\nno network",
    );
    expect(listWorktrees(at.project)).toMatchObject([{ name: "x", ready: false }]);
    const { project } = await at.open("x", { setup: "echo yes > set-up.txt" });
    expect(text(project, "set-up.txt")).toBe("yes\n");
  });

  test("can be interrupted", async () => {
    using at = worktreeSandbox();
    at.commit();
    const stop = new AbortController();
    const reason = new Error("interrupted");
    const opened = at.open("x", {
      setup: "sleep 600",
      signal: stop.signal,
      say: (said) => said.startsWith("Setting it up") && setTimeout(() => stop.abort(reason), 50),
    });
    expect(await refusal(opened)).toBe("interrupted");
    expect(listWorktrees(at.project)).toMatchObject([{ name: "x", ready: false }]);
  });
});

describe("the ports of a worktree", () => {
  test("stay the same, and are no other's of this user, in whichever project", async () => {
    using at = worktreeSandbox();
    using other = worktreeSandbox();
    at.commit();
    other.commit();
    const names = Array.from({ length: 6 }, (_, index) => `n${index}`);
    const all = await Promise.all([
      ...names.map((name) => at.open(name)),
      ...names.map((name) => other.open(name, { env: { ...other.env, HOME: at.env.HOME ?? "" } })),
    ]);
    const bases = all.map(({ portBase }) => portBase);
    expect(new Set(bases).size).toBe(12);
    for (const base of bases) {
      expect(base % 10).toBe(0);
      expect(base).toBeGreaterThanOrEqual(20_000);
      expect(base).toBeLessThan(30_000);
    }
    expect((await at.open("n3")).portBase).toBe(all[3]?.portBase ?? 0);
  });
});
