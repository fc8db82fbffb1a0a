/** `ralph undo`, `ralph checkpoints` and `ralph diff A..B`: the files of each iteration, in a repository and without one. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { answer } from "../support/answers.ts";
import { git } from "../support/git.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const WORK = {
  ".ralph/PROMPT.md": "Do the next task.\n",
  ".ralph/@fix_plan.md": "- [ ] one\n- [ ] two\n- [ ] three\n",
};

const steps = [
  { files: { "a.txt": "1\n", "new.txt": "new\n" }, stdout: answer() },
  { files: { "a.txt": "2\n" }, shell: "rm new.txt", stdout: answer() },
  { files: { "a.txt": "3\n" }, stdout: answer() },
];

async function worked(isRepository: boolean): Promise<Project> {
  const at = project({ git: isRepository, steps, files: { ...WORK, "a.txt": "0\n" } });
  const { exit } = await at.ralph("run", "--max-iterations", "3");
  expect(exit).toBe(4);
  return at;
}

const files = (at: Project) => [at.read("a.txt"), at.has("new.txt")];

describe.each([
  ["a repository", true],
  ["a folder without one", false],
])("in %s", (_, isRepository) => {
  test("undo goes back one iteration, or to any, and can be undone", async () => {
    const at = await worked(isRepository);
    const { exit, stdout } = await at.ralph("undo");
    expect(exit).toBe(0);
    expect(stdout).toContain("1 file put back: as in checkpoint 2 (after iteration 2");
    expect(stdout).toContain("Take this back with: ralph undo --to undo-1");
    expect(files(at)).toEqual(["2\n", false]);
    await at.ralph("undo", "1");
    expect(files(at)).toEqual(["0\n", false]);
    await at.ralph("undo", "2");
    expect(files(at)).toEqual(["1\n", true]);
    await at.ralph("undo", "--to", "undo-1");
    expect(files(at)).toEqual(["3\n", false]);
    const last = JSON.parse((await at.ralph("undo", "--to", "1", "--json")).stdout);
    expect(last).toMatchObject({ to: "1", kept: "undo-5", written: 2, deleted: 0, set_aside: [], left: [] });
    if (isRepository) expect(git(at, "fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");
  });

  test("checkpoints lists what can be gone back to, and prune deletes it", async () => {
    const at = await worked(isRepository);
    await at.ralph("run", "--max-iterations", "1");
    const { stdout } = await at.ralph("checkpoints", "1");
    expect(stdout).toMatch(/^1\.before +[\d:]+ {2}before iteration 1\n1 +[\d:]+ {2}after iteration 1/);
    const { checkpoints } = JSON.parse((await at.ralph("checkpoints", "1", "--json")).stdout);
    expect(checkpoints.map(({ name, gone }: { name: string; gone: boolean }) => [name, gone])).toEqual([
      ["1.before", false],
      ["1", false],
      ["2", false],
      ["3", false],
    ]);
    expect((await at.ralph("checkpoints", "prune", "--keep", "1")).exit).toBe(2);
    expect((await at.ralph("checkpoints", "prune", "--keep", "1", "--yes")).stdout).toBe(
      "Deleted the checkpoints of 1 run.\n",
    );
    if (isRepository) git(at, "gc", "--quiet", "--prune=now");
    expect((await at.ralph("checkpoints", "1")).stdout).toContain("gone");
    const refused = await at.ralph("undo", "--to", "1/1");
    expect(refused.stderr).toContain("Nothing was undone");
    expect(files(at)).toEqual(["3\n", false]);
    expect((await at.ralph("undo")).exit).toBe(0);
  });
});

test("undo names what somebody changed since the last iteration and goes along, with the tasks that the plan loses", async () => {
  const at = project({
    git: "empty",
    steps: [...steps.slice(0, 2)],
    files: { ...WORK, "a.txt": "0\n", "mine.txt": "0\n" },
  });
  await at.ralph("run", "--max-iterations", "2");
  await at.ralph("plan", "add", "pay by card");
  at.write("mine.txt", "mine\n");
  const { stdout } = await at.ralph("undo", "1");
  const told =
    "Changed since the last iteration, and taken back too (undo-1 has them):\n    .ralph/@fix_plan.md\n    mine.txt\n";
  expect(stdout).toContain(told);
  expect(stdout).toContain("No longer in the plan:\n    pay by card\n");
  expect([at.read("mine.txt"), at.read(".ralph/@fix_plan.md")]).toEqual(["0\n", WORK[".ralph/@fix_plan.md"]]);
  // What an undo left is nobody's change since.
  const again = JSON.parse((await at.ralph("undo", "2", "--json")).stdout);
  expect(again).toMatchObject({ changed_since: [] });
  at.write("a.txt", "by hand\n");
  const third = JSON.parse((await at.ralph("undo", "1", "--json")).stdout);
  expect(third).toMatchObject({ changed_since: ["a.txt"] });
});

test("undo of an iteration that changed nothing says which one before it did, and costs no conversation", async () => {
  const at = project({ steps: [...steps.slice(0, 2), { stdout: answer() }], files: { ...WORK, "a.txt": "0\n" } });
  await at.ralph("run", "--max-iterations", "3");
  const undone = (await at.ralph("undo")).stdout;
  expect(undone).toMatch(
    /^Nothing to do, the files are so: as in checkpoint 2 \(.*\)\.\nFurther back: ralph undo 2\n$/s,
  );
  expect(at.event("reset")).toBeUndefined();
  expect((await at.ralph("undo", "2")).stdout).toContain("2 files put back: as in checkpoint 1");
  expect((await at.ralph("undo", "2")).stdout).toEndWith("Further back: ralph undo 1\n");
});

test("the command below an older run's checkpoints goes back to that run, and not to the newest one", async () => {
  const at = await worked(true);
  at.script([{ files: { "a.txt": "second day\n" }, stdout: answer() }]);
  for (const _ of [1, 2, 3]) await at.ralph("run", "--max-iterations", "1");
  const [command] = /undo --to \S+/.exec((await at.ralph("checkpoints", "1")).stdout) ?? [""];
  expect((await at.ralph(...command.split(" "))).exit).toBe(0);
  expect(at.read("a.txt")).toBe("3\n");
  expect((await at.ralph("checkpoints")).stdout).toEndWith("Go back to one with: ralph undo --to undo-1\n");
});

test("checkpoints whose refs somebody deleted are said to last no longer than git keeps them", async () => {
  const at = project({ steps: [{ files: { "a.txt": "1\n" }, stdout: answer() }] });
  await at.ralph("--max-iterations", "1");
  const warned = async () => (await at.ralph("checkpoints")).stderr.trim().replaceAll(/\s+/g, " ");
  expect(await warned()).toBe("");
  for (const ref of git(at, "for-each-ref", "--format=%(refname)", "refs/ralph").trim().split("\n"))
    git(at, "update-ref", "-d", ref);
  expect(await warned()).toBe("The refs of these checkpoints were deleted: git may remove the files with its next gc.");
  expect((await at.ralph("undo")).exit).toBe(0);
});

test("a diff between checkpoints, and of an iteration, has what was changed and nothing else", async () => {
  const at = await worked(true);
  at.write("mine.txt", "mine\n");
  const whole = (await at.ralph("diff")).stdout;
  expect(whole).toContain("+3\n");
  expect(whole).not.toContain("mine");
  const second = (await at.ralph("diff", "--iteration", "2")).stdout;
  expect(second).toContain("-1\n+2\n");
  expect(second).toContain("-new\n");
  expect((await at.ralph("diff", "1..3")).stdout).toContain("-1\n+3\n");
  expect((await at.ralph("diff", "3..")).stdout).toContain("+mine\n");
  const { parts } = JSON.parse((await at.ralph("diff", "1/1..1/2", "--json")).stdout);
  expect(parts).toMatchObject([{ source: "checkpoints", files: [{ path: "a.txt" }, { path: "new.txt" }] }]);
  const none = await at.ralph("diff", "1..9");
  expect([none.exit, none.stderr]).toEqual([7, expect.stringContaining('has no checkpoint "9"')]);
});

test("undo refuses while a run is live, and where nothing was kept", async () => {
  const at = project({ steps: [{ shell: "while [ ! -e .ralph/go ]; do sleep 0.05; done", stdout: answer() }] });
  expect((await at.ralph("undo")).stderr).toContain("There is no run here yet.");
  const live = at.start("--max-iterations", "1", "--no-checkpoints");
  await until("a call", () => at.calls().length === 1);
  const { exit, stderr } = await at.ralph("undo");
  expect([exit, stderr]).toEqual([7, expect.stringContaining("A run is live in this project")]);
  at.write(".ralph/go", "");
  await live.ended;
  expect((await at.ralph("undo")).stderr).toContain("There is no checkpoint of the files before iteration 1");
  expect(at.events().map(({ type }) => type)).not.toContain("checkpoint_made");
});

test("an agent's call that was stopped can be undone, and a person's own change before it stays", async () => {
  const hangs = "echo half > a.txt; touch .ralph/began; sleep 60";
  const at = project({ steps: [{ shell: hangs, stdout: answer() }], files: { ...WORK, "a.txt": "0\n" } });
  at.write("mine.txt", "mine\n");
  const live = at.start();
  await until("a call", () => at.has(".ralph/began"));
  live.kill("SIGTERM");
  await live.ended;
  expect((await at.ralph("undo")).exit).toBe(0);
  expect([at.read("a.txt"), at.read("mine.txt")]).toEqual(["0\n", "mine\n"]);
});

test("the run goes on without checkpoints where none can be written, and says so once", async () => {
  const at = project({ steps });
  // A file where the refs would be: for root too.
  at.write(".git/refs/ralph", "");
  const { exit } = await at.ralph("run", "--max-iterations", "2");
  expect(exit).toBe(4);
  const notes = at.events().flatMap((event) => (event.type === "note" ? [event.text] : []));
  expect(notes.filter((text) => text.startsWith("No checkpoint of the files could be made"))).toHaveLength(1);
});

test.each([
  ["in the middle", 3],
  ["by the last one", 2],
])("checkpoints that an agent deletes %s are told once", async (_, iterations) => {
  const deletes =
    "until test -e .git/refs/ralph/*/1; do :; done; git for-each-ref --format='delete %(refname)' refs/ralph | git update-ref --stdin";
  const [first, second, third] = steps;
  const at = project({ steps: [first ?? {}, { ...second, shell: deletes }, third ?? {}] });
  expect((await at.ralph("--max-iterations", String(iterations))).exit).toBe(4);
  const told = at.events().flatMap((event) => (event.type === "note" && event.level === "warn" ? [event.text] : []));
  const text = `Somebody deleted or moved the checkpoint refs/ralph/${at.runs()[0]}/1, and perhaps others: ralph undo cannot give back what only they had.`;
  expect(told.filter((one) => one.includes("checkpoint"))).toEqual([text]);
});

test("runs prune takes the checkpoints along", async () => {
  const at = await worked(true);
  await at.ralph("run", "--max-iterations", "1");
  await at.ralph("runs", "prune", "--keep", "1", "--yes");
  const runs = git(at, "for-each-ref", "--format=%(refname)", "refs/ralph").split("\n");
  expect(new Set(runs.map((name) => name.split("/")[2]?.slice(0, 4)))).toEqual(new Set(["0002"]));
});

test("a checkpoint's names and titles hold no secret", async () => {
  const at = project({
    files: { ...WORK, ".ralph/@fix_plan.md": "- [ ] use sk-ant-REDACTED\n" },
    steps: [{ files: { ".ralph/@fix_plan.md": "- [x] use sk-ant-REDACTED\n" }, stdout: answer() }],
  });
  await at.ralph("run", "--max-iterations", "1");
  expect(git(at, "log", "--format=%B", "--glob=refs/ralph/*")).not.toContain("sk-ant-api03-AAAA");
});

const TICKS = `awk '!d && sub(/\\[ \\]/, "[x]") {d = 1} {print}' .ralph/@fix_plan.md > p && mv p .ralph/@fix_plan.md`;
const LINES = Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join("");
const change = (line: number, words: string) => `sed -i 's/^line ${line}$/${words}/' text.txt; ${TICKS}`;

function tasks(...shells: string[]): Project {
  const plan = shells.map((_, at) => `- [ ] task ${at + 1}\n`).join("");
  const files = { ...WORK, ".ralph/@fix_plan.md": plan, "text.txt": LINES };
  return project({ files, steps: shells.map((shell) => ({ shell, stdout: answer() })) });
}

test("undo --task takes one task out of the files, and leaves what came after it", async () => {
  const at = tasks(change(3, "three"), `echo new > two.txt; ${change(12, "twelve")}`, change(25, "twenty"));
  await at.ralph("--max-iterations", "3");
  const { exit, stdout } = await at.ralph("undo", "--task", "2");
  expect([exit, stdout]).toEqual([0, expect.stringContaining('without the task "task 2"')]);
  expect(at.read("text.txt")).toBe(LINES.replace("line 3\n", "three\n").replace("line 25\n", "twenty\n"));
  expect(at.has("two.txt")).toBe(false);
  expect(at.read(".ralph/@fix_plan.md")).toBe("- [x] task 1\n- [ ] task 2\n- [x] task 3\n");
  await at.ralph("undo", "--to", "undo-1");
  expect([at.read("text.txt").includes("twelve"), at.has("two.txt")]).toEqual([true, true]);
});

test("undo --task of a task whose box a person opened again takes its work out, and leaves the plan as it is", async () => {
  const at = tasks(`echo new > one.txt; ${TICKS}`, `echo new > two.txt; ${TICKS}`);
  await at.ralph("--max-iterations", "2");
  await at.ralph("plan", "open", "1");
  const { exit, stdout, stderr } = await at.ralph("undo", "--task", "1");
  expect([exit, stderr, stdout]).toEqual([0, "", expect.stringMatching(/^1 file deleted: without the task "task 1"/)]);
  expect([at.has("one.txt"), at.has("two.txt")]).toEqual([false, true]);
  expect(at.read(".ralph/@fix_plan.md")).toBe("- [ ] task 1\n- [x] task 2\n");
});

test("undo --task that later work stands in the way of says where, and changes nothing", async () => {
  const at = tasks(change(3, "three"), `sed -i 's/^three$/four/' text.txt; ${TICKS}`, TICKS);
  await at.ralph("--max-iterations", "3");
  const before = [at.read("text.txt"), at.read(".ralph/@fix_plan.md")];
  const { exit, stderr } = await at.ralph("undo", "--task", "task 1");
  expect(exit).toBe(7);
  expect(stderr).toContain("Nothing was undone: later work stands in the way.\n  text.txt: its line 4 changed since");
  expect(stderr).toContain("\n  Take it back first, or everything since with: ralph undo N");
  expect([at.read("text.txt"), at.read(".ralph/@fix_plan.md")]).toEqual(before);
  expect((await at.ralph("undo", "--task", "task 9")).stderr).toContain('No run ticked the task "task 9".');
});

test("undo --task names a task that was not done alone", async () => {
  const at = tasks(`${TICKS}; ${TICKS}`, TICKS);
  await at.ralph("--max-iterations", "1");
  const { exit, stderr } = await at.ralph("undo", "--task", "1");
  expect([exit, stderr]).toEqual([7, expect.stringContaining('iteration 1 did "task 2" too')]);
});

test("undo --task runs the gates, and says which are red without the task", async () => {
  const at = tasks(`echo ok > needed.txt; ${TICKS}`, TICKS);
  at.write(".ralph/.ralphrc", 'QUALITY_GATES="test -e needed.txt"\n');
  await at.ralph("--max-iterations", "1");
  const { exit, stdout } = await at.ralph("undo", "--task", "1");
  expect([exit, stdout]).toEqual([1, expect.stringContaining("Red now:\n    test -e needed.txt")]);
  expect(at.has("needed.txt")).toBe(false);
  const clone = await at.ralph("undo", "--to", "undo-1");
  expect([clone.exit, at.has("needed.txt")]).toEqual([0, true]);
  at.env.RALPH_TRUST = "";
  const refused = await at.ralph("undo", "--task", "1");
  expect([refused.exit, at.has("needed.txt")]).toEqual([7, true]);
  expect(refused.stderr).toContain("QUALITY_GATES");
});

test("diff --task tells what the iterations of a task changed, of one that took several and of one under way", async () => {
  const unfinished = "sed -i '5s/.*/five/' text.txt; git -c commit.gpgsign=false commit -qam half";
  const at = tasks(change(3, "three"), unfinished, change(12, "twelve"), "echo begun > begun.txt");
  await at.ralph("--max-iterations", "4");
  const lines = async (...words: string[]) =>
    (await at.ralph("diff", ...words)).stdout.split("\n").filter((line) => /^[+-][a-z]/.test(line));
  expect(await lines("--task", "1")).toEqual(["-line 3", "+three"]);
  expect(await lines("--task", "task 2")).toEqual(["-line 4", "+five", "-line 12", "+twelve"]);
  expect(await lines("--task", "3")).toEqual(["+begun"]);
  expect(JSON.parse((await at.ralph("diff", "--task", "2", "--json")).stdout)).toMatchObject({
    run: expect.stringMatching(/^0001/),
    iteration: null,
    task: "task 2",
    parts: [{ source: "checkpoints" }],
  });
  // A later run that has other tasks at hand hides nothing.
  await at.ralph("--max-iterations", "1");
  expect(await lines("--task", "1")).toEqual(["-line 3", "+three"]);
  const none = await at.ralph("diff", "--task", "task 9");
  expect([none.exit, none.stderr]).toEqual([7, expect.stringContaining('No run worked on the task "task 9".')]);
  expect((await at.ralph("diff", "1..2", "--task", "1")).exit).toBe(2);
});

test.each([
  ["a clone", ["init", "--quiet", "lib"], 0],
  ["another checkout, which no checkpoint has, and are told,", ["worktree", "add", "--quiet", "lib"], 1],
] as const)(
  "files of %s whose .git an agent removed stay, whichever way its work is undone",
  async (_, make, undone) => {
    const work = "rm -rf lib/.git; sed -i '1s/\\[ \\]/[x]/' .ralph/@fix_plan.md";
    const at = project({ steps: [{ files: { "new.txt": "new\n" }, shell: work, stdout: answer() }], files: WORK });
    git(at, ...make);
    at.write("lib/mine.txt", "mine\n");
    await at.ralph("run", "--max-iterations", "1");
    for (const words of [
      ["undo", "1"],
      ["undo", "--to", "undo-1"],
      ["undo", "--task", "one"],
    ]) {
      const { exit, stdout } = await at.ralph(...words);
      const isBack = words.includes("--to");
      expect({ words, exit, isBack: at.has("new.txt") }).toEqual({ words, exit: isBack ? 0 : undone, isBack });
      expect(stdout.includes("lib/ (a repository of its own then)")).toBe(undone === 1 && !isBack);
      expect(at.read("lib/mine.txt")).toBe("mine\n");
    }
  },
);

describe("a file that was ignored stays, whichever way its work is undone, though an agent", () => {
  const commitAll = "git add -A; git -c user.name=a -c user.email=a@b.c commit -qm work";
  test.each([
    ["emptied the repository's own list of rules", "exclude", ": > .git/info/exclude"],
    ["took the user's own list away", "excludesFile", "git config core.excludesFile /dev/null"],
    ["emptied .gitignore and committed everything", ".gitignore", `: > .gitignore; ${commitAll}`],
    ["added it by force", ".gitignore", "git add -f .env"],
  ])("%s", async (_, where, shell) => {
    for (const words of [
      ["undo", "1"],
      ["undo", "--task", "one"],
    ]) {
      const work = `echo new > new.txt; ${shell}; ${TICKS}`;
      const at = project({ steps: [{ shell: work, stdout: answer() }], files: { ...WORK, ".gitignore": "" } });
      at.write(where === "exclude" ? ".git/info/exclude" : where, ".env\n");
      if (where === ".gitignore") git(at, "commit", "-qam", "rules");
      if (where === "excludesFile") git(at, "config", "core.excludesFile", at.path("excludesFile"));
      at.write(".env", "mine\n");
      await at.ralph("run", "--max-iterations", "1");
      const { exit } = await at.ralph(...words);
      expect({ words, exit, mine: at.has(".env"), new: at.has("new.txt") }).toEqual({
        ...{ words, exit: 0, mine: true, new: false },
      });
    }
  });
});

test("undo outside a project names what is missing", async () => {
  const at = project({ git: false });
  const elsewhere = join(at.dir, "elsewhere");
  mkdirSync(elsewhere);
  const { exit, stderr } = await at.ralph("undo", "-C", elsewhere);
  expect([exit, stderr]).toEqual([7, expect.stringContaining("There is no run here yet.")]);
});

test("a plan that is a link is that link again, whatever an agent put in its place", async () => {
  const plan = ".ralph/@fix_plan.md";
  const step = { shell: `rm ${plan}; printf -- '- [x] one\n- [ ] two\n' > ${plan}`, stdout: answer() };
  const at = project({
    git: "empty",
    steps: [step],
    files: { ".ralph/PROMPT.md": "Do the next task.\n", "docs/plan.md": "- [ ] one\n- [ ] two\n" },
  });
  symlinkSync("../docs/plan.md", at.path(plan));
  await at.ralph("run", "--max-iterations", "1");
  expect(JSON.parse((await at.ralph("plan", "--json")).stdout).checked).toBe(1);
  const { written, deleted, left } = JSON.parse((await at.ralph("undo", "--json")).stdout);
  expect({ written, deleted, left }).toEqual({ written: 1, deleted: 0, left: [] });
  expect(readlinkSync(at.path(plan))).toBe("../docs/plan.md");
  expect(at.read(plan)).toBe("- [ ] one\n- [ ] two\n");
});

describe("undo --task with a plan that is a link", () => {
  const plan = ".ralph/@fix_plan.md";
  const two = "- [ ] one\n- [ ] two\n";

  async function linked(target: string): Promise<Project> {
    const ticks = (file: string) => `sed -i '0,/\\[ \\]/s//[x]/' ${target.replace("../", "")}; echo new > ${file}`;
    const at = project({
      git: "empty",
      files: { ".ralph/PROMPT.md": "Do the next task.\n", "docs/plan.md": two, "../outside.md": two },
      steps: [
        { shell: ticks("a.txt"), stdout: answer() },
        { shell: ticks("b.txt"), stdout: answer() },
      ],
    });
    symlinkSync(target, at.path(plan));
    await at.ralph("run", "--max-iterations", "2");
    expect(at.read(plan)).toBe("- [x] one\n- [x] two\n");
    return at;
  }

  test("opens the box in the file that it leads to, and the link stays", async () => {
    const at = await linked("../docs/plan.md");
    const { exit, stderr } = await at.ralph("undo", "--task", "1");
    expect([exit, stderr, readlinkSync(at.path(plan))]).toEqual([0, "", "../docs/plan.md"]);
    expect([at.read(plan), at.has("a.txt"), at.has("b.txt")]).toEqual(["- [ ] one\n- [x] two\n", false, true]);
  });

  test("out of the project leaves the link and its file, and says so", async () => {
    const at = await linked("../../outside.md");
    const { exit, stdout } = await at.ralph("undo", "--task", "1");
    expect([exit, at.has("a.txt"), at.has("b.txt")]).toEqual([0, false, true]);
    expect(stdout.replace(/\s+/g, " ")).toContain("whose box stays ticked: the plan leads out of the project");
    expect([readlinkSync(at.path(plan)), at.read(plan)]).toEqual(["../../outside.md", "- [x] one\n- [x] two\n"]);
  });
});
