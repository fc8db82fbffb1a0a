/** Replaces a program on a real file system, with a power cut before every step, and under the rules of Windows. */
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type ProgramFiles, replaceProgram } from "../../../src/effects/network/replace-program.ts";
import { programFiles } from "../../../src/effects/process/program-files.ts";
import { testFolder } from "../../folders.ts";

const folder = testFolder("replace");

/** The programs of these tests are texts that are their own answer to `--version`. */
const bytes = (version: string) => new TextEncoder().encode(version);

class PowerCut extends Error {}

type Steps = { files: ProgramFiles; names(): string[] };

/** The port, with a power cut at the nth change. */
function cutBefore(files: ProgramFiles, last: number): Steps {
  const names: string[] = [];
  const step = (name: string) => {
    if (names.length >= last) throw new PowerCut("power cut");
    names.push(name);
  };
  return {
    files: {
      ...files,
      write: (path, content, like) => {
        step("write");
        files.write(path, content, like);
      },
      duplicate: (from, to) => {
        step("duplicate");
        files.duplicate(from, to);
      },
      rename: (from, to) => {
        step("rename");
        files.rename(from, to);
      },
      remove: (path) => {
        step("remove");
        files.remove(path);
      },
      sync: (path) => {
        step("sync");
        files.sync(path);
      },
    },
    names: () => names,
  };
}

type Given = {
  files?: ProgramFiles;
  answer?: (path: string) => string | null;
  platform?: NodeJS.Platform;
  pid?: number;
};

function place(): string {
  const path = join(mkdtempSync(join(folder, "p-")), "ralph");
  writeFileSync(path, "1.0.0", { mode: 0o755 });
  return path;
}

function replace(path: string, { files = programFiles, answer, platform = "linux", pid = 77 }: Given = {}): void {
  const ask = answer ?? ((program: string) => readFileSync(program, "utf8"));
  const isAlive = (other: number) => other === pid || other === 99;
  replaceProgram({ path, content: bytes("1.1.0"), version: "1.1.0", platform, pid, files, ask, isAlive });
}

const namesBeside = (path: string) => readdirSync(join(path, ".."));

test("the new program takes the old one's place, and nothing else is left", () => {
  const path = place();
  replace(path);
  expect(readFileSync(path, "utf8")).toBe("1.1.0");
  expect(namesBeside(path)).toEqual(["ralph"]);
});

describe("a power cut", () => {
  const all = cutBefore(programFiles, Number.POSITIVE_INFINITY);
  replace(place(), { files: all.files });
  const steps = all.names();

  test("is tested before each of the five steps", () =>
    expect(steps).toEqual(["write", "duplicate", "rename", "sync", "remove"]));

  test.each(steps.map((name, index) => [index, name] as const))(
    "before step %i (%s) leaves the old or the new program working, and the next update cleans up",
    (index) => {
      const path = place();
      try {
        replace(path, { files: cutBefore(programFiles, index).files });
      } catch {
        // expected
      }
      expect(["1.0.0", "1.1.0"]).toContain(readFileSync(path, "utf8"));
      replace(path, { pid: 78 });
      expect(readFileSync(path, "utf8")).toBe("1.1.0");
      expect(namesBeside(path)).toEqual(["ralph"]);
    },
  );
});

describe("the old program stays", () => {
  test("when the new one does not run", () => {
    const path = place();
    expect(() => replace(path, { answer: () => null })).toThrow("does not run here");
    expect(readFileSync(path, "utf8")).toBe("1.0.0");
    expect(namesBeside(path)).toEqual(["ralph"]);
  });

  test("when the new one has another version than the release", () => {
    const path = place();
    expect(() => replace(path, { answer: () => "0.5.0" })).toThrow('says it is "0.5.0"');
    expect(namesBeside(path)).toEqual(["ralph"]);
  });

  test("when the new one runs beside it but not in its place", () => {
    const path = place();
    const answer = (program: string) => (program === path ? null : "1.1.0");
    expect(() => replace(path, { answer })).toThrow("does not run here");
    expect(readFileSync(path, "utf8")).toBe("1.0.0");
    expect(namesBeside(path)).toEqual(["ralph"]);
  });

  test.each(["write", "duplicate", "rename", "sync"] as const)("when the disk refuses to %s", (name) => {
    const path = place();
    let isFirst = true;
    const refuse = (...given: unknown[]) => {
      if (isFirst) {
        isFirst = false;
        throw Object.assign(new Error(`EACCES: ${name}`), { code: "EACCES" });
      }
      (programFiles[name] as (...args: unknown[]) => void)(...given);
    };
    expect(() => replace(path, { files: { ...programFiles, [name]: refuse } })).toThrow(
      `${path} could not be replaced: permission is denied (EACCES)`,
    );
    expect(readFileSync(path, "utf8")).toBe("1.0.0");
    expect(namesBeside(path)).toEqual(["ralph"]);
  });
});

test("the leftovers of a dead update are removed, those of a running update are not", () => {
  const path = place();
  for (const name of [".ralph-5.new", ".ralph-5.old", ".ralph-99.new", ".ralph-5.txt"])
    writeFileSync(join(path, "..", name), "");
  replace(path);
  expect(namesBeside(path).sort()).toEqual([".ralph-5.txt", ".ralph-99.new", "ralph"]);
});

test("a half-written program of the same process is replaced", () => {
  const path = place();
  const half = join(path, "..", ".ralph-77.new");
  writeFileSync(half, "hal");
  chmodSync(half, 0o400);
  replace(path);
  expect(readFileSync(path, "utf8")).toBe("1.1.0");
});

const BIN = join("C:", "bin");
const RUNNING = join(BIN, "ralph.exe");

/** A folder under the rules of Windows: a running program can be renamed, but not removed or overwritten. */
function windowsFolder(): { files: ProgramFiles; content: Map<string, string> } {
  const running = { content: "1.0.0" };
  const content = new Map<string, { content: string }>([[RUNNING, running]]);
  const refuse = (path: string) => {
    if (content.get(path) === running) throw Object.assign(new Error("EPERM"), { code: "EPERM" });
  };
  const files: ProgramFiles = {
    write: (path, written) => void content.set(path, { content: new TextDecoder().decode(written) }),
    duplicate: () => {
      throw new Error("not there");
    },
    rename: (from, to) => {
      const file = content.get(from);
      if (file === undefined) throw new Error("ENOENT");
      refuse(to);
      content.delete(from);
      content.set(to, file);
    },
    remove: (path) => {
      refuse(path);
      content.delete(path);
    },
    exists: (path) => content.has(path),
    names: () => [...content.keys()].map((path) => basename(path)),
    sync: () => {},
  };
  const view = { get: (path: string) => content.get(path)?.content, keys: () => content.keys() };
  return { files, content: view as unknown as Map<string, string> };
}

describe("on Windows", () => {
  const path = RUNNING;
  const old = join(BIN, ".ralph-77.old.exe");

  test("the running program is moved aside, and stays there until the next update", () => {
    const { files, content } = windowsFolder();
    replace(path, { files, platform: "win32", answer: (program) => content.get(program) ?? null });
    expect([...content.keys()].sort()).toEqual([old, path]);
    expect(content.get(path)).toBe("1.1.0");
  });

  test("the old program comes back when the new one does not run in its place", () => {
    const { files, content } = windowsFolder();
    const answer = (program: string) => (program === path ? null : "1.1.0");
    expect(() => replace(path, { files, platform: "win32", answer })).toThrow("does not run here");
    expect([...content.keys()]).toEqual([path]);
    expect(content.get(path)).toBe("1.0.0");
  });

  test.each([0, 1, 2])("a power cut before step %i leaves a complete program under one of its names", (index) => {
    const { files, content } = windowsFolder();
    const answer = (program: string) => content.get(program) ?? null;
    try {
      replace(path, { files: cutBefore(files, index).files, platform: "win32", answer });
    } catch {
      // expected
    }
    const whole = [path, old].map((name) => content.get(name)).filter((one) => one !== undefined);
    expect(whole).toContain("1.0.0");
  });
});
