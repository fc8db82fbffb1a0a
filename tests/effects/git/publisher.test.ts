import { expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, rmSync } from "node:fs";
import { createPublisher } from "../../../src/effects/git/publisher.ts";
import type { Tried } from "../../../src/effects/ports.ts";
import { createSandbox, type Sandbox } from "./git-sandbox.ts";

const never = new AbortController().signal;
const QUICK = { look: 500, transfer: 500, local: 20_000 };

function publisherOf({ project, env }: Sandbox, options: Parameters<typeof createPublisher>[2] = {}) {
  return createPublisher(project, env, options);
}

function got<T>(tried: Tried<T>): T {
  if ("failed" in tried) throw new Error(tried.failed);
  return tried.value;
}

/** A repository with a bare one beside it, where `work` and `main` changed the same files. */
function diverged(ours: Record<string, string | Buffer>, theirs: Record<string, string | Buffer>): Sandbox {
  const repo = createSandbox();
  repo.write({ "a.txt": "base\n", "b.bin": Buffer.from([0, 1, 2]), "c.txt": "base\n" });
  repo.commit("base");
  repo.git("init", "--quiet", "--bare", "--initial-branch=main", "../hub.git");
  repo.git("remote", "add", "origin", repo.path("..", "hub.git"));
  repo.git("switch", "--quiet", "--create", "work");
  repo.write(ours);
  repo.commit("ours");
  repo.git("switch", "--quiet", "main");
  repo.write(theirs);
  repo.commit("theirs");
  repo.git("switch", "--quiet", "work");
  return repo;
}

function hook(repo: Sandbox, where: string, name: string, script: string): void {
  repo.write({ [`${where}/hooks/${name}`]: `#!/bin/sh\n${script}\n` });
  chmodSync(repo.path(where, "hooks", name), 0o755);
}

test("a remote that hangs is ended in bounded time", async () => {
  using repo = diverged({ "a.txt": "ours\n" }, {});
  hook(repo, "../hub.git", "pre-receive", "sleep 600");
  const to = { remote: "origin", ref: "refs/heads/work", commit: repo.git("rev-parse", "HEAD"), replaces: null };
  const began = performance.now();
  const sent = await publisherOf(repo, { patience: QUICK }).push(to, never);
  expect(sent).toEqual({ failed: expect.stringContaining("it took too long and was ended"), ended: "timed_out" });
  expect(performance.now() - began).toBeLessThan(60_000);
});

test("a lease holds: what moved after it was seen is not replaced", async () => {
  using repo = diverged({ "a.txt": "ours\n" }, {});
  const publisher = publisherOf(repo);
  const [work, main] = ["work", "main"].map((name) => repo.git("rev-parse", name)) as [string, string];
  repo.git("push", "--quiet", "origin", "work", "main");
  expect(got(await publisher.look("origin", "work", never))).toEqual({ tip: work, main: "main" });
  expect(got(await publisher.look("origin", "none", never))).toEqual({ tip: null, main: "main" });
  const ref = "refs/heads/work";
  const push = (replaces: string | null) => publisher.push({ remote: "origin", ref, commit: main, replaces }, never);
  expect(await push(null)).toHaveProperty("failed", expect.stringContaining("rejected"));
  expect(await push(main)).toHaveProperty("failed", expect.stringContaining("stale info"));
  expect(repo.git("ls-remote", "origin", "work")).toStartWith(work);
  expect(await push(work)).toEqual({ value: null });
});

test("a conflict without marks is solved only by whoever stages it", async () => {
  using repo = diverged(
    { "a.txt": "ours\n", "b.bin": Buffer.from([0, 9]) },
    { "a.txt": "theirs\n", "b.bin": Buffer.from([0, 8]) },
  );
  const publisher = publisherOf(repo);
  const from = repo.git("rev-parse", "HEAD");
  const end = got(await publisher.rebase("main", never));
  if (end === "done") throw new Error("no conflict");
  expect(end).toEqual({ subject: "ours", paths: ["a.txt", "b.bin"], marked: ["a.txt"] });
  expect(await publisher.rebasedFrom()).toBe(from);
  repo.write({ "a.txt": "both\n" });
  expect(got(await publisher.rebaseOn(end, never))).toBe("unsolved");
  repo.write({ "b.bin": Buffer.from([0, 9, 8]) });
  repo.git("add", "b.bin");
  expect(got(await publisher.rebaseOn(end, never))).toBe("done");
  expect(got(await publisher.checkout())).toMatchObject({ branch: "work", busy: null, isChanged: false });
  expect(readFileSync(repo.path("a.txt"), "utf8")).toBe("both\n");
});

test.each([
  ["git-rebase-todo", "exec touch tripped\n"],
  ["git-rebase-todo", "\t x touch tripped\n"],
  ["strategy", "tripping\n"],
])("a rebase into which an agent wrote a command to run (%s: %j) is not gone on with", async (name, text) => {
  using repo = diverged({ "a.txt": "ours\n" }, { "a.txt": "theirs\n" });
  const publisher = publisherOf(repo);
  const end = got(await publisher.rebase("main", never));
  if (end === "done") throw new Error("no conflict");
  repo.write({ "a.txt": "both\n", [`.git/rebase-merge/${name}`]: text });
  expect(await publisher.rebaseOn(end, never)).toEqual({ failed: expect.stringContaining("a command to run") });
  expect(existsSync(repo.path("tripped"))).toBe(false);
  expect(await publisher.giveUpRebase()).toEqual({ value: null });
  expect(existsSync(repo.path("tripped"))).toBe(false);
});

test("a conflict whose marks are left is unsolved, and giving up gives the branch back", async () => {
  using repo = diverged({ "a.txt": "ours\n" }, { "a.txt": "theirs\n" });
  const publisher = publisherOf(repo);
  const from = repo.git("rev-parse", "HEAD");
  const end = got(await publisher.rebase("main", never));
  if (end === "done") throw new Error("no conflict");
  repo.git("add", "a.txt");
  expect(got(await publisher.rebaseOn(end, never))).toBe("unsolved");
  expect(await publisher.giveUpRebase()).toEqual({ value: null });
  expect(got(await publisher.checkout())).toEqual({ branch: "work", head: from, busy: null, isChanged: false });
  expect(await publisher.rebasedFrom()).toBeNull();
});

test.each([
  ["the other branch has", { "secret.env": "theirs\n" }, {}, { "secret.env": "mine\n" }, "secret.env"],
  ["lies where the other branch has a file", { secrets: "theirs\n" }, {}, { "secrets/key": "mine\n" }, "secrets/key"],
  ["stands where the other branch has a folder", { "secrets/key": "theirs\n" }, {}, { secrets: "mine\n" }, "secrets"],
  [
    "a commit to be made again has, and a later one not",
    {},
    { "secret.env": "committed by mistake\n" },
    {},
    "secret.env",
  ],
])("what a rebase would overwrite is known before: an ignored file that %s", async (_, theirs, ours, mine, path) => {
  using repo = diverged({ "a.txt": "ours\n" }, { "c.txt": "theirs\n" });
  const committed = (branch: string, files: Record<string, string>) => {
    repo.git("switch", "--quiet", branch);
    repo.write(files);
    repo.commit("adds");
  };
  committed("main", theirs);
  committed("work", { ...ours, ".keep": "" });
  for (const name of Object.keys(ours)) repo.git("rm", "--quiet", "--cached", name);
  repo.write({ ".gitignore": "secret*\n" });
  repo.commit("no secrets");
  repo.write({ ...mine, "secret.txt": "in nobody's way\n" });
  const publisher = publisherOf(repo);
  expect(await publisher.overwrittenByRebase("main")).toEqual({ value: [path] });
  rmSync(repo.path(path.split("/")[0] ?? ""), { recursive: true });
  expect(await publisher.overwrittenByRebase("main")).toEqual({ value: [] });
});

test("a merge of the branch is kept by a rebase", async () => {
  using repo = diverged({ "a.txt": "ours\n" }, { "c.txt": "theirs\n" });
  repo.git("switch", "--quiet", "--create", "side", "work~1");
  repo.write({ "side.txt": "1" });
  repo.commit("side");
  repo.git("switch", "--quiet", "work");
  repo.git("merge", "--quiet", "--no-ff", "--message", "merged", "side");
  expect(await publisherOf(repo).rebase("main", never)).toEqual({ value: "done" });
  expect(repo.git("log", "--merges", "--format=%s", "main..")).toBe("merged");
});

test("the names of branches, as a person writes them", async () => {
  using repo = diverged({ "a.txt": "ours\n" }, {});
  const publisher = publisherOf(repo);
  const main = repo.git("rev-parse", "main");
  const base = async (name: string) => got(await publisher.base(name));
  expect(await base("main")).toEqual({ commit: main, remote: null });
  expect(await base("origin/main")).toEqual({ commit: null, remote: { name: "origin", branch: "main" } });
  repo.git("push", "--quiet", "origin", "main");
  got(await publisher.fetch({ name: "origin", branch: "main" }, never));
  expect(await base("origin/main")).toEqual({ commit: main, remote: { name: "origin", branch: "main" } });
  repo.git("tag", "v1");
  for (const name of ["v1", main, "nothing", "--all", "HEAD~1", "other/main"]) expect(await base(name)).toBeNull();
});

test("the remote that git would take", async () => {
  using repo = diverged({ "a.txt": "ours\n" }, {});
  const publisher = publisherOf(repo);
  expect(await publisher.remoteOf("work")).toBe("origin");
  repo.git("remote", "add", "fork", repo.path("..", "hub.git"));
  expect(await publisher.remoteOf("work")).toBe("origin");
  repo.git("config", "branch.work.remote", "fork");
  expect(await publisher.remoteOf("work")).toBe("fork");
  repo.git("config", "branch.work.pushRemote", "origin");
  expect(await publisher.remoteOf("work")).toBe("origin");
  repo.git("remote", "rename", "origin", "upstream");
  repo.git("config", "branch.work.pushRemote", "gone");
  expect(await publisher.remoteOf("work")).toBe("fork");
});

test("a tag is deleted only as it was made", async () => {
  using repo = diverged({ "a.txt": "ours\n" }, {});
  const publisher = publisherOf(repo);
  const head = repo.git("rev-parse", "HEAD");
  const id = got(await publisher.tag("v1", head, "v1"));
  expect(await publisher.tag("v1", head, "again")).toHaveProperty("failed", expect.stringContaining("already exists"));
  expect(got(await publisher.tags("origin", never))).toEqual({ all: ["v1"], remote: [], head: ["v1"] });
  await publisher.untag("v1", head);
  expect(repo.git("tag")).toBe("v1");
  await publisher.untag("v1", id);
  expect(repo.git("tag")).toBe("");
});

test("a dirty submodule stands in nobody's way", async () => {
  using repo = diverged({ "a.txt": "ours\n" }, {});
  repo.git("-c", "protocol.file.allow=always", "clone", "--quiet", repo.project, "sub");
  repo.git("add", "sub");
  repo.git("commit", "--quiet", "--message", "sub");
  repo.write({ "sub/a.txt": "dirty\n" });
  const publisher = publisherOf(repo);
  expect(got(await publisher.checkout()).isChanged).toBe(false);
  expect(await publisher.commitAll("none", never)).toEqual({ value: null });
  repo.git("switch", "--quiet", "main");
  repo.write({ "c.txt": "more\n" });
  repo.git("commit", "--quiet", "--message", "more", "c.txt");
  repo.git("switch", "--quiet", "work");
  expect(await publisher.rebase("main", never)).toEqual({ value: "done" });
  expect(readFileSync(repo.path("sub", "a.txt"), "utf8")).toBe("dirty\n");
});
