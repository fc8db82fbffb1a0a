import { describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import process from "node:process";
import { openKernelMarker } from "../../../src/effects/process-tree/kernel-mark.ts";
import { isNotOlder, isSameStart, type ProcessInfo } from "../../../src/effects/process-tree/process-info.ts";
import { parseStat } from "../../../src/effects/process-tree/process-table-linux.ts";
import { listPs, parsePs, readPs } from "../../../src/effects/process-tree/process-table-ps.ts";
import { parseWindows } from "../../../src/effects/process-tree/process-table-windows.ts";
import {
  findDescendants,
  findMembers,
  hasMarker,
  isAlive,
  listProcesses,
  type ProcessTree,
  startTimeOf,
} from "../../../src/effects/process-tree/process-tree.ts";

const isLinux = process.platform === "linux";

test.skipIf(process.platform === "win32")("a process is not taken for dead because no table can be read", () => {
  const { platform, env } = process;
  const path = env.PATH;
  // As a program in a sandbox of macOS, which may not run ps.
  Object.defineProperty(process, "platform", { value: "darwin" });
  env.PATH = "/nowhere";
  try {
    expect(isAlive(process.pid, "ps:1")).toBe(true);
    expect(isAlive(2 ** 30, "ps:1")).toBe(false);
  } finally {
    env.PATH = path;
    Object.defineProperty(process, "platform", { value: platform });
  }
});

describe("a process table is read", () => {
  test("from /proc, whatever the program is called", () => {
    const line =
      "4242 (a) b) S 17 4000 4000 0 -1 4194304 97 0 0 0 12 3 4 1 20 0 1 0 123456 2621440 232 18446744073709551615";
    const info = { pid: 4242, parent: 17, group: 4000, startTime: "boot:123456", cpuMs: 200, isZombie: false };
    expect(parseStat(line, "boot")).toEqual(info);
    expect(parseStat(line.replace(") S", ") Z"), "boot")?.isZombie).toBe(true);
    expect(parseStat("", "boot")).toBeNull();
  });

  test("from ps, with padding, days and zombies", () => {
    const output = [
      "    1     0     1 Ss     0:07.42 Fri Nov 21 23:07:00 2026    ",
      "  501     1   501 S   1-02:03:04 Sat Nov 22 00:00:01 2026",
      "  502   501   501 Z+     0:00.00 Sat Nov 22 00:00:02 2026",
      "",
    ].join("\n");
    const at = Date.UTC(2026, 10, 21, 23, 7);
    expect(parsePs(output)).toEqual([
      { pid: 1, parent: 0, group: 1, startTime: `ps:${at}`, cpuMs: 7420, isZombie: false },
      { pid: 501, parent: 1, group: 501, startTime: `ps:${at + 3_181_000}`, cpuMs: 93_784_000, isZombie: false },
      { pid: 502, parent: 501, group: 501, startTime: `ps:${at + 3_182_000}`, cpuMs: 0, isZombie: true },
    ]);
  });

  test.skipIf(process.platform === "win32" || Bun.which("ps") === null)("from the ps of this machine", async () => {
    const own = { pid: process.pid, parent: process.ppid, isZombie: false };
    expect(readPs(process.pid)).toMatchObject(own);
    expect((await listPs()).find((info) => info.pid === process.pid)).toMatchObject(own);
  });

  test("from PowerShell", () => {
    expect(parseWindows("4 0 1793315220000 5\r\n88 4 1793315221000 60\r\n\r\n")).toEqual([
      { pid: 4, parent: 0, group: 0, startTime: "spawn:1793315220000", cpuMs: 5, isZombie: false },
      { pid: 88, parent: 4, group: 0, startTime: "spawn:1793315221000", cpuMs: 60, isZombie: false },
    ]);
  });
});

test.each([
  ["boot:5", "boot:5", true, true],
  ["boot:6", "boot:5", false, true],
  ["boot:5", "boot:6", false, false],
  ["other:6", "boot:5", false, false],
  ["spawn:1000", "spawn:2500", true, true],
  ["spawn:1000", "spawn:3500", false, false],
])("the start times %s and %s: same %p, not older %p", (a, b, same, notOlder) => {
  expect(isSameStart(a, b)).toBe(same);
  expect(isNotOlder(a, b)).toBe(notOlder);
});

describe("what belongs to a tree", () => {
  const own: ProcessInfo = proc({ pid: process.pid, parent: 3, start: 10 });
  const table = [
    proc({ pid: 2, parent: 0, start: 1 }),
    proc({ pid: 3, parent: 1, start: 2 }),
    own,
    proc({ pid: 9_000_100, parent: process.pid, group: 9_000_100, start: 20 }),
    proc({ pid: 9_000_101, parent: 9_000_100, group: 9_000_100, start: 21 }),
    proc({ pid: 9_000_102, parent: 9_000_101, group: 9_000_102, start: 22 }),
    proc({ pid: 9_000_103, parent: 1, group: 9_000_100, start: 23 }),
    proc({ pid: 9_000_104, parent: 1, group: 9_000_104, start: 24 }),
    proc({ pid: 9_000_105, parent: 9_000_104, group: 9_000_105, start: 25 }),
    proc({ pid: 9_000_106, parent: 9_000_100, group: 9_000_106, start: 5 }),
    proc({ pid: 9_000_207, parent: 1_000, group: 9_000_207, start: 26 }),
  ];
  const tree: ProcessTree = { pid: 9_000_100, group: 9_000_100, startTime: "boot:20", marker: "m" };
  const find = (over: Partial<ProcessTree>, marked: number[] = [], known: ProcessInfo[] = []) =>
    findMembers(table, { ...tree, ...over }, known, (pid) => marked.includes(pid))
      .map((info) => info.pid - 9_000_100)
      .sort((a, b) => a - b);

  test.each([
    ["the root, its descendants and its group", {}, [], [], [0, 1, 2, 3]],
    ["what carries the marker, and its descendants", {}, [9_000_104], [], [0, 1, 2, 3, 4, 5]],
    ["nothing of a reused pid", { startTime: "boot:19" }, [], [], []],
    ["only what carries the marker, if the pid was reused", { startTime: "boot:19" }, [9_000_104], [], [4, 5]],
    ["nothing after a restart of the machine", { startTime: "earlier:20" }, [9_000_104], [], []],
    ["nothing, for the root pid 0", { pid: 0, group: 0 }, [], [], []],
    ["nothing, for the root pid 1", { pid: 1, group: 1 }, [], [], []],
    ["never ralph or its ancestors", { pid: 3, startTime: null }, [process.pid, 3], [], [0, 1, 2, 3, 6]],
    ["a process that was known before", { pid: 0, group: 0 }, [], [proc({ pid: 9_000_102, start: 22 })], [2]],
    ["the child of a known process that is dead", { pid: 0, group: 0 }, [], [proc({ pid: 1_000 })], [107]],
    [
      "the root whose process handle we hold, whatever its start time",
      { startTime: "boot:19", isOurs: () => true },
      [],
      [],
      [0, 1, 2, 3],
    ],
    ["nothing of a known pid that was reused", { pid: 0, group: 0 }, [], [proc({ pid: 9_000_102, start: 21 })], []],
  ])("is %s", (_what, over, marked, known, expected) => {
    expect(find(over, marked, known)).toEqual(expected);
  });

  test("includes a process that reuses the pid of ralph's dead parent", () => {
    const reused = proc({ pid: 9_000_100, parent: process.pid, start: 20 });
    const orphaned = proc({ pid: process.pid, parent: reused.pid, start: 10 });
    expect(findMembers([orphaned, reused], tree)).toEqual([reused]);
  });

  test("is found even if the table has a cycle", () => {
    const circle = [proc({ pid: 7, parent: 8 }), proc({ pid: 8, parent: 7 })];
    expect(findDescendants(circle, [7]).map((info) => info.pid)).toEqual([8]);
  });
});

describe.skipIf(process.platform === "win32")("a real process", () => {
  test("has one start time and its parent, and is not alive under another start time", async () => {
    const start = startTimeOf(process.pid);
    expect(start).not.toBeNull();
    expect(startTimeOf(process.pid)).toBe(start);
    expect(isAlive(process.pid, start)).toBe(true);
    expect(isAlive(process.pid, "boot:1")).toBe(false);
    expect((await listProcesses()).find((info) => info.pid === process.pid)?.parent).toBe(process.ppid);
  });

  test("that waits to be reaped counts as dead", async () => {
    // The shell becomes a program that never reaps its child.
    const parent = spawn("/bin/sh", ["-c", "(exit 0) & echo $!; exec sleep 300"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    try {
      const pid = Number(await new Promise((resolve) => parent.stdout.once("data", resolve)));
      while (isAlive(pid, null)) await new Promise((resolve) => setTimeout(resolve, 1));
      expect((await listProcesses()).map((info) => info.pid)).not.toContain(pid);
    } finally {
      parent.kill("SIGKILL");
    }
  });

  test.if(isLinux)("shows the mark of its marker without any environment, and no later process does", async () => {
    const waits = () => spawn("/bin/sh", ["-c", "echo; read line"], { env: {}, stdio: ["pipe", "pipe", "ignore"] });
    const marked = openKernelMarker()?.("run-1", waits);
    expect(marked).toBeDefined();
    const later = waits();
    try {
      for (const child of [marked, later]) await new Promise((resolve) => child?.stdout.once("data", resolve));
      const carried = (pid = 0) => ["run-1", "run-2", "run", ""].filter((marker) => hasMarker(pid, marker));
      expect([carried(marked?.pid), carried(later.pid), carried(process.pid)]).toEqual([["run-1"], [], []]);
    } finally {
      marked?.kill("SIGKILL");
      later.kill("SIGKILL");
    }
  });

  test.if(isLinux)("is marked no longer when a start fails", () => {
    const fails = () =>
      openKernelMarker()?.("run-1", () => {
        throw new Error("no such program");
      });
    expect(fails).toThrow("no such program");
    expect(hasMarker(process.pid, "run-1")).toBe(false);
  });

  test.if(isLinux)("shows its complete marker", async () => {
    const child = spawn("/bin/sh", ["-c", "echo; read line"], {
      env: { FIRST: "1", RALPH_RUN: "run-1", LAST: "RALPH_RUN=run-2" },
      stdio: ["pipe", "pipe", "ignore"],
    });
    try {
      await new Promise((resolve) => child.stdout.once("data", resolve));
      const carried = ["run-1", "run-2", "run", "run-1 ", ""].filter((marker) => hasMarker(Number(child.pid), marker));
      expect(carried).toEqual(["run-1"]);
    } finally {
      child.kill("SIGKILL");
    }
  });
});

function proc({
  pid,
  parent = 1,
  group = pid,
  start = 50,
}: {
  pid: number;
  parent?: number;
  group?: number;
  start?: number;
}) {
  return { pid, parent, group, startTime: `boot:${start}`, cpuMs: 0, isZombie: false };
}
