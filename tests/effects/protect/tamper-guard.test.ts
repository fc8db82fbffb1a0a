import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTamperGuard } from "../../../src/effects/protect/tamper-guard.ts";
import { testFolder } from "../../folders.ts";

const root = testFolder("guard");

/** @param later ms from now at which the guard looks */
function guarded(name: string, projections: string[] = [], journal: string[] = [], later = 0) {
  const project = join(root, name);
  const path = (file: string) => join(project, ".ralph", file);
  mkdirSync(path("runs/kept"), { recursive: true });
  for (const file of ["PROMPT.md", ".ralphrc", "lock"]) writeFileSync(path(file), `${file}\n`);
  const guard = createTamperGuard({
    project,
    prompt: path("PROMPT.md"),
    settings: [path(".ralphrc"), join(project, ".ralphrc")],
    runs: path("runs"),
    lock: path("lock"),
    control: path("control"),
    keep: path("runs/kept"),
    projections: { repair: () => projections.splice(0) },
    repairJournal: () => journal.splice(0),
    now: () => Date.now() + later,
  });
  return { guard, path, read: (file: string) => readFileSync(path(file), "utf8") };
}

test("unchanged files are not reported", () => {
  const { guard } = guarded("untouched");
  guard.watch();
  expect(guard.repair()).toEqual([]);
});

test("an empty folder for commands, as earlier versions left it, goes without a word", () => {
  const { guard, path } = guarded("control");
  mkdirSync(path("control"));
  guard.watch();
  expect(guard.repair()).toEqual([]);
  expect(existsSync(path("control"))).toBe(false);
});

test("an edited prompt is restored, and the edit is kept", () => {
  const { guard, path, read } = guarded("prompt");
  guard.watch();
  for (const nth of [1, 2]) {
    writeFileSync(path("PROMPT.md"), `edit ${nth}`);
    expect(guard.repair()).toEqual([
      `.ralph/PROMPT.md (put back; the edited text is kept in .ralph/runs/kept/PROMPT.md.edited-${nth})`,
    ]);
    expect([read("PROMPT.md"), read(`runs/kept/PROMPT.md.edited-${nth}`)]).toEqual(["PROMPT.md\n", `edit ${nth}`]);
  }
});

test("a prompt and a lock that nobody wrote for long are restored from an edit of the same length", () => {
  const { guard, path, read } = guarded("settled", [], [], 60_000);
  for (const nth of [1, 2]) {
    guard.watch();
    expect(guard.repair()).toEqual([]);
    for (const name of ["PROMPT.md", "lock"]) {
      writeFileSync(path(name), "x".repeat(`${name}\n`.length));
      utimesSync(path(name), nth, nth);
    }
    expect(guard.repair()).toEqual([
      `.ralph/PROMPT.md (put back; the edited text is kept in .ralph/runs/kept/PROMPT.md.edited-${nth})`,
      ".ralph/lock (put back)",
    ]);
    expect(["PROMPT.md", "lock"].map(read)).toEqual(["PROMPT.md\n", "lock\n"]);
  }
});

test("the user's edits between two calls stay", () => {
  const { guard, path, read } = guarded("user");
  guard.watch();
  expect(guard.repair()).toEqual([]);
  writeFileSync(path("PROMPT.md"), "better");
  guard.watch();
  expect(guard.repair()).toEqual([]);
  expect(read("PROMPT.md")).toBe("better");
});

test("edited settings are reported once and left alone", () => {
  const { guard, path, read } = guarded("settings");
  guard.watch();
  writeFileSync(path(".ralphrc"), "X=1");
  expect(guard.repair()).toEqual([
    ".ralph/.ralphrc (no effect on this run; look at it before the next, unless you changed it)",
  ]);
  expect(guard.repair()).toEqual([]);
  expect(read(".ralphrc")).toBe("X=1");
});

test("the lock is restored after an edit or a deletion; a deleted prompt is not an edit", () => {
  const { guard, path, read } = guarded("lock");
  guard.watch();
  rmSync(path("lock"));
  rmSync(path("PROMPT.md"));
  expect(guard.repair()).toEqual([".ralph/lock (put back)"]);
  expect([read("lock"), existsSync(path("PROMPT.md"))]).toEqual(["lock\n", false]);
});

test("a folder in the place of the lock is moved aside", () => {
  const { guard, path, read } = guarded("lock-folder");
  guard.watch();
  rmSync(path("lock"));
  mkdirSync(path("lock"));
  expect(guard.repair()).toEqual([".ralph/lock (put back)"]);
  expect([read("lock"), existsSync(path("lock.changed-1"))]).toEqual(["lock\n", true]);
});

test("projections and journal are reported in their own words", () => {
  const { guard } = guarded("others", ["status.json"], ["the journal (put back)"]);
  guard.watch();
  expect(guard.repair()).toEqual([".ralph/status.json (put back)", "the journal (put back)"]);
});

test("settings and runs that appear while the agent works are removed, kept and reported", () => {
  const { guard, path, read } = guarded("planted");
  guard.watch();
  writeFileSync(path("../.ralphrc"), "MAX_ITERATIONS=9\n");
  mkdirSync(path("runs/0900-20270101-000000"));
  expect(guard.repair()).toEqual([
    ".ralphrc (removed; it is kept in .ralph/runs/kept/.ralphrc.added-1)",
    ".ralph/runs/0900-20270101-000000 (removed; it is kept in .ralph/runs/kept/0900-20270101-000000.added-2)",
  ]);
  expect(read("runs/kept/.ralphrc.added-1")).toBe("MAX_ITERATIONS=9\n");
  expect(guard.repair()).toEqual([]);
});

test("a file that cannot be repaired does not hide the others", () => {
  const { guard, path, read } = guarded("stuck", ["status.json"]);
  guard.watch();
  writeFileSync(path("PROMPT.md"), "edit");
  writeFileSync(path("../.ralphrc"), "MAX_ITERATIONS=9\n");
  rmSync(path("lock"));
  // Blocks the place where it would be kept.
  mkdirSync(path("runs/kept/.ralphrc.added-2/x"), { recursive: true });
  expect(guard.repair()).toEqual([
    ".ralph/PROMPT.md (put back; the edited text is kept in .ralph/runs/kept/PROMPT.md.edited-1)",
    ".ralph/lock (put back)",
    ".ralph/status.json (put back)",
  ]);
  expect([read("PROMPT.md"), read("lock")]).toEqual(["PROMPT.md\n", "lock\n"]);
});
