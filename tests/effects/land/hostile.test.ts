/** What stands in the way of landing: conflicts of each kind, people, remotes, and odd repositories. Nothing is lost, nothing is left behind. */
import { afterAll, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LandYard } from "../../../src/effects/ports.ts";
import { cleanUpLandings, type Landing, landing } from "./landing.ts";

afterAll(cleanUpLandings);

const CHECK = { "check.sh": "! grep -rl BROKEN --include='*.txt' .\n" };
const names = (branches: readonly { name: string }[]) => branches.map(({ name }) => name);

function expectTidy(at: Landing): void {
  expect(at.has(".ralph/worktrees/.land")).toBe(false);
  expect(at.git("worktree", "list").split("\n")).toHaveLength(1);
}

/** Makes a branch from main by hand. */
function work(at: Landing, name: string, change: () => void): void {
  at.git("checkout", "--quiet", "-b", name, "main");
  change();
  at.git("add", "--all");
  at.git("commit", "--quiet", "--allow-empty", "-m", `work on ${name}`);
  at.git("checkout", "--quiet", "--force", "main");
}

type Sides = { base: Record<string, string>; one(at: Landing): void; two(at: Landing): void };

const CONFLICTS: Record<string, Sides> = {
  content: {
    base: { "x.txt": "1\n" },
    one: (at) => at.write({ "x.txt": "2\n" }),
    two: (at) => at.write({ "x.txt": "3\n" }),
  },
  "delete and modify": {
    base: { "x.txt": "1\n" },
    one: (at) => rmSync(join(at.dir, "x.txt")),
    two: (at) => at.write({ "x.txt": "3\n" }),
  },
  "modify and delete": {
    base: { "x.txt": "1\n" },
    one: (at) => at.write({ "x.txt": "3\n" }),
    two: (at) => rmSync(join(at.dir, "x.txt")),
  },
  "two renames of one file": {
    base: { "x.txt": "1\n2\n3\n4\n5\n" },
    one: (at) => at.git("mv", "x.txt", "y.txt"),
    two: (at) => at.git("mv", "x.txt", "z.txt"),
  },
  "two new files of one name": {
    base: {},
    one: (at) => at.write({ "x.txt": "2\n" }),
    two: (at) => at.write({ "x.txt": "3\n" }),
  },
  "a file and a folder of one name": {
    base: {},
    one: (at) => at.write({ x: "2\n" }),
    two: (at) => at.write({ "x/y.txt": "3\n" }),
  },
  "binary files": {
    base: { "x.bin": "\0\u0001" },
    one: (at) => at.write({ "x.bin": "\0\u0002" }),
    two: (at) => at.write({ "x.bin": "\0\u0003" }),
  },
  "mode and content of a new file": {
    base: {},
    one: (at) => {
      at.write({ x: "2\n" });
      chmodSync(join(at.dir, "x"), 0o755);
    },
    two: (at) => at.write({ x: "3\n" }),
  },
  "no history in common": {
    base: { "x.txt": "1\n" },
    one: (at) => at.write({ "y.txt": "1\n" }),
    two: (at) => {
      at.git("checkout", "--quiet", "--orphan", "other");
      at.git("commit", "--quiet", "-m", "other");
      at.git("branch", "--force", "two");
      at.git("checkout", "--quiet", "two");
    },
  },
};

test.each(Object.entries(CONFLICTS))(
  "a conflict (%s) is named, and the branch stays as it is",
  async (_, { base, one, two }) => {
    const at = landing({ ...CHECK, ...base });
    work(at, "one", () => one(at));
    work(at, "two", () => two(at));
    const commit = at.git("rev-parse", "two");
    const result = await at.land({ named: ["one", "two"] });
    expect(names(result.landed)).toEqual(["one"]);
    expect(result.returned).toMatchObject([{ branch: { name: "two" }, why: "conflict", claim: "kept" }]);
    expect(result.returned[0]?.message).toContain("work on two");
    expect(at.git("rev-parse", "two")).toBe(commit);
    expect(at.git("status", "--porcelain")).toBe("");
    expectTidy(at);
  },
);

test("two commits of one submodule are a conflict", async () => {
  const at = landing(CHECK);
  const module = join(dirname(at.dir), "module");
  mkdirSync(module);
  at.gitIn(module, "init", "--quiet");
  for (const n of ["1", "2", "3"]) {
    writeFileSync(join(module, "m.md"), n);
    at.gitIn(module, "add", "--all");
    at.gitIn(module, "commit", "--quiet", "-m", n);
    at.gitIn(module, "branch", `v${n}`);
  }
  at.gitIn(module, "checkout", "--quiet", "-b", "side", "v1");
  at.gitIn(module, "commit", "--quiet", "--allow-empty", "-m", "side");
  at.gitIn(module, "checkout", "--quiet", "main");
  at.git("submodule", "--quiet", "add", module, "sub");
  at.gitIn(join(at.dir, "sub"), "checkout", "--quiet", "v1");
  at.git("add", "--all");
  at.git("commit", "--quiet", "-m", "submodule");
  const pointAt = (commit: string) => at.git("update-index", "--cacheinfo", `160000,${commit},sub`);
  for (const [name, commit] of [
    ["one", "v3"],
    ["two", "side"],
  ] as const) {
    at.git("checkout", "--quiet", "-b", name, "main");
    pointAt(at.gitIn(module, "rev-parse", commit));
    at.git("commit", "--quiet", "-m", `work on ${name}`);
    at.git("checkout", "--quiet", "--force", "main");
  }
  const result = await at.land({ named: ["one", "two"], settings: { TEST_COMMAND: "test -f sub/m.md" } });
  expect(names(result.landed)).toEqual(["one"]);
  expect(result.returned).toMatchObject([{ why: "conflict" }]);
  expectTidy(at);
});

describe("what a person has not committed", () => {
  test("stays as it is where it is not in the way, in a checkpoint first", async () => {
    const at = landing({ ...CHECK, "mine.txt": "1\n" });
    at.branch("a", { "a.txt": "a" });
    at.write({ "mine.txt": "mine\n", "new.txt": "new\n" });
    const result = await at.land({ named: ["a"] });
    expect(names(result.landed)).toEqual(["a"]);
    expect([at.read("mine.txt"), at.read("new.txt"), at.read("a.txt")]).toEqual(["mine\n", "new\n", "a"]);
    const made = at.events.find((event) => event.type === "checkpoint_made");
    expect(at.git("show", `${made?.type === "checkpoint_made" ? made.commit : ""}:mine.txt`)).toBe("mine");
  });

  test.each([
    ["a changed file", { "a.txt": "mine\n" }],
    ["a new file", { "new.txt": "mine\n" }],
  ])("is never overwritten: %s that a branch has too leaves everything as it is", async (_, mine) => {
    const at = landing({ ...CHECK, "a.txt": "1\n" });
    at.branch("a", { "a.txt": "2\n", "new.txt": "2\n" });
    at.write(mine);
    const before = at.git("rev-parse", "main");
    const result = await at.land({ named: ["a"] });
    expect(result.landed).toEqual([]);
    expect(result.left[0]?.why).toMatch(
      /main cannot be moved: these files are not committed, and would be overwritten: (?:a|new)\.txt$/,
    );
    expect(at.git("rev-parse", "main")).toBe(before);
    for (const [path, text] of Object.entries(mine)) expect(at.read(path)).toBe(text);
    expectTidy(at);
  });

  test.each([
    ["a file", { "local.env": "mine\n" }],
    ["a folder", { "local.env/keys": "mine\n" }],
  ])("is never overwritten: %s that git ignores, and that a branch brings", async (_, mine) => {
    const at = landing({ ...CHECK, ".gitignore": ".ralph/*\nlocal.env\n" });
    work(at, "a", () => {
      at.write({ "local.env": "theirs\n" });
      at.git("add", "--force", "local.env");
    });
    at.write(mine);
    const before = at.git("rev-parse", "main");
    const result = await at.land({ named: ["a"] });
    expect(result.landed).toEqual([]);
    expect(result.left[0]?.why).toContain("main cannot be moved: ");
    expect(result.left[0]?.why).toContain("local.env");
    expect(at.git("rev-parse", "main")).toBe(before);
    for (const [path, text] of Object.entries(mine)) expect(at.read(path)).toBe(text);
    expectTidy(at);
  });

  test("a rebase of the target under way holds the landing: giving it up would take it back", async () => {
    const at = landing({ ...CHECK, "x.txt": "1\n" });
    at.branch("other", { "x.txt": "2\n" });
    at.write({ "x.txt": "3\n" });
    at.git("commit", "--quiet", "-am", "mine");
    at.branch("a", { "a.txt": "a" });
    expect(() => at.git("rebase", "other")).toThrow();
    const before = at.git("rev-parse", "main");
    const result = await at.land({ named: ["a"], onto: "main" });
    expect(result.landed).toEqual([]);
    expect(result.left[0]?.why).toBe(`main cannot be moved: a rebase of it is under way in ${at.dir}`);
    expect(at.git("rev-parse", "main")).toBe(before);
  });

  test("a merge under way holds the landing", async () => {
    const at = landing({ ...CHECK, "x.txt": "1\n" });
    at.branch("a", { "a.txt": "a" });
    at.branch("other", { "x.txt": "2\n" });
    at.write({ "x.txt": "3\n" });
    at.git("commit", "--quiet", "-am", "mine");
    expect(() => at.git("merge", "other")).toThrow();
    const result = await at.land({ named: ["a"] });
    expect(result.landed).toEqual([]);
    expect(result.left[0]?.why).toContain("main cannot be moved");
    expect(at.git("rev-parse", "MERGE_HEAD")).toBe(at.git("rev-parse", "other"));
  });
});

test("a target that is not checked out moves without any file of the project", async () => {
  const at = landing(CHECK);
  at.git("branch", "release");
  at.branch("a", { "a.txt": "a" });
  const result = await at.land({ named: ["a"], onto: "release" });
  expect(names(result.landed)).toEqual(["a"]);
  expect([at.git("show", "release:a.txt"), at.has("a.txt")]).toEqual(["a", false]);
});

test("a person who commits while the gates run: tested again on the new tip", async () => {
  const at = landing(CHECK);
  at.branch("a", { "a.txt": "a" });
  let pushes = 0;
  const around = (yard: LandYard): LandYard => ({
    ...yard,
    async move(from, to, branches) {
      pushes += 1;
      if (pushes === 1) {
        at.write({ "person.txt": "hello\n" });
        at.git("add", "person.txt");
        at.git("commit", "--quiet", "-m", "a person");
      }
      return yard.move(from, to, branches);
    },
  });
  const result = await at.land({ named: ["a"], around });
  expect(result).toMatchObject({ tested: 2, left: [] });
  expect(at.git("log", "--format=%s", "--first-parent")).toBe("Land: a\na person\nfirst");
});

test("a target that a person sets back is not brought forward again with what they took away", async () => {
  const at = landing(CHECK);
  at.write({ "secret.txt": "s" });
  at.git("add", "--all");
  at.git("commit", "--quiet", "-m", "oops");
  at.branch("a", { "a.txt": "a" }, "main~1");
  let isFirst = true;
  const around = (yard: LandYard): LandYard => ({
    ...yard,
    async move(from, to, branches) {
      if (isFirst) at.git("reset", "--quiet", "--hard", "main~1");
      isFirst = false;
      return yard.move(from, to, branches);
    },
  });
  await at.land({ named: ["a"], around });
  expect(at.git("log", "--format=%s", "--first-parent")).toBe("Land: a\nfirst");
  expect(at.has("secret.txt")).toBe(false);
});

test("a branch that makes a check weaker goes back; one that only rewrites it lands", async () => {
  const CODE = "export const add = (a, b) => a + b;\n";
  const TEST =
    'import { add } from "../src/add.mjs";\nimport test from "node:test";\nimport assert from "node:assert";\ntest("adds", () => {\n  assert.equal(add(1, 2), 3);\n});\n';
  const files = { "src/add.mjs": CODE, "tests/add.test.mjs": TEST };
  const settings = { TEST_COMMAND: "node --test tests/add.test.mjs" };
  const at = landing(files);
  at.branch("cheat", {
    "src/add.mjs": CODE.replace("a + b", "a - b"),
    "tests/add.test.mjs": TEST.replace("test(", "test.skip("),
  });
  at.branch("harmless", {
    "tests/add.test.mjs": TEST.replace("assert.equal(add(1, 2), 3)", "assert.equal(add(2, 2), 4)"),
  });
  const result = await at.land({ named: ["cheat", "harmless"], settings });
  expect(names(result.landed)).toEqual(["harmless"]);
  expect(result.returned).toMatchObject([{ branch: { name: "cheat" }, why: "weaker" }]);
  expect(result.returned[0]?.message).toContain("tests/add.test.mjs");
  const taken = await at.land({ named: ["cheat"], settings, acceptWeaker: true });
  expect(taken.landed.length + taken.returned.length).toBe(1);
});

test("a branch that empties the script behind a link that a gate runs goes back", async () => {
  const CHECK = "#!/bin/sh\ngrep -q right src/work.txt\n";
  const at = landing({ "src/work.txt": "right\n", "tools/real.sh": CHECK });
  symlinkSync("tools/real.sh", join(at.dir, "check.sh"));
  at.git("add", "-A");
  at.git("commit", "-qm", "a check by a link");
  at.branch("cheat", { "src/work.txt": "wrong\n", "tools/real.sh": "#!/bin/sh\nexit 0\n" });
  const result = await at.land({ named: ["cheat"], settings: { TEST_COMMAND: "sh ./check.sh" } });
  expect(result.returned).toMatchObject([{ branch: { name: "cheat" }, why: "weaker" }]);
});

test("a branch that has a link in place of the tests leads no frozen file out of the checkout", async () => {
  const TEST = 'import test from "node:test";\ntest("holds", () => {});\n';
  const at = landing({ "tests/a.test.mjs": TEST, "tests/b.test.mjs": TEST });
  work(at, "a", () => {
    rmSync(join(at.dir, "tests"), { recursive: true });
    symlinkSync("../../../tests", join(at.dir, "tests"));
  });
  at.write({ "tests/a.test.mjs": `${TEST}// mine\n` });
  await at.land({ named: ["a"], settings: { TEST_COMMAND: "node --test tests/*.mjs" } });
  expect([at.read("tests/a.test.mjs"), at.read("tests/b.test.mjs")]).toEqual([`${TEST}// mine\n`, TEST]);
  expectTidy(at);
});

test("a flaky check is counted and told, and blames nobody", async () => {
  const at = landing({});
  const mark = join(dirname(at.dir), "mark");
  at.branch("a", { "a.txt": "a" });
  const result = await at.land({
    named: ["a"],
    settings: { TEST_COMMAND: `test -f ${mark} || { touch ${mark}; exit 1; }` },
  });
  expect(names(result.landed)).toEqual(["a"]);
  expect(result.flakes).toBe(1);
  expect(at.events.find(({ type }) => type === "land_tested")).toMatchObject({
    green: true,
    flaky: [expect.any(String)],
  });
});

test("a red target blames nobody", async () => {
  const at = landing({ ...CHECK, "bad.txt": "BROKEN" });
  at.branch("a", { "a.txt": "a" });
  const result = await at.land({ named: ["a"] });
  expect(result).toMatchObject({
    landed: [],
    returned: [],
    left: [{ name: "a", why: expect.stringContaining("red without it") }],
  });
  at.branch("mend", { "bad.txt": "good" });
  expect(names((await at.land({ named: ["a", "mend"] })).landed)).toContain("mend");
});

test("what a gate leaves in its checkout is not there for the next one", async () => {
  const at = landing({
    "check.sh": "test ! -e junk && touch junk && ! test -e c.txt\n",
    ".gitignore": ".ralph/\njunk\n",
  });
  for (const name of ["a", "b", "c"]) at.branch(name, { [`${name}.txt`]: name });
  const result = await at.land({ named: ["a", "b", "c"] });
  // The first run of a red gate leaves its own junk to the second.
  expect(names(result.landed)).toEqual(["a", "b"]);
});

describe("refused with nothing changed", () => {
  test.each<[string, (at: Landing) => void, Parameters<Landing["land"]>[0], RegExp]>([
    ["no such target", () => {}, { named: ["a"], onto: "nowhere" }, /There is no branch nowhere to land on/],
    [
      "no branch checked out",
      (at) => at.git("checkout", "--quiet", "--detach"),
      { named: ["a"] },
      /No branch is checked out here/,
    ],
    [
      "no commit",
      (at) => at.git("checkout", "--quiet", "--orphan", "empty"),
      { named: ["a"] },
      /The branch empty has no commit yet/,
    ],
    ["no gate", () => {}, { named: ["a"], settings: { TEST_COMMAND: null } }, /this project has no gate/],
    [
      "no repository",
      (at) => rmSync(join(at.dir, ".git"), { recursive: true }),
      { named: ["a"] },
      /is in no git repository/,
    ],
    [
      "a repository that git refuses",
      (at) => writeFileSync(join(at.dir, ".git/config"), "[core\n"),
      { named: ["a"] },
      /`git symbolic-ref` failed: fatal: bad config line 1/,
    ],
  ])("%s", async (_, prepare, call, words) => {
    const at = landing(CHECK);
    prepare(at);
    expect(at.land(call)).rejects.toThrow(words);
    expect(at.has(".ralph/worktrees/.land")).toBe(false);
  });

  test("without a gate only where a person says so", async () => {
    const at = landing(CHECK);
    at.branch("a", { "a.txt": "a" });
    const result = await at.land({ named: ["a"], settings: { TEST_COMMAND: null }, untested: true });
    expect([names(result.landed), result.tested]).toEqual([["a"], 0]);
    const types = at.events.map(({ type }) => type);
    // Whoever reads the journal must not take it for tested.
    expect(types).not.toContain("land_tested");
    expect(at.events.find(({ type }) => type === "land_stacked")).toMatchObject({ untested: true });
  });

  test("a branch that does not exist, and the target itself, are named and left", async () => {
    const at = landing(CHECK);
    const result = await at.land({ named: ["gone", "main"] });
    expect(result.left).toEqual([
      { name: "gone", why: "there is no such branch" },
      { name: "main", why: "it is the branch to land on" },
    ]);
  });
});

/** A person tries again where a lander was faster. */
function pushed(push: () => void, tries = 20): void {
  try {
    push();
  } catch (error) {
    if (tries === 0) throw error;
    pushed(push, tries - 1);
  }
}

describe("a remote", () => {
  function remote(): { hub: string; at: Landing; other: Landing } {
    const first = landing({ ...CHECK, ".ralph/@fix_plan.md": "- [ ] one\n- [ ] two\n- [ ] three\n- [ ] four\n" });
    const hub = join(dirname(first.dir), "hub.git");
    execFileSync("git", ["clone", "--quiet", "--bare", first.dir, hub], { env: first.env });
    return { hub, at: landing({}, { clone: hub, hub }), other: landing({}, { clone: hub, hub }) };
  }

  test("gets the target, and loses claim and branch, in one push; what is checked out here stays", async () => {
    const { hub, at } = remote();
    await at.handIn("aaaaaaaaaaaa", "one", { "1.txt": "1" });
    const before = at.git("rev-parse", "HEAD");
    await at.land();
    expect(at.gitIn(hub, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
    expect(at.gitIn(hub, "show", "main:.ralph/@fix_plan.md")).toContain("- [x] one");
    expect(at.git("rev-parse", "HEAD")).toBe(before);
  });

  test("two landers and a person at once: all of it is there in the end, each task once", async () => {
    const { hub, at, other } = remote();
    await at.handIn("aaaaaaaaaaaa", "one", { "1.txt": "1" });
    await at.handIn("bbbbbbbbbbbb", "two", { "2.txt": "2" });
    await other.handIn("cccccccccccc", "three", { "3.txt": "3" });
    await other.handIn("dddddddddddd", "four", { "4.txt": "4" });
    const person = join(dirname(at.dir), "person");
    at.gitIn(dirname(at.dir), "clone", "--quiet", hub, person);
    const push = async () => {
      for (let n = 0; n < 3; n += 1) {
        writeFileSync(join(person, `p${n}.md`), `${n}`);
        at.gitIn(person, "add", "--all");
        at.gitIn(person, "commit", "--quiet", "-m", `person ${n}`);
        pushed(() => {
          at.gitIn(person, "pull", "--quiet", "--rebase");
          at.gitIn(person, "push", "--quiet");
        });
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await Promise.all([at.land(), other.land(), push()]);
    for (let pass = 0; pass < 3 && (await at.claims()).size > 0; pass += 1) await at.land();
    expect((await at.claims()).size).toBe(0);
    const files = at.gitIn(hub, "ls-tree", "--name-only", "main").split("\n");
    for (const file of ["1.txt", "2.txt", "3.txt", "4.txt", "p0.md", "p1.md", "p2.md"]) expect(files).toContain(file);
    const landed = at
      .gitIn(hub, "log", "--first-parent", "--format=%s", "main")
      .split("\n")
      .filter((line) => line.startsWith("Land:"));
    expect(landed.sort()).toEqual(["Land: four", "Land: one", "Land: three", "Land: two"]);
    expect(at.gitIn(hub, "show", "main:.ralph/@fix_plan.md")).toBe("- [x] one\n- [x] two\n- [x] three\n- [x] four");
  });

  test("that refuses leaves everything as it is, and says what it said", async () => {
    const { hub, at } = remote();
    await at.handIn("aaaaaaaaaaaa", "one", { "1.txt": "1" });
    const hook = join(hub, "hooks", "pre-receive");
    writeFileSync(hook, "#!/bin/sh\necho 'main is protected' >&2\nexit 1\n");
    chmodSync(hook, 0o755);
    const before = at.gitIn(hub, "for-each-ref");
    const result = await at.land();
    expect(result.left[0]?.why).toContain("main is protected");
    expect(at.gitIn(hub, "for-each-ref")).toBe(before);
    expect((await at.claims()).get("aaaaaaaaaaaa")).toMatchObject({ state: "handed_in" });
    expectTidy(at);
  });
});

describe("a filter that the repository requires and that fails", () => {
  /** `*.sec` go through it from now on, and it has no key for those with the word LOCKED. */
  function lock(at: Landing): void {
    const smudge = `awk '/LOCKED/ { print "no key for it" > "/dev/stderr"; exit 3 } { print }'`;
    at.git("config", "filter.crypt.clean", "cat");
    at.git("config", "filter.crypt.smudge", smudge);
    at.git("config", "filter.crypt.required", "true");
  }
  const FILES = { ...CHECK, ".gitattributes": "*.sec filter=crypt\n", "a.sec": "1\n" };
  const WHY = "The filter crypt, which the repository requires, failed on b.sec: no key for it";

  test("on the files of a branch leaves that branch, named with the filter, and the others land", async () => {
    const at = landing(FILES);
    const locked = at.branch("locked", { "b.sec": "LOCKED\n", "b.txt": "1\n" });
    at.branch("open", { "c.txt": "1\n", "b.txt": "2\n" });
    lock(at);
    const { landed, left, returned } = await at.land({ named: ["locked", "open"] });
    expect([names(landed), returned]).toEqual([["open"], []]);
    expect(left).toEqual([{ name: "locked", why: expect.stringContaining(WHY) }]);
    expect(left[0]?.why).toContain("git config --get-regexp '^filter\\.crypt\\.'");
    expect(at.git("rev-parse", "locked")).toBe(locked);
    expect(at.events.some((event) => event.type === "note" && event.text.includes(WHY))).toBe(true);
    expectTidy(at);
  });

  test("on the target's own files leaves all, and the target as it is", async () => {
    const at = landing(FILES);
    at.write({ "b.sec": "LOCKED\n" });
    at.git("add", ".");
    at.git("commit", "--quiet", "-m", "locked");
    const from = at.git("rev-parse", "main");
    at.branch("open", { "c.txt": "1\n" }, "main^");
    lock(at);
    const { landed, left } = await at.land({ named: ["open"] });
    expect([landed, left]).toEqual([[], [{ name: "open", why: expect.stringContaining(WHY) }]]);
    expect(at.git("rev-parse", "main")).toBe(from);
    expect(at.events.some((event) => event.type === "land_held" && event.text.includes(WHY))).toBe(true);
    expectTidy(at);
  });
});

test("in a shallow clone that lacks the common history a branch is left, and no conflict is made of it", async () => {
  const at = landing(CHECK);
  await at.handIn("0123456789ab", "one", { "one.txt": "1\n" });
  at.write({ "two.txt": "2\n" });
  at.git("add", ".");
  at.git("commit", "--quiet", "-m", "the target goes on");
  writeFileSync(join(at.dir, ".git/shallow"), `${at.git("rev-parse", "main")}\n`);
  const { left, returned } = await at.land();
  expect(returned).toEqual([]);
  expect(left).toEqual([{ name: "ralph/0123456789ab", why: expect.stringContaining("git fetch --unshallow") }]);
  expect((await at.claims()).get("0123456789ab")).toMatchObject({ state: "handed_in", tries: 0 });
});

test("where git knows nobody all of it lands, by ralph", async () => {
  const at = landing(CHECK);
  at.branch("a", { "a.txt": "a" });
  at.write({ "b.txt": "b" });
  at.git("add", ".");
  at.git("commit", "--quiet", "-m", "the target goes on");
  for (const name of Object.keys(at.env)) if (/AUTHOR|COMMITTER/.test(name)) delete at.env[name];
  // git may make up a name of the machine's.
  at.git("config", "user.name", "");
  const { landed, left } = await at.land({ named: ["a"] });
  expect([names(landed), left]).toEqual([["a"], []]);
  expect(at.git("log", "-1", "--format=%an %s")).toBe("ralph Land: a");
});
