/** Two that move the same target at once. */
import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Git, needOf } from "../../../src/effects/git/git-program.ts";
import { asksRemote, stoppableRemote } from "../../../src/effects/git/remote-git.ts";
import { fetchRefs, hubRefs, openPlace } from "../../../src/effects/land/place.ts";
import { moveTarget } from "../../../src/effects/land/target.ts";
import { cleanUpLandings, type Landing, landing } from "./landing.ts";

afterAll(cleanUpLandings);

/** A git whose merges wait for each other for a moment, so that two that may run at once do. */
const GIT = `#!/bin/sh
case " $* " in
*" merge "*)
  echo begin >> "$MET"
  n=0; until [ "$(grep -c begin "$MET")" -gt 1 ] || [ $n -gt 20 ]; do n=$((n+1)); sleep 0.02; done ;;
esac
exec "$REAL_GIT" "$@"
`;

test.skipIf(process.platform === "win32")(
  "one moves it, the other finds that it has moved, and nothing of the other lies uncommitted in the checkout",
  async () => {
    const at = landing({ "a.txt": "1\n" });
    const from = at.git("rev-parse", "main");
    const commits = [at.branch("one", { "one.txt": "1\n" }), at.branch("two", { "two.txt": "2\n" })];
    const bin = join(at.dir, "..", "bin");
    const met = join(at.dir, "..", "met");
    mkdirSync(bin);
    writeFileSync(met, "");
    writeFileSync(join(bin, "git"), GIT);
    chmodSync(join(bin, "git"), 0o755);
    const env = { ...at.env, PATH: `${bin}${delimiter}${at.env.PATH}`, REAL_GIT: Bun.which("git") ?? "", MET: met };
    const place = await openPlace({
      project: at.dir,
      env,
      onto: "main",
      hub: null,
      signal: new AbortController().signal,
    });
    const moves = await Promise.all(commits.map((to) => moveTarget(place, { from, to, gone: [], plan: null })));
    expect(moves.map(({ kind }) => kind).sort()).toEqual(["done", "moved"]);
    expect(at.git("status", "--porcelain")).toBe("");
    expect(readFileSync(met, "utf8")).toBe("begin\n");
  },
);

test.each([
  ["named in a file", (at: Landing, apart: string) => void at.git("init", "--quiet", "--separate-git-dir", apart)],
  [
    "behind a link",
    (at: Landing, apart: string) => {
      renameSync(join(at.dir, ".git"), apart);
      symlinkSync(apart, join(at.dir, ".git"), "junction");
    },
  ],
])("a checkout whose repository lies apart, %s, gets the files", async (_, part) => {
  const at = landing({ "a.txt": "1\n", "check.sh": "true\n" });
  at.branch("one", { "one.txt": "1\n" });
  part(at, join(at.dir, "..", "apart"));
  const { landed, left } = await at.land({ named: ["one"] });
  expect([landed.map(({ name }) => name), left]).toEqual([["one"], []]);
  expect(readFileSync(join(at.dir, "one.txt"), "utf8")).toBe("1\n");
  expect(at.git("status", "--porcelain")).toBe("");
});

test("a lock that was left on the branch keeps it where it is, and the checkout with what its user changed", async () => {
  const at = landing({ "a.txt": "1\n", "mine.txt": "1\n", "check.sh": "true\n" });
  at.branch("one", { "a.txt": "2\n", "one.txt": "1\n" });
  at.write({ "mine.txt": "2\n", ".git/refs/heads/main.lock": "" });
  const { left } = await at.land({ named: ["one"] });
  expect(left).toEqual([{ name: "one", why: expect.stringContaining("main.lock': File exists") }]);
  expect([at.git("status", "--porcelain"), at.read("mine.txt"), at.read("a.txt")]).toEqual([
    " M mine.txt",
    "2\n",
    "1\n",
  ]);
  rmSync(join(at.dir, ".git/refs/heads/main.lock"));
  expect((await at.land({ named: ["one"] })).landed).toHaveLength(1);
  expect([at.git("status", "--porcelain"), at.read("a.txt")]).toEqual([" M mine.txt", "2\n"]);
});

test.each([
  ["is forgotten, and the branch lands", false],
  ["that is locked, as on a disk that is away, keeps the branch where it is", true],
])("a checkout of the target whose folder is gone %s", async (_, isLocked) => {
  const at = landing({ "check.sh": "true\n" });
  const other = join(at.dir, "..", "other");
  at.branch("one", { "one.txt": "1\n" });
  at.git("worktree", "add", "--quiet", "-b", "side", other, "main");
  if (isLocked) at.git("worktree", "lock", other);
  rmSync(other, { recursive: true });
  const { landed, left } = await at.land({ named: ["one"], onto: "side" });
  const why = `side cannot be moved: it is checked out in ${other}, which is not there`;
  expect([landed.length, left]).toEqual(isLocked ? [0, [{ name: "one", why }]] : [1, []]);
});

test("no other checkout is forgotten with it: its disk may be away", async () => {
  const at = landing({ "check.sh": "true\n" });
  const [gone, away] = [join(at.dir, "..", "gone"), join(at.dir, "..", "away")];
  at.branch("one", { "one.txt": "1\n" });
  at.git("worktree", "add", "--quiet", "-b", "side", gone, "main");
  at.git("worktree", "add", "--quiet", "--detach", away, "main");
  rmSync(gone, { recursive: true });
  renameSync(away, `${away}-disk`);
  expect((await at.land({ named: ["one"], onto: "side" })).landed).toHaveLength(1);
  renameSync(`${away}-disk`, away);
  expect(at.gitIn(away, "status", "--porcelain")).toBe("");
});

test("what a git that was killed left of the checkout for the gates is in no way", async () => {
  const at = landing({ "check.sh": "true\n" });
  at.branch("one", { "one.txt": "1\n" });
  at.git("worktree", "add", "--quiet", "--detach", ".ralph/worktrees/.land");
  at.write({ ".git/worktrees/-land/commondir": "", ".git/worktrees/-land/locked": "initializing" });
  expect((await at.land({ named: ["one"] })).landed).toHaveLength(1);
  expect(at.git("worktree", "list").split("\n")).toHaveLength(1);
});

describe("what lies in the checkout, uncommitted, and lands", () => {
  const cases: [string, Record<string, string>, string[], string | null][] = [
    ["as it lands, as after a power cut midway, is in no way", { "a.txt": "2\n", "new/one.txt": "1\n" }, [], null],
    [
      "otherwise stays, with all that lies there",
      { "a.txt": "2\n", "new/one.txt": "mine\n" },
      [],
      "a.txt, new/one.txt",
    ],
    ["and goes with the landing stays", { "a.txt": "2\n", "gone.txt": "mine\n" }, [], "a.txt, gone.txt"],
    ["and is staged otherwise stays staged", { "a.txt": "3\n" }, ["add", "a.txt"], "a.txt"],
  ];
  test.each(cases)("%s", async (_, files, words, obstacles) => {
    const at = landing({ "a.txt": "1\n", "gone.txt": "1\n", "check.sh": "true\n" });
    at.branch("one", { "a.txt": "2\n", "new/one.txt": "1\n", "gone.txt": null });
    at.write(files);
    if (words.length > 0) at.git(...words);
    if (words.length > 0) at.write({ "a.txt": "2\n" });
    const before = at.git("status", "--porcelain", "-uall");
    const { landed, left } = await at.land({ named: ["one"] });
    const why = `main cannot be moved: these files are not committed, and would be overwritten: ${obstacles}`;
    expect([landed.length, left]).toEqual(obstacles === null ? [1, []] : [0, [{ name: "one", why }]]);
    expect(at.git("status", "--porcelain", "-uall")).toBe(obstacles === null ? "" : before);
    if (obstacles !== null) expect(at.read("a.txt")).toBe("2\n");
  });
});

test.each(["--assume-unchanged", "--skip-worktree"])(
  "a file that its user has git overlook by %s stays so",
  async (flag) => {
    const at = landing({ "a.txt": "1\n", "check.sh": "true\n" });
    at.branch("one", { "a.txt": "2\n" });
    at.git("update-index", flag, "a.txt");
    at.write({ "a.txt": "mine\n" });
    const { left } = await at.land({ named: ["one"] });
    const why = "main cannot be moved: these files are not committed, and would be overwritten: a.txt";
    expect(left).toEqual([{ name: "one", why }]);
    expect([at.git("status", "--porcelain"), at.read("a.txt")]).toEqual(["", "mine\n"]);
  },
);

test("a merge that its user has not concluded stays as it is", async () => {
  const at = landing({ "a.txt": "1\n", "check.sh": "true\n" });
  at.branch("one", { "a.txt": "2\n", "one.txt": "1\n" });
  at.git("merge", "--quiet", "--no-ff", "--no-commit", "one");
  const { left } = await at.land({ named: ["one"] });
  expect(left).toEqual([{ name: "one", why: expect.stringContaining("You have not concluded your merge") }]);
  expect([at.git("status", "--porcelain"), at.read("a.txt")]).toEqual(["M  a.txt\nA  one.txt", "2\n"]);
});

test("whatever talks to a remote has an end: a limit, and the signal of a stop", async () => {
  const asked: { command: string; timeoutMs: number | undefined; signal: boolean }[] = [];
  const run: Git["run"] = async (args, { timeoutMs, signal } = {}) => {
    asked.push({ command: args[0] ?? "", timeoutMs, signal: signal !== undefined });
    return { code: args[0] === "config" ? 1 : 0, stdout: "", stderr: "" };
  };
  const git = stoppableRemote({ dir: "/nowhere", run, need: needOf(run) }, new AbortController().signal);
  const place = { git, env: {}, project: "/nowhere", root: "/nowhere", prefix: "", target: "main", hub: "origin" };
  await fetchRefs(place, ["refs/heads/main"]);
  await hubRefs(place, ["refs/heads/main"]);
  await moveTarget(place, { from: "a", to: "b", gone: [], plan: null });
  const remote = asked.filter(({ command }) => asksRemote([command]));
  expect(new Set(remote.map(({ command }) => command))).toEqual(new Set(["fetch", "ls-remote", "push"]));
  for (const { signal, timeoutMs } of remote) expect([signal, timeoutMs === 0]).toEqual([true, false]);
  for (const one of asked) if (!remote.includes(one)) expect(one.signal).toBe(false);
});

const RENAME = 'git -C "$HUB" branch -q -m main trunk';

/** The clone of a remote with main and two branches. @param before what comes between when it fetches, as a case of the shell */
function clone({ check = "true", before = "" }: { check?: string; before?: string }) {
  const origin = landing({ "a.txt": "1\n", "check.sh": `${check}\n` });
  for (const name of ["one", "two"]) origin.branch(name, { [`${name}.txt`]: "1\n" });
  origin.git("checkout", "--quiet", "--detach");
  const at = landing({}, { clone: origin.dir, hub: origin.dir });
  const bin = join(at.dir, "..", "bin");
  mkdirSync(bin);
  const shim = `#!/bin/sh\ngit() { "$REAL_GIT" "$@"; }\ncase " $* " in ${before} esac\nexec "$REAL_GIT" "$@"\n`;
  writeFileSync(join(bin, "git"), shim);
  chmodSync(join(bin, "git"), 0o755);
  const path = `${bin}${delimiter}${at.env.PATH}`;
  Object.assign(at.env, { PATH: path, REAL_GIT: Bun.which("git") ?? "", HUB: origin.dir });
  const land = () => at.land({ onto: "main", named: ["one", "two"] });
  return { land, noTarget: `There is no branch main in ${origin.dir} to land on.` };
}

describe.skipIf(process.platform === "win32")("in a remote", () => {
  test("a target that is renamed while it is fetched is told as one that is gone", async () => {
    const { land, noTarget } = clone({ before: `*" fetch "*) ${RENAME} ;;` });
    await expect(land()).rejects.toThrow(noTarget);
  });

  test("a target that is renamed while it is tested leaves the branches, with the reason", async () => {
    const { land, noTarget } = clone({ check: RENAME });
    const why = `main cannot be moved: ${noTarget} Name an existing one with --onto BRANCH.`;
    expect((await land()).left).toEqual(["one", "two"].map((name) => ({ name, why })));
  });

  test("a branch that is deleted while it is fetched is left, and the others land", async () => {
    const { land } = clone({ before: `*" fetch "*/one*) git -C "$HUB" branch -q -D one ;;` });
    const { landed, left } = await land();
    expect(landed.map(({ name }) => name)).toEqual(["two"]);
    expect(left).toEqual([{ name: "one", why: expect.stringContaining("there is no such branch in ") }]);
  });

  test("the target stays where it is if a branch that goes with the landing was pushed to meanwhile", async () => {
    const origin = landing({ "a.txt": "1\n" });
    const from = origin.git("rev-parse", "main");
    const to = origin.branch("one", { "one.txt": "1\n" });
    const at = landing({}, { clone: origin.dir, hub: origin.dir });
    const place = await openPlace({ project: at.dir, env: at.env, onto: "main", hub: origin.dir });
    origin.git("checkout", "--quiet", "--detach");
    const gone = [{ ref: "refs/heads/one", commit: from }];
    expect(await moveTarget(place, { from, to, gone, plan: null })).toMatchObject({ kind: "refused" });
    expect([origin.git("rev-parse", "main"), origin.git("rev-parse", "one")]).toEqual([from, to]);
  });
});
