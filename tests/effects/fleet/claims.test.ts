/** Claims in a real repository that several workers push to. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { isTakeable, type TaskClaim } from "../../../src/core/fleet/claim.ts";
import { createClaimStore } from "../../../src/effects/fleet/claims.ts";
import { createGit } from "../../../src/effects/git/git-program.ts";
import { createSandbox, type Sandbox } from "../git/git-sandbox.ts";

const TASK = "0123456789ab";
const claimed = (name: string, until = 5): TaskClaim => ({
  ...{ state: "claimed", task: TASK, text: "Say ä „hello“\n" },
  ...{ worker: { name }, until, tries: 0 },
});

const HUBS = ["a bare repository", "the project's own"] as const;

/** A bare repository beside the project or the project's own, and claims in it as a clone sees them. */
function hubOf(box: Sandbox, kind: (typeof HUBS)[number] = HUBS[0]) {
  const hub = kind === HUBS[0] ? join(box.folder, "hub.git") : box.path(".git");
  if (kind === HUBS[0]) box.git("init", "--quiet", "--bare", hub);
  const store = (dir = box.project) => createClaimStore(createGit(dir, box.env), hub, "q");
  return { hub, store };
}

test.each(HUBS)("a task has one claim, which changes only from what was there (%s)", async (kind) => {
  using box = createSandbox();
  const { store } = hubOf(box, kind);
  const claims = store();
  expect(await claims.list()).toEqual(new Map());
  const first = await claims.swap(TASK, null, claimed("a"));
  expect(first).toMatch(/^[0-9a-f]{40}$/);
  expect(await claims.swap(TASK, null, claimed("b"))).toBeNull();
  expect([...(await claims.list())]).toEqual([[TASK, { id: first ?? "", claim: claimed("a") }]]);
  const second = await claims.swap(TASK, first, claimed("a", 9));
  expect(await claims.swap(TASK, first, claimed("b"))).toBeNull();
  expect(await claims.swap(TASK, first, null)).toBeNull();
  expect(await claims.swap(TASK, second, null)).toBe("");
  expect(await claims.list()).toEqual(new Map());
  expect(await claims.swap(TASK, second, claimed("b"))).toBeNull();
});

test.each(HUBS)(
  "of twenty workers that claim a task at once, one has it (%s)",
  async (kind) => {
    using box = createSandbox();
    const { store } = hubOf(box, kind);
    const swaps = Array.from({ length: 20 }, (_, at) => store().swap(TASK, null, claimed(`w${at}`)));
    const won = (await Promise.all(swaps)).flatMap((commit, at) => (commit === null ? [] : [`w${at}`]));
    expect(won).toHaveLength(1);
    const held = (await store().list()).get(TASK);
    expect(held?.claim.worker.name).toBe(won[0] ?? "");
  },
  60_000,
);

test("the project's own repository is a hub for its working trees, and its branches stay as they are", async () => {
  using box = createSandbox();
  box.write({ "a.txt": "1\n" });
  const head = box.commit();
  const own = createClaimStore(createGit(box.project, box.env), box.path(".git"), "q");
  expect(await own.swap(TASK, null, claimed("a"))).not.toBeNull();
  expect((await own.list()).size).toBe(1);
  expect((await createClaimStore(createGit(box.project, box.env), box.project, "q").list()).size).toBe(1);
  expect([box.git("rev-parse", "HEAD"), box.git("status", "--porcelain"), box.git("branch", "--list")]).toEqual([
    head,
    "",
    expect.stringMatching(/^\* \w+$/),
  ]);
  box.git("fsck", "--strict");
});

test("the tree of all claims is written once, and a hub has it though it was pruned here meanwhile", async () => {
  using box = createSandbox();
  const { hub } = hubOf(box);
  const git = createGit(box.project, box.env);
  const asked: string[] = [];
  const need: typeof git.need = (args, options) => {
    asked.push(args[0] ?? "");
    return git.need(args, options);
  };
  const claims = createClaimStore({ ...git, need }, hub, "q");
  const first = await claims.swap(TASK, null, claimed("a"));
  box.git("prune", "--expire=now");
  for (const left of [hub, box.path(".git")]) box.gitIn(left, "update-ref", "-d", `refs/ralph/claims/q/${TASK}`);
  box.gitIn(hub, "prune", "--expire=now");
  expect(await claims.swap(TASK, first, claimed("b"))).toBeNull();
  const second = await claims.swap(TASK, null, claimed("b"));
  expect(asked.filter((command) => command === "mktree")).toHaveLength(1);
  expect(box.gitIn(hub, "fsck", "--strict", "--no-dangling")).toBe("");
  expect((await claims.list()).get(TASK)?.id).toBe(second ?? "");
});

test("another clone reads hundreds of claims, and those that change meanwhile", async () => {
  using box = createSandbox();
  const { hub, store } = hubOf(box);
  const clone = join(box.folder, "clone");
  box.git("clone", "--quiet", hub, clone);
  const ours = store();
  const tree = box.git("mktree");
  const message = JSON.stringify({ ...claimed("a"), text: "one of many" });
  const commit = box.git("commit-tree", tree, "-m", message);
  const specs = Array.from({ length: 300 }, (_, at) => `${commit}:refs/ralph/claims/q/${String(at).padStart(12, "0")}`);
  box.git("push", "--quiet", hub, ...specs);
  const theirs = store(clone);
  expect((await theirs.list()).size).toBe(300);
  const changes = Array.from({ length: 10 }, async (_, at) => {
    const task = String(at).padStart(12, "0");
    const next = await ours.swap(task, commit, claimed("b", at));
    if (at % 2 === 0) await ours.swap(task, next, null);
  });
  const looks = Array.from({ length: 5 }, () => theirs.list());
  await Promise.all([...changes, ...looks]);
  expect((await theirs.list()).size).toBe(295);
}, 60_000);

test.each(HUBS)("what ralph did not write is no claim, and stays (%s)", async (kind) => {
  using box = createSandbox();
  const { hub, store } = hubOf(box, kind);
  box.write({ "a.txt": "1\n" });
  box.commit();
  box.git("push", "--quiet", hub, "HEAD:refs/ralph/claims/q/other");
  expect(await store().list()).toEqual(new Map());
  expect(box.git("ls-remote", hub, "refs/ralph/claims/q/other")).toContain("refs/ralph/claims/q/other");
});

test.each(HUBS)(
  "a task whose claim cannot be read is a person's: nobody takes it, and it can be given back (%s)",
  async (kind) => {
    using box = createSandbox();
    const { hub, store } = hubOf(box, kind);
    box.write({ "a.txt": "1\n" });
    box.commit();
    const tree = box.git("mktree");
    const commit = (message: string) => box.git("commit-tree", tree, "-m", message);
    const odd = [
      commit(JSON.stringify({ ...claimed("a"), state: "held", version: 2 })),
      commit(JSON.stringify({ ...claimed("a"), task: "ffffffffffff" })),
      commit("{"),
      tree,
      box.git("rev-parse", "HEAD:a.txt"),
    ];
    for (const [at, id] of odd.entries()) box.git("push", "--quiet", hub, `${id}:refs/ralph/claims/q/00000000000${at}`);
    box.git("tag", "-a", "-m", "a tag", "tag");
    box.git("push", "--quiet", hub, "tag:refs/ralph/claims/q/000000000005", "tag:refs/ralph/claims/q/name/inside");
    const claims = store();
    const held = await claims.list();
    expect([...held.keys()].sort()).toEqual([0, 1, 2, 3, 4, 5].map((at) => `00000000000${at}`));
    for (const [task, { id, claim }] of held) {
      expect(claim).toMatchObject({ state: "parked", task, branch: null });
      expect(isTakeable(claim, Date.now())).toBe(false);
      expect(await claims.swap(task, id, null)).toBe("");
    }
    expect(await claims.list()).toEqual(new Map());
  },
);

test.each(HUBS)(
  "a claim that the hub cannot change, though it is as it was, is no other worker's: git's reason is told (%s)",
  async (kind) => {
    using box = createSandbox();
    const { hub, store } = hubOf(box, kind);
    box.write({ "a.txt": "1\n" });
    box.commit();
    box.git("push", "--quiet", hub, `HEAD:refs/ralph/claims/q/${TASK}/below`);
    await expect(store().swap(TASK, null, claimed("a"))).rejects.toThrow(/`git (?:push|update-ref)` failed: .*below/s);
  },
);

test("a hub that is not there is told by what git says", async () => {
  using box = createSandbox();
  const claims = createClaimStore(createGit(box.project, box.env), join(box.folder, "none.git"), "q");
  await expect(claims.list()).rejects.toThrow(/`git ls-remote` failed: .*none\.git/s);
  await expect(claims.swap(TASK, null, claimed("a"))).rejects.toThrow(/`git push` failed: .*none\.git/s);
});
