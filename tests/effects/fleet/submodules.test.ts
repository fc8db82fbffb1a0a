/** A worker that cannot have a commit of a submodule: nothing of what was done there is taken back. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { leaveTaskBranch, openTaskBranch } from "../../../src/effects/fleet/task-branch.ts";
import { createGit } from "../../../src/effects/git/git-program.ts";
import { createSandbox, openSandbox, type Sandbox } from "../git/git-sandbox.ts";

const BRANCH = "ralph/one-0123456789ab";
const FILES = ["-c", "protocol.file.allow=always"];

/** A repository with the submodule `lib`, and a worker's checkout of both. */
function withWorker(box: Sandbox): { source: string; dir: string; there: Sandbox } {
  const source = join(box.folder, "lib");
  box.git("init", "--quiet", source);
  box.git("-C", source, "commit", "--quiet", "--allow-empty", "-m", "lib");
  box.git(...FILES, "submodule", "--quiet", "add", source, "lib");
  box.write({ "a.txt": "start\n" });
  box.commit();
  const dir = join(box.folder, "worker");
  box.git("worktree", "add", "--quiet", "--detach", dir);
  const there = openSandbox(box.folder, dir);
  there.git(...FILES, "submodule", "--quiet", "update", "--init");
  return { source, dir, there };
}

test.each([
  ["of work that another began", { changes: BRANCH, text: "one\n", isReturned: false }],
  ["of the target, for work that came back", { changes: "main", text: "one\n", isReturned: true }],
  ["of the target, for work in conflict with it", { changes: "main", text: "main\n", isReturned: true }],
])("a submodule's commit that its remote lacks, %s, stays in the branch", async (_, { changes, text, isReturned }) => {
  using box = createSandbox();
  const { dir, there } = withWorker(box);
  box.git("branch", BRANCH);
  if (isReturned) {
    there.git("switch", "--quiet", BRANCH);
    there.write({ "a.txt": "one\n" });
    there.commit();
  } else box.git("switch", "--quiet", BRANCH);
  box.git("-C", "lib", "commit", "--quiet", "--allow-empty", "-m", "inside");
  box.write({ "a.txt": text });
  box.commit();
  const commit = box.git("rev-parse", `${changes}:lib`);
  if (!isReturned) box.git("switch", "--quiet", "--detach");
  const before = there.git("rev-parse", "HEAD:lib");
  const isInConflict = text === "main\n";

  const git = createGit(dir, box.env);
  const at = { branch: BRANCH, target: "main", hub: box.path(".git"), own: [], builtOn: [], isReturned, isKept: false };
  const said = await openTaskBranch(git, at).catch(String);
  await leaveTaskBranch(git, { branch: BRANCH, onto: box.git("rev-parse", "main"), isHeld: false });
  expect(box.git("rev-parse", `${BRANCH}:lib`)).toBe(isInConflict ? before : commit);
  expect(box.git("log", "--format=%s", BRANCH)).not.toContain("Left uncommitted");
  expect(there.git("status", "--porcelain", "-uall")).toBe("");
  expect(said).toContain(`it needs commit ${commit} of the submodule lib, which its remote does not have`);
});

test("what a kill left between a branch and its submodule is nobody's work", async () => {
  using box = createSandbox();
  const { dir, there } = withWorker(box);
  box.git("-C", "lib", "commit", "--quiet", "--allow-empty", "-m", "inside");
  box.git("switch", "--quiet", "--create", BRANCH);
  box.commit();
  const commit = box.git("rev-parse", `${BRANCH}:lib`);
  box.git("switch", "--quiet", "main");
  // Its submodule would have followed.
  there.git("switch", "--quiet", BRANCH);
  there.write({ "a.txt": "left\n" });
  const left = { branch: BRANCH, onto: box.git("rev-parse", "main"), isHeld: true };
  await leaveTaskBranch(createGit(dir, box.env), left);
  expect(box.git("rev-parse", `${BRANCH}:lib`)).toBe(commit);
  expect(box.git("show", `${BRANCH}:a.txt`)).toBe("left");
});

test("a commit of a submodule inside a submodule that no remote has keeps a ref as both follow", async () => {
  using box = createSandbox();
  const at = (name: string) => join(box.folder, name);
  for (const [name, inside] of [["inner"], ["lib", "inner"]] as const) {
    box.git("init", "--quiet", at(name));
    if (inside !== undefined) box.git("-C", at(name), ...FILES, "submodule", "--quiet", "add", at(inside), inside);
    box.git("-C", at(name), "commit", "--quiet", "--allow-empty", "-m", name);
  }
  box.git(...FILES, "submodule", "--quiet", "add", at("lib"), "lib");
  box.commit();
  const dir = at("worker");
  box.git("worktree", "add", "--quiet", "--detach", dir);
  const there = openSandbox(box.folder, dir);
  there.git(...FILES, "submodule", "--quiet", "update", "--init", "--recursive");
  const before = there.git("-C", "lib/inner", "rev-parse", "HEAD");
  there.git("-C", "lib/inner", "commit", "--quiet", "--allow-empty", "-m", "inside");
  there.git("-C", "lib", "commit", "--quiet", "--all", "-m", "inside");
  there.commit();
  const commit = there.git("-C", "lib/inner", "rev-parse", "HEAD");
  const task = { branch: BRANCH, target: "main", hub: box.path(".git"), own: [], builtOn: [] };
  await openTaskBranch(createGit(dir, box.env), { ...task, isReturned: false, isKept: false });
  expect(there.git("-C", "lib/inner", "rev-parse", "HEAD")).toBe(before);
  expect(there.git("-C", "lib/inner", "rev-parse", `refs/ralph/${commit}`)).toBe(commit);
});

test("a worker that was killed while a submodule was fetched begins again with the commit that its branch has", async () => {
  using box = createSandbox();
  const { source, dir, there } = withWorker(box);
  box.git("-C", source, "commit", "--quiet", "--allow-empty", "-m", "later");
  box.git("-C", "lib", "pull", "--quiet");
  box.git("switch", "--quiet", "--create", BRANCH);
  box.commit();
  const commit = box.git("rev-parse", `${BRANCH}:lib`);
  box.git("switch", "--quiet", "main");
  // Its submodule would have followed.
  there.git("switch", "--quiet", BRANCH);
  const task = { branch: BRANCH, target: "main", hub: box.path(".git"), own: [], builtOn: [] };
  await openTaskBranch(createGit(dir, box.env), { ...task, isReturned: false, isKept: true });
  expect(there.git("-C", "lib", "rev-parse", "HEAD")).toBe(commit);
});
