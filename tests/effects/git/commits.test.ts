import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { type Commit, listNew } from "../../../src/effects/git/commits.ts";
import { createWorkspace } from "../../../src/effects/project/workspace.ts";
import { seed } from "../../seed.ts";
import { createSandbox, openSandbox, type Sandbox } from "./git-sandbox.ts";

/** The workspace finds no git program, so only files can answer. */
const withoutGit = (box: Sandbox, folder = box.project) =>
  createWorkspace(folder, { env: { ...box.env, PATH: box.folder } });

async function gained(box: Sandbox, action: () => void, folder = box.project) {
  const workspace = withoutGit(box, folder);
  const before = await workspace.snapshot();
  const old = workspace.head();
  action();
  const { commits, headMoved } = await workspace.changes(before, await workspace.snapshot());
  const range = old === null ? ["HEAD"] : ["HEAD", `^${old}`];
  const expected = box
    .gitIn(folder, "rev-list", "--max-count=50", ...range)
    .split("\n")
    .filter((id) => id !== "");
  return { commits, headMoved, expected };
}

const actions: Record<string, (box: Sandbox) => void> = {
  "one commit": (box) => void box.commit(),
  "three commits": (box) => {
    for (const name of ["a", "b", "c"]) box.commit(name);
  },
  "a merge of a branch that is older": (box) => {
    box.git("checkout", "--quiet", "-b", "old", "HEAD~1");
    box.commit("old");
    box.git("checkout", "--quiet", "main");
    box.git("merge", "--quiet", "--no-edit", "old");
  },
  "a commit, amended": (box) => {
    box.commit("a");
    box.git("commit", "--quiet", "--amend", "--allow-empty", "--message", "b");
  },
  "the last commit, amended": (box) => void box.git("commit", "--quiet", "--amend", "--allow-empty", "--message", "b"),
  "a reset to an older commit": (box) => void box.git("reset", "--quiet", "--hard", "HEAD~1"),
  "a commit and gc": (box) => {
    box.commit("a");
    box.git("gc", "--quiet", "--prune=now");
  },
  "a switch to an unrelated branch": (box) => {
    box.git("checkout", "--quiet", "--orphan", "other");
    box.commit("other");
  },
};

test.each(Object.keys(actions))("commits that HEAD gained by %s are those of git rev-list", async (name) => {
  using box = createSandbox();
  box.commit("first");
  box.commit("second");
  const { commits, headMoved, expected } = await gained(box, () => actions[name]?.(box));
  expect(commits.toSorted()).toEqual(expected.toSorted());
  expect(headMoved).toBeTrue();
});

test("the first commits of a new repository count as gained, newest first", async () => {
  using box = createSandbox();
  const { commits, expected } = await gained(box, () => {
    for (const name of ["a", "b", "c"]) box.commit(name);
  });
  expect(commits).toEqual(expected);
  expect(commits).toHaveLength(3);
});

test("at most 50 commits are listed, the newest", async () => {
  using box = createSandbox();
  const first = box.commit("first");
  const { commits, expected } = await gained(box, () => {
    const stream = Array.from({ length: 60 }, (_, n) => [
      "commit refs/heads/main",
      `committer A <a@example.org> ${2_000_000_000 + n} +0000`,
      "data 1",
      "x",
      ...(n === 0 ? [`from ${first}`] : []),
      "",
    ]);
    Bun.spawnSync(["git", "fast-import", "--quiet"], {
      cwd: box.project,
      env: box.env,
      stdin: Buffer.from(stream.flat().join("\n")),
    });
  });
  expect(commits).toEqual(expected);
  expect(commits).toHaveLength(50);
});

test("commits in a linked worktree are found", async () => {
  using box = createSandbox();
  box.commit();
  box.git("worktree", "add", "--quiet", "-b", "side", "../side");
  const side = openSandbox(box.folder, join(box.folder, "side"));
  const { commits, expected } = await gained(box, () => void side.commit(), side.project);
  expect(commits).toEqual(expected);
  expect(commits).toHaveLength(1);
});

test("commits that lie in alternates are found", async () => {
  using box = createSandbox();
  box.commit("a");
  box.gitIn(box.folder, "clone", "--quiet", "--shared", "project", "clone");
  const clone = openSandbox(box.folder, join(box.folder, "clone"));
  const { commits, expected } = await gained(
    box,
    () => {
      box.commit("b");
      box.git("gc", "--quiet");
      clone.git("pull", "--quiet");
    },
    clone.project,
  );
  expect(commits).toEqual(expected);
  expect(commits).toHaveLength(1);
});

test("the commits of a shallow clone end where it is cut", async () => {
  using box = createSandbox();
  box.commit("a");
  box.commit("b");
  box.gitIn(box.folder, "clone", "--quiet", "--depth=1", `file://${box.project}`, "clone");
  const clone = openSandbox(box.folder, join(box.folder, "clone"));
  const { commits, expected } = await gained(
    box,
    () => {
      clone.git("checkout", "--quiet", "--orphan", "other");
      clone.commit("c");
      clone.git("merge", "--quiet", "--no-edit", "--allow-unrelated-histories", "main");
    },
    clone.project,
  );
  expect(commits).toEqual(expected);
  expect(commits).toHaveLength(2);
});

test.each(["with", "without"])(
  "commits of a sha256 repository are listed only by a git program (%s one)",
  async (how) => {
    using box = createSandbox();
    rmSync(box.path(".git"), { recursive: true });
    box.git("init", "--quiet", "--object-format=sha256");
    box.commit("a");
    const workspace = how === "with" ? box.workspace() : withoutGit(box);
    const before = await workspace.snapshot();
    box.write({ "a.txt": "a" });
    const oid = box.commit("b");
    expect(await workspace.changes(before, await workspace.snapshot())).toEqual({
      files: ["a.txt"],
      commits: how === "with" ? [oid] : [],
      headMoved: true,
    });
  },
);

test("unreadable objects cause no error: HEAD moved, but no commit is listed", async () => {
  using box = createSandbox();
  box.commit();
  const workspace = withoutGit(box);
  const before = await workspace.snapshot();
  box.write({ ".git/refs/heads/main": `${"1".repeat(40)}\n` });
  expect(await workspace.changes(before, await workspace.snapshot())).toEqual({
    files: [],
    commits: [],
    headMoved: true,
  });
});

test.each(["sha1", "sha256"])(
  "the subject of a commit is read in a %s repository, and null if there is none",
  async (format) => {
    using box = createSandbox();
    rmSync(box.path(".git"), { recursive: true });
    box.git("init", "--quiet", `--object-format=${format}`);
    const workspace = format === "sha1" ? withoutGit(box) : box.workspace();
    box.git("commit", "--quiet", "--allow-empty", "--message", "feat: 日本 menu\n\nWhy.");
    expect(await workspace.subject(box.git("rev-parse", "HEAD").trim())).toBe("feat: 日本 menu");
    box.git("commit", "--quiet", "--allow-empty", "--allow-empty-message", "--message", "");
    expect(await workspace.subject(box.git("rev-parse", "HEAD").trim())).toBeNull();
    expect(await workspace.subject("1".repeat(40))).toBeNull();
  },
);

/** A history as a table: each commit comes after its parents; clocks may be wrong. */
const history = fc
  .array(fc.record({ parents: fc.array(fc.nat(7), { maxLength: 3 }), time: fc.nat(20) }), {
    minLength: 2,
    maxLength: 14,
  })
  .map((rows) =>
    rows.map(({ parents, time }, at) => ({
      parents: [...new Set(parents.map((back) => at - 1 - back))].filter((parent) => parent >= 0).map(String),
      time: at * 2 + time,
    })),
  );

function reachable(table: readonly Commit[], from: string): Set<string> {
  const found = new Set<string>();
  const visit = (id: string) => {
    if (found.has(id)) return;
    found.add(id);
    table[Number(id)]?.parents.forEach(visit);
  };
  visit(from);
  return found;
}

test("with correct clocks, even slow ones, the new commits of any history are those that only the new end reaches", async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.nat(), fc.nat(), async (rows, a, b) => {
      const table = rows.map(({ parents }, at) => ({ parents, time: Math.floor(at / 3) }));
      const [before, after] = [String(a % table.length), String(b % table.length)];
      const read = async (id: string) => table[Number(id)] ?? { parents: [], time: 0 };
      const old = reachable(table, before);
      const expected = [...reachable(table, after)].filter((id) => !old.has(id));
      expect((await listNew(before, after, read)).toSorted()).toEqual(expected.toSorted());
    }),
    { seed },
  );
});

test("with wrong clocks, no new commit is missed", async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.nat(), fc.nat(), async (table, a, b) => {
      const [before, after] = [String(a % table.length), String(b % table.length)];
      const read = async (id: string) => table[Number(id)] ?? { parents: [], time: 0 };
      const old = reachable(table, before);
      const found = await listNew(before, after, read);
      const expected = [...reachable(table, after)].filter((id) => !old.has(id));
      expect(expected.filter((id) => !found.includes(id))).toEqual([]);
    }),
    { seed },
  );
});
