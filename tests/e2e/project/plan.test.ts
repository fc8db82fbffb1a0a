/** `ralph plan` shows every task with its number, and changes one without touching the rest. */
import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { answer } from "../support/answers.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const PLAN =
  "# Plan\r\n\r\n## High Priority\r\n- [x] one\r\n- [ ] two\r\n  > detail\r\n\r\n## Optional\r\n- [ ] three\r\n";
const made = () => project({ files: { ".ralph/PROMPT.md": "x\n", ".ralph/@fix_plan.md": PLAN } });
const plan = ".ralph/@fix_plan.md";

test("every task has its number, its mark and its section, whole in a pipe", async () => {
  const at = made();
  const { stdout } = await at.ralph("plan");
  expect(stdout).toContain("1 of 2 done · 1 optional");
  expect(stdout).toContain("\nHigh Priority\n  1 ✓ one\n→ 2 ○ two\n\nOptional\n  3 ○ three\n");
  const json = JSON.parse((await at.ralph("plan", "--json")).stdout);
  expect(json.next).toEqual([
    { line: 5, text: "two", section: "High Priority", optional: false },
    { line: 9, text: "three", section: "Optional", optional: true },
  ]);
  expect(json.tasks[0]).toEqual({
    ...{ number: 1, line: 4, text: "one", section: "High Priority", optional: false },
    done: true,
  });
});

test("tasks are added, ticked, opened, reworded and moved by their numbers, and only their lines change", async () => {
  const at = made();
  expect((await at.ralph("plan", "add", "Print", "the bill")).stdout).toBe("Added 3: Print the bill\n");
  expect(at.read(plan)).toBe(PLAN.replace("  > detail\r\n", "  > detail\r\n- [ ] Print the bill\r\n"));
  expect((await at.ralph("plan", "done", "3")).stdout).toBe("Done: 3: Print the bill\n");
  expect((await at.ralph("plan", "open", "3")).stdout).toBe("Open: 3: Print the bill\n");
  expect((await at.ralph("plan", "edit", "3", "Print it")).stdout).toBe("Changed 3: Print it\n");
  expect((await at.ralph("plan", "move", "3", "--before", "1")).stdout).toBe("Moved, now 1: Print it\n");
  expect(at.read(plan)).toBe(PLAN.replace("- [x] one", "- [ ] Print it\r\n- [x] one"));
});

test("a skipped task is optional, and one that waits for others says so by words that fit wherever they stand", async () => {
  const at = made();
  expect((await at.ralph("plan", "skip", "2")).stdout).toBe("Skipped, now 3: two\n");
  expect(at.read(plan)).toBe(
    PLAN.replace("- [ ] two\r\n  > detail\r\n", "").replace("three\r\n", "three\r\n- [ ] two\r\n  > detail\r\n"),
  );
  expect((await at.ralph("plan", "skip", "3")).stdout).toBe("Optional already: 3: two\n");
  await at.ralph("plan", "edit", "2", "2.1 three (of three)");
  expect((await at.ralph("plan", "after", "3", "1", "2")).stdout).toBe("Changed 3: two (after: one, 2.1)\n");
  const circle = await at.ralph("plan", "after", "2", "3");
  expect([circle.exit, circle.stderr.includes("waits for itself")]).toEqual([2, true]);
  expect((await at.ralph("plan", "after", "3", "3")).stderr).toContain("Task 3 cannot wait for these");
  expect((await at.ralph("plan", "after", "3")).stdout).toBe("Changed 3: two\n");
});

test("what a task waits for stays the same when others are added, moved, skipped or reworded", async () => {
  const at = project({
    files: {
      ".ralph/PROMPT.md": "x\n",
      [plan]: '- [ ] one\n- [ ] two (after: 1)\n- [ ] three (after: "one", 2)\n- [ ] four (after: 9, 1)\n',
    },
  });
  await at.ralph("plan", "add", "none", "--before", "1");
  expect(at.read(plan)).toContain("- [ ] two (after: one)\n- [ ] three (after: one, two)\n- [ ] four (after: 9, 1)\n");
  await at.ralph("plan", "edit", "2", "the first");
  expect(at.read(plan)).toContain('two (after: "the first")\n- [ ] three (after: "the first", two)\n');
  await at.ralph("plan", "move", "3", "--before", "1");
  await at.ralph("plan", "skip", "3");
  expect(at.read(plan)).toBe(
    '- [ ] two (after: "the first")\n- [ ] none\n- [ ] three (after: "the first", two)\n- [ ] four (after: 9, 1)\n\n## Optional\n\n- [ ] the first\n',
  );
});

test("the first task of a project that was set up goes where tasks go", async () => {
  const at = project({ files: {} });
  await at.ralph("setup", "--yes");
  expect((await at.ralph("plan", "add", "Print the bill")).exit).toBe(0);
  expect(JSON.parse((await at.ralph("plan", "--json")).stdout).tasks).toMatchObject([
    { text: "Print the bill", section: "High Priority" },
  ]);
});

test("a task after the last one is no completed one, and no note", async () => {
  const done = "## Low\n- [x] one\n\n## Completed\n- [x] two\n\n## Notes\n- [x] three\n";
  const at = project({ files: { ".ralph/PROMPT.md": "x\n", ".ralph/@fix_plan.md": done } });
  await at.ralph("plan", "add", "four");
  expect(at.read(plan)).toBe(done.replace("one\n", "one\n- [ ] four\n"));
});

test("an unknown number, section or file is told, and the plan stays", async () => {
  const at = made();
  const number = await at.ralph("plan", "done", "9");
  expect(number.stderr).toContain("There is no task 9: .ralph/@fix_plan.md has 3 tasks.");
  const section = await at.ralph("plan", "add", "x", "--section", "Later");
  expect(section.stderr).toContain("It has: High Priority, Optional.");
  expect((await at.ralph("plan", "NOPE.md")).stderr).toContain("NOPE.md is missing");
  expect((await at.ralph("plan", "edit")).stderr).toContain("An editor needs a terminal.");
  expect(at.read(plan)).toBe(PLAN);
});

describe("what stands in the place of the plan and is no file is told, and no agent is called without it:", () => {
  test.skipIf(process.platform === "win32")("a link that leads nowhere", async () => {
    const at = made();
    rmSync(at.path(plan));
    symlinkSync("../docs/plan.md", at.path(plan));
    await told(at, "@fix_plan.md is a link that leads nowhere.");
  });

  test("a folder", async () => {
    const at = made();
    rmSync(at.path(plan));
    mkdirSync(at.path(plan));
    await told(at, "@fix_plan.md is a folder, not a file.");
  });

  async function told(at: Project, why: string): Promise<void> {
    for (const [command, code] of [["plan", 7] as const, ["run", 7] as const, ["doctor", 1] as const]) {
      const { exit, stdout, stderr } = await at.ralph(command);
      const says = (stdout + stderr).replace(/\s+/g, " ");
      expect({ command, exit, says }).toEqual({ command, exit: code, says: expect.stringContaining(why) });
      expect(says).toContain(`${why} See that it is a file that you may read.`);
    }
    expect(at.calls()).toEqual([]);
  }
});

test("an open box with two blanks is open: its tick is one, and no run is done without it", async () => {
  const at = project({
    files: { ".ralph/PROMPT.md": "x\n", [plan]: "- [ ] one\n- [  ] two\n" },
    steps: [{ files: { [plan]: "- [x] one\n- [  ] two\n", "work.txt": "1\n" } }],
  });
  expect((await at.ralph("run", "--max-iterations", "1")).exit).toBe(4);
  expect((await at.ralph("plan", "done", "2")).stdout).toBe("Done: 2: two\n");
  expect(at.read(plan)).toBe("- [x] one\n- [x] two\n");
});

test.skipIf(process.platform === "win32")("the plan keeps its permissions", async () => {
  const at = made();
  chmodSync(at.path(plan), 0o600);
  await at.ralph("plan", "done", "2");
  expect(at.read(plan)).toContain("[x] two");
  const { mode } = await Bun.file(at.path(plan)).stat();
  expect(mode & 0o777).toBe(0o600);
});

test("what several commands write to the plan at once is all there", async () => {
  const at = made();
  const names = Array.from({ length: 12 }, (_, nth) => `new ${nth}`);
  const ended = await Promise.all(names.map((name) => at.ralph("plan", "add", name)));
  expect(ended.map(({ exit }) => exit)).toEqual(names.map(() => 0));
  const { tasks } = JSON.parse((await at.ralph("plan", "--json")).stdout);
  expect(tasks.map(({ text }: { text: string }) => text).toSorted()).toEqual(
    ["one", "two", "three", ...names].toSorted(),
  );
  expect(readdirSync(at.path(".ralph")).toSorted()).toEqual(["@fix_plan.md", "PROMPT.md"]);
});

test("a task that is added during a run is said to be seen later", async () => {
  const at = made();
  at.script([{ waits_for: "go", stdout: answer() }, { stdout: answer() }]);
  const live = at.start("run", "--max-iterations", "2");
  await until("the agent works", () => at.has(".ralph/lock") && at.event("agent_started") !== undefined);
  const { stdout, stderr } = await at.ralph("plan", "add", "new", "--before", "2");
  expect(stdout).toBe("Added 2: new\n");
  expect(stderr).toContain("The live run sees it at its next iteration.");
  at.write("go", "");
  await live.ended;
  const tasks = at.events().flatMap((event) => (event.type === "iteration_started" ? [event.task] : []));
  expect(tasks).toEqual(["two", "new"]);
});
