import { afterEach, beforeEach, describe, expect, setSystemTime, test } from "bun:test";
import { type ChildProcessByStdio, spawn } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  watch,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Readable } from "node:stream";
import { RalphError } from "../../../src/core/errors.ts";
import { readLock, takeLock, underLock } from "../../../src/effects/journal/lock.ts";
import { startTimeOf } from "../../../src/effects/process-tree/process-tree.ts";
import { testFolders } from "../../folders.ts";
import { program } from "../process/run-agent.ts";

const own = { pid: process.pid, startTime: startTimeOf(process.pid), run: "run-1" };
const nobody = 2 ** 22 + 1;

let dir = "";
let path = "";
const newFolder = testFolders("lock");
beforeEach(() => {
  dir = newFolder();
  path = join(dir, "lock");
});

/** Writes a lock as another ralph would have left it. */
function leave(lock: Record<string, unknown>): void {
  const whole = {
    pid: nobody,
    start_time: "boot:1",
    run: "run-0",
    host: hostname(),
    since: "2026-01-01T00:00:00.000Z",
    ...lock,
  };
  writeFileSync(path, JSON.stringify(whole));
}

function start(name: string, ...words: string[]): ChildProcessByStdio<null, Readable, null> {
  const [command = "", ...args] = program(name, ...words).argv;
  return spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
}

function firstOf({ stdout }: { stdout: Readable }): Promise<string> {
  return new Promise((resolve) => stdout.once("data", (chunk) => resolve(String(chunk))));
}

describe("a lock", () => {
  test("is taken once, names its holder, and is gone after its release", () => {
    const first = takeLock(path, own);
    expect(first.held).toBe(true);
    const second = takeLock(path, { ...own, run: "run-2" });
    expect(second).toMatchObject({ held: false, by: { ...own, host: hostname() } });
    expect(readLock(path)).toMatchObject({ ...own, isHeld: true });
    if (first.held) first.release();
    expect(readLock(path)).toBeNull();
    expect(readdirSync(dir)).toEqual([]);
  });

  test("removes what a killed taker left, and nothing else", () => {
    for (const name of ["lock.takeover", "lock.mine", "status.json.tmp"]) {
      writeFileSync(join(dir, name), "");
      utimesSync(join(dir, name), new Date(0), new Date(0));
    }
    writeFileSync(join(dir, "lock.1-2.tmp"), "");
    writeFileSync(join(dir, "lock.takeover.1-2.tmp"), "");
    expect(takeLock(path, own).held).toBe(true);
    expect(readdirSync(dir).sort()).toEqual(["lock", "lock.mine", "status.json.tmp"]);
  });

  test.each([
    ["is removed when its taker is gone", { pid: nobody }, ["lock"]],
    ["stays while its taker lives", { pid: process.pid, start_time: null }, ["lock", "lock.takeover"]],
  ])("that guards a takeover and is new %s", (_what, taker, stays) => {
    leave(taker);
    renameSync(path, `${path}.takeover`);
    expect(takeLock(path, own).held).toBe(true);
    expect(readdirSync(dir).sort()).toEqual(stays);
  });

  test("is taken even if a file beside it cannot be removed", () => {
    mkdirSync(join(dir, "lock.folder.tmp"));
    utimesSync(join(dir, "lock.folder.tmp"), new Date(0), new Date(0));
    expect(takeLock(path, own).held).toBe(true);
  });

  test("has no holder if it is a folder", () => {
    mkdirSync(path);
    expect(readLock(path)).toBeNull();
  });

  test("is a JSON document in snake_case", () => {
    takeLock(path, own);
    const { since, place, ...rest } = JSON.parse(readFileSync(path, "utf8"));
    expect(place).toBeString();
    expect(rest).toEqual({ pid: own.pid, start_time: own.startTime, run: "run-1", host: hostname() });
    expect(new Date(since).toISOString()).toBe(since);
  });

  test.each([
    ["its process is gone", { pid: nobody }],
    ["its pid now belongs to another process", { pid: process.pid, start_time: "boot:1" }],
  ])("is taken over when %s", (_why, left) => {
    leave(left);
    // A check that is too expensive for readers on Windows.
    const isKnown = process.platform !== "win32" || left.pid === nobody;
    expect(readLock(path)).toMatchObject({ run: "run-0", isHeld: !isKnown });
    expect(takeLock(path, own).held).toBe(true);
    expect(readLock(path)).toMatchObject({ run: "run-1", isHeld: true });
    expect(readdirSync(dir)).toEqual(["lock"]);
  });

  test.each([
    ["lives, whatever its start time", { pid: process.pid, start_time: null, since: new Date().toISOString() }],
    ["is on another host", { host: "another.host" }],
  ])("is respected when its process %s", (_why, left) => {
    leave(left);
    expect(takeLock(path, own)).toMatchObject({ held: false, by: { run: "run-0" } });
    expect(readLock(path)).toMatchObject({ run: "run-0", isHeld: true });
  });

  test.each(["", "{", "null", '{"pid":"1"}', '{"pid":-1,"run":"","host":"","since":""}'])(
    "with the unreadable content %j is taken over once it is too old to be a write in progress",
    (content) => {
      writeFileSync(path, content);
      utimesSync(path, new Date(0), new Date(0));
      expect(readLock(path)).toBeNull();
      expect(takeLock(path, own).held).toBe(true);
    },
  );

  test("is respected as long as it may be being written", () => {
    writeFileSync(path, "");
    const before = performance.now();
    expect(takeLock(path, own).held).toBe(true);
    expect(performance.now() - before).toBeGreaterThan(1500);
  });

  test("is made and taken over without any other file but the one that guards the takeover", async () => {
    const names = new Set<string | null>();
    const watcher = watch(dir, (_, name) => names.add(name));
    await firstOf(start("lock-taker.ts", path, "20"));
    watcher.close();
    const ours = [...names].filter((name) => name?.includes(".dead") !== true && name !== "lock.inside");
    expect(ours.sort()).toEqual(["lock", "lock.takeover"]);
  });

  test("is touched by its holder, and made again if somebody removed or spoiled it", () => {
    const lock = takeLock(path, own);
    if (!lock.held) throw new Error("not held");
    utimesSync(path, new Date(0), new Date(0));
    expect(lock.beat()).toBe(true);
    expect(statSync(path).mtimeMs).toBeGreaterThan(0);
    rmSync(path);
    expect(lock.beat()).toBe(true);
    expect(readLock(path)).toMatchObject({ run: "run-1", isHeld: true });
    writeFileSync(path, "spoiled");
    utimesSync(path, new Date(0), new Date(0));
    expect(lock.beat()).toBe(true);
    expect(readLock(path)).toMatchObject({ run: "run-1" });
  });

  test("is lost once another ralph holds it", () => {
    const lock = takeLock(path, own);
    leave({ pid: process.pid, start_time: null, run: "run-9" });
    expect(lock.held && lock.beat()).toBe(false);
    expect(readLock(path)).toMatchObject({ run: "run-9" });
  });

  describe("after a silence in which another ralph may have taken it over", () => {
    const silent = { silentMs: 0, watchMs: 0 };
    const lapses: [string, () => void][] = [
      ["that has ended", () => rmSync(path)],
      ["that was killed", () => leave({ run: "run-9" })],
    ];

    test.each(lapses)("is lost to one %s, for good, and left as it is", (_, lapse) => {
      const lock = takeLock(path, own, silent);
      lapse();
      const before = readdirSync(dir).map((name) => readFileSync(join(dir, name), "utf8"));
      expect(lock.held && lock.isOurs()).toBe(false);
      expect(lock.held && lock.beat()).toBe(false);
      expect(readdirSync(dir).map((name) => readFileSync(join(dir, name), "utf8"))).toEqual(before);
    });

    test("is ours if nobody took it, or if its whole folder is gone", () => {
      const lock = takeLock(path, own, silent);
      expect(lock.held && lock.isOurs()).toBe(true);
      renameSync(dir, `${dir}-away`);
      expect(lock.held && lock.isOurs()).toBe(true);
      renameSync(`${dir}-away`, dir);
    });
  });

  test("that a clone brought puts no lines of its own into what is told about its holder", () => {
    for (const made of [{ run: "run-1\nAll is well." }, { host: "h\rAll is well." }]) {
      leave(made);
      expect(readLock(path)).toBeNull();
    }
  });

  describe("by the wall clock, which goes on while a machine sleeps", () => {
    const patience = { silentMs: 20_000, watchMs: 6000 };
    const later = (ms: number) => setSystemTime(new Date(Date.now() + ms));
    afterEach(() => void setSystemTime());

    test("is lost to one that was there meanwhile", () => {
      const lock = takeLock(path, own, patience);
      rmSync(path);
      later(6000);
      expect(lock.held && lock.isOurs()).toBe(false);
      expect(readdirSync(dir)).toEqual([]);
    });

    test("is made again after each beat in time, however long its holder lives", () => {
      const lock = takeLock(path, own, patience);
      for (let beats = 0; beats < 3; beats += 1) {
        later(4000);
        rmSync(path);
        expect(lock.held && lock.beat()).toBe(true);
        expect(readLock(path)).toMatchObject({ run: "run-1" });
      }
    });
  });

  test("is released after what was done under it, whatever came of that", async () => {
    const lock = takeLock(path, own);
    if (!lock.held) throw new Error("not held");
    const work = underLock(lock, async () => {
      expect(readdirSync(dir)).toEqual(["lock"]);
      throw new Error("it failed");
    });
    expect(await work.catch(String)).toBe("Error: it failed");
    expect(readdirSync(dir)).toEqual([]);
  });

  test("is taken for ours without a look where there was no such silence", () => {
    const lock = takeLock(path, own);
    rmSync(path);
    expect(lock.held && lock.isOurs()).toBe(true);
    expect(readdirSync(dir)).toEqual([]);
  });

  describe("of a process that cannot be seen from here", () => {
    const elsewhere: [string, Record<string, unknown>][] = [
      ["on another host", { host: "another.host", place: "" }],
      ["in another container of the same name", { pid: process.pid, start_time: null, place: "boot pid:[1]" }],
    ];
    const patience = { silentMs: 400, watchMs: 200 };

    test.each(elsewhere)("%s is respected while something touches it", async (_, left) => {
      leave(left);
      const toucher = start("lock-toucher.ts", path);
      expect(await firstOf(toucher)).toBe("touching\n");
      expect(takeLock(path, own, patience)).toMatchObject({ held: false, by: { run: "run-0" } });
      expect(readLock(path)).toMatchObject({ run: "run-0", isHeld: true });
      toucher.kill("SIGKILL");
    });

    test.each(elsewhere)("%s is taken over once nothing touches it", (_, left) => {
      leave(left);
      expect(takeLock(path, own, patience).held).toBe(true);
      leave(left);
      utimesSync(path, new Date(0), new Date(0));
      expect(readLock(path)).toMatchObject({ run: "run-0", isHeld: false });
      expect(takeLock(path, own, patience).held).toBe(true);
    });
  });

  test("is not released by a holder that lost it", () => {
    const lock = takeLock(path, own);
    leave({ run: "run-9" });
    if (lock.held) lock.release();
    expect(readLock(path)).toMatchObject({ run: "run-9" });
  });

  test("is taken over although a ralph died during a takeover", () => {
    leave({});
    writeFileSync(`${path}.takeover`, readFileSync(path));
    expect(takeLock(path, own).held).toBe(true);
    expect(readdirSync(dir)).toEqual(["lock"]);
  });

  test("that cannot be removed at its release is left in place", () => {
    const lock = takeLock(path, own);
    rmSync(path);
    mkdirSync(join(path, "x"), { recursive: true });
    if (lock.held) lock.release();
    expect(readdirSync(path)).toEqual(["x"]);
  });

  test("in a folder that does not exist is an error", () => {
    expect(() => takeLock(join(dir, "gone", "lock"), own)).toThrow(RalphError);
  });

  test("is never held by two processes, even when holders die", async () => {
    leave({});
    // On Windows each check of a living holder takes half a second.
    const times = process.platform === "win32" ? "10" : "60";
    const takers = Array.from({ length: 4 }, () => start("lock-taker.ts", path, times));
    const counts = (await Promise.all(takers.map(firstOf))).map(Number);
    expect(counts).toEqual([0, 0, 0, 0]);
  }, 60_000);
});
