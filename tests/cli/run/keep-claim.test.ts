/** A claim that is kept and released, and the work that goes with it: two clones and their hub, with the real git. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { keepClaim } from "../../../src/cli/run/keep-claim.ts";
import type { TaskClaim } from "../../../src/core/fleet/claim.ts";
import { type ClaimStore, createClaimStore } from "../../../src/effects/fleet/claims.ts";
import { ConflictError } from "../../../src/effects/fleet/left-work.ts";
import { commitTask, openTaskBranch, prepareHandIn } from "../../../src/effects/fleet/task-branch.ts";
import { createGit } from "../../../src/effects/git/git-program.ts";
import { createSandbox, openSandbox, type Sandbox } from "../../effects/git/git-sandbox.ts";

const TASK = { id: "0123456789ab", text: "the task" };
const BRANCH = `ralph/the-task-${TASK.id}`;
const about = { task: TASK.id, text: TASK.text, tries: 0 };

/** A hub with a target, and workers in clones of it. */
function fleet(box: Sandbox) {
  box.write({ "a.txt": "1\n" });
  box.commit();
  const hub = join(box.folder, "hub.git");
  box.git("clone", "--quiet", "--bare", ".", hub);
  const worker = async (name: string, changed: (claims: ClaimStore) => ClaimStore = (claims) => claims) => {
    const dir = join(box.folder, name);
    box.git("clone", "--quiet", hub, dir);
    const at = openSandbox(box.folder, dir);
    const git = createGit(dir, box.env);
    const claims = createClaimStore(git, hub, "q");
    let until = 0;
    const claimed = (): TaskClaim => {
      until += 1;
      return { state: "claimed", ...about, worker: { name }, until };
    };
    /** Takes the task, whoever has it, and begins or goes on with its branch. */
    const take = async (isReturned = false) => {
      const before = (await claims.list()).get(TASK.id)?.id ?? null;
      const commit = (await claims.swap(TASK.id, before, claimed())) ?? "";
      const of = changed(claims);
      const held = keepClaim({ claims: of, renewals: of, task: TASK.id, commit, claimed, everyMs: 3_600_000 });
      const place = { branch: BRANCH, target: "main", hub, own: [], builtOn: [] };
      await openTaskBranch(git, { ...place, isReturned, isKept: false });
      return held;
    };
    const prepare = async () => {
      await commitTask(git, { task: TASK, run: "r", isDone: true, isAgain: false });
      return prepareHandIn(git, { task: TASK.id, branch: BRANCH, hub, receipt: "{}\n" });
    };
    const handedIn = (commit: string): TaskClaim => ({
      ...{ state: "handed_in", ...about, worker: { name } },
      ...{ branch: BRANCH, commit },
    });
    return { ...at, dir, claims, take, prepare, handedIn };
  };
  const inHub = (...words: string[]) => box.gitIn(hub, ...words);
  return { hub, worker, inHub };
}

test("a worker that lost its task changes nothing of what another has handed in", async () => {
  using box = createSandbox();
  const { worker, inHub } = fleet(box);
  const [first, second] = [await worker("first"), await worker("second")];
  const lost = await first.take();
  first.write({ "first.txt": "1\n" });
  const took = await second.take();
  second.write({ "second.txt": "2\n" });
  const whole = await second.prepare();
  expect(await took.release(second.handedIn(whole.commit), whole.along)).toBe(true);
  expect(inHub("rev-parse", BRANCH)).toBe(whole.commit);
  // It has not heard of it: this is the push of a worker that was asleep. Of the other's work it even has the commits.
  first.git("fetch", "--quiet", "origin", BRANCH);
  const late = await first.prepare();
  expect(await lost.release(first.handedIn(late.commit), late.along)).toBe(false);
  expect(inHub("rev-parse", BRANCH)).toBe(whole.commit);
  expect((await first.claims.list()).get(TASK.id)?.claim.worker.name).toBe("second");
});

test("what a worker made of a task that it lost is kept under another name when the task comes back to it", async () => {
  using box = createSandbox();
  const { worker, inHub } = fleet(box);
  const [first, second] = [await worker("first"), await worker("second")];
  await first.take();
  first.write({ "first.txt": "1\n" });
  const stray = (await first.prepare()).commit;
  const took = await second.take();
  second.write({ "second.txt": "2\n" });
  const whole = await second.prepare();
  await took.release(second.handedIn(whole.commit), whole.along);
  const again = await first.take(true);
  expect(first.git("rev-parse", "HEAD")).toBe(whole.commit);
  expect(first.git("branch", "--list", "--format=%(objectname)", `${BRANCH}-aside-*`)).toBe(stray);
  first.write({ "third.txt": "3\n" });
  const { commit, along } = await first.prepare();
  expect(await again.release(first.handedIn(commit), along)).toBe(true);
  expect(inHub("ls-tree", "--name-only", BRANCH).split("\n")).toEqual(["a.txt", "second.txt", "third.txt"]);
  // The receipt, over that of the other one, whose notes this clone never had.
  expect(inHub("notes", `--ref=ralph/${TASK.id}`, "show", commit)).toBe("{}");
});

test("a push of which the answer was lost counts", async () => {
  using box = createSandbox();
  const { worker, inHub } = fleet(box);
  let isCut = true;
  const first = await worker("first", (claims) => ({
    ...claims,
    async swap(...args) {
      const commit = await claims.swap(...args);
      if (isCut) {
        isCut = false;
        // As git that asks again sees it: the ref is not what it was.
        return claims.swap(...args);
      }
      return commit;
    },
  }));
  const held = await first.take();
  first.write({ "first.txt": "1\n" });
  const { commit, along } = await first.prepare();
  expect(await held.release(first.handedIn(commit), along)).toBe(true);
  expect(inHub("rev-parse", BRANCH)).toBe(commit);
});

test("a claim that was renewed without an answer is still the worker's", async () => {
  using box = createSandbox();
  const { worker, inHub } = fleet(box);
  const first = await worker("first");
  const held = await first.take();
  const now = (await first.claims.list()).get(TASK.id);
  await first.claims.swap(TASK.id, now?.id ?? "", {
    ...{ state: "claimed", ...about, worker: { name: "first" } },
    until: 99,
  });
  const { commit, along } = await first.prepare();
  expect(await held.release(first.handedIn(commit), along)).toBe(true);
  expect(inHub("rev-parse", BRANCH)).toBe(commit);
});

describe("what an agent did beside the task's branch", () => {
  const begun = async (box: Sandbox, ...words: string[]) => {
    const { worker, inHub } = fleet(box);
    const first = await worker("first");
    const held = await first.take();
    first.git("switch", "--quiet", ...words);
    first.write({ "first.txt": "1\n" });
    return { first, held, inHub };
  };

  test.each([
    ["another branch", ["--create", "feature"]],
    ["none", ["--detach"]],
  ])("is on the branch once it is handed in, though it was on %s", async (_, words) => {
    using box = createSandbox();
    const { first, held, inHub } = await begun(box, ...words);
    const { commit, along } = await first.prepare();
    expect(first.git("rev-parse", BRANCH)).toBe(commit);
    expect(await held.release(first.handedIn(commit), along)).toBe(true);
    expect(inHub("ls-tree", "--name-only", BRANCH).split("\n")).toEqual(["a.txt", "first.txt"]);
  });

  test("takes nothing from the branch where that has it all", async () => {
    using box = createSandbox();
    const { first } = await begun(box, BRANCH);
    const whole = first.commit();
    first.git("switch", "--quiet", "--detach", "main");
    expect((await first.prepare()).commit).toBe(whole);
  });

  test("is kept on a branch of its own for a person, where each has what the other lacks", async () => {
    using box = createSandbox();
    const { first } = await begun(box, BRANCH);
    const some = first.commit();
    first.git("switch", "--quiet", "--detach", "main");
    first.write({ "second.txt": "2\n" });
    const refused = await first.prepare().then(
      () => null,
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(ConflictError);
    expect(first.git("rev-parse", BRANCH)).toBe(some);
    const aside = first.git("branch", "--list", "--format=%(refname)", `${BRANCH}-aside-*`);
    expect(first.git("ls-tree", "--name-only", aside).split("\n")).toEqual(["a.txt", "second.txt"]);
  });
});

test("what a person pushed to the branch of a task is not overwritten; what the agent rewrote is", async () => {
  using box = createSandbox();
  const { worker, hub, inHub } = fleet(box);
  const [first, person] = [await worker("first"), await worker("person")];
  const held = await first.take();
  first.write({ "first.txt": "1\n" });
  person.write({ "person.txt": "mine\n" });
  const pushed = person.commit();
  person.git("push", "--quiet", hub, `HEAD:${BRANCH}`);
  const refused = await first.prepare().then(
    () => null,
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(ConflictError);
  expect(inHub("rev-parse", BRANCH)).toBe(pushed);
  await held.release(null);

  const again = await first.take();
  expect(first.git("show", "HEAD:person.txt")).toBe("mine");
  first.git("commit", "--quiet", "--amend", "--message", "rewritten");
  const { commit, along } = await first.prepare();
  expect(await again.release(first.handedIn(commit), along)).toBe(true);
  expect(inHub("rev-parse", BRANCH)).toBe(commit);
});
