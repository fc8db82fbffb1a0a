import { beforeEach, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { removeFile, renameOver, writeFileAtomic } from "../../../src/effects/files/atomic-write.ts";
import { streamFile } from "../../../src/effects/files/stream-file.ts";
import { backUpFiles } from "../../../src/effects/protect/file-backups.ts";
import { testFolders } from "../../folders.ts";

const WINDOWS = process.platform === "win32";
let dir: string;
const newFolder = testFolders("whole");
beforeEach(() => {
  dir = newFolder();
});

/** As if it had been written more than a minute ago. */
function aged(path: string): void {
  const then = new Date(Date.now() - 61_000);
  utimesSync(path, then, then);
}

/** Every way to replace a file as a whole, and the temporary name that it uses. */
const ways: [string, (path: string) => void, string][] = [
  ["text", (path) => writeFileAtomic(path, "new"), "a.tmp"],
  ["bytes", (path) => writeFileAtomic(path, Buffer.from("new")), "a.tmp"],
  ["pieces", (path) => streamFile(path, ["n", "ew"]), `a.${process.pid}.tmp`],
];

test.each(ways)("replacing a file with %s leaves nothing else behind", (_name, replace) => {
  const path = join(dir, "a");
  for (const old of [null, "a much longer old text"]) {
    if (old !== null) writeFileSync(path, old);
    replace(path);
    expect(readFileSync(path, "utf8")).toBe("new");
  }
  expect(readdirSync(dir)).toEqual(["a"]);
});

test("bytes that are not text are written unchanged", () => {
  const bytes = Buffer.from([0xff, 0x00, 0xfe, 0x0d, 0x0a]);
  writeFileAtomic(join(dir, "a"), bytes);
  expect(readFileSync(join(dir, "a"))).toEqual(bytes);
});

test.each(ways)("replacing a folder with %s throws and leaves nothing behind", (_name, replace) => {
  mkdirSync(join(dir, "a", "b"), { recursive: true });
  expect(() => replace(join(dir, "a"))).toThrow();
  expect(readdirSync(dir)).toEqual(["a"]);
});

test.skipIf(WINDOWS).each(ways)("a link at the temporary name of %s is not followed", (_name, replace, temporary) => {
  writeFileSync(join(dir, "precious"), "precious");
  symlinkSync(join(dir, "precious"), join(dir, temporary));
  replace(join(dir, "a"));
  expect(readdirSync(dir).sort()).toEqual(["a", "precious"]);
  expect([readFileSync(join(dir, "a"), "utf8"), readFileSync(join(dir, "precious"), "utf8")]).toEqual([
    "new",
    "precious",
  ]);
});

test("a file that cannot be renamed is removed", () => {
  mkdirSync(join(dir, "a", "b"), { recursive: true });
  writeFileSync(join(dir, "new"), "new");
  expect(() => renameOver(join(dir, "new"), join(dir, "a"))).toThrow();
  expect(readdirSync(dir)).toEqual(["a"]);
});

test("a deleted file is restored byte by byte, with its folder", () => {
  const folder = join(dir, ".ralph");
  const paths = ["PROMPT.md", "fix_plan.md"].map((name) => join(folder, name));
  mkdirSync(folder);
  for (const path of paths) writeFileSync(path, Buffer.from([0xff, 0x0a]));
  const backups = backUpFiles(paths, join(dir, "run"));
  expect(backups.restore()).toEqual([]);
  rmSync(folder, { recursive: true });
  expect(backups.restore()).toEqual(paths);
  expect(readdirSync(folder).sort()).toEqual(["PROMPT.md", "fix_plan.md"]);
  expect(readFileSync(join(folder, "PROMPT.md"))).toEqual(Buffer.from([0xff, 0x0a]));
});

test("what a program writes just now stays its own, and what a killed one left a minute ago is removed", () => {
  const [path, temporary] = [join(dir, "a"), join(dir, "a.tmp")];
  writeFileSync(temporary, "half wri");
  writeFileAtomic(path, "whole");
  expect([readFileSync(path, "utf8"), readFileSync(temporary, "utf8")]).toEqual(["whole", "half wri"]);
  aged(temporary);
  writeFileAtomic(path, "newer");
  expect([readFileSync(path, "utf8"), readdirSync(dir)]).toEqual(["newer", ["a"]]);
});

test("what several killed programs left, which wrote at the same time, is removed by those that come to their names", () => {
  const path = join(dir, "a");
  // The usual name is another's, as is each that a writer takes after it and is killed with.
  writeFileSync(`${path}.tmp`, "half wri");
  const kill = (nth: number) => writeFileSync(`${path}.${nth}.tmp`, "half wri");
  kill(2);
  writeFileAtomic(path, "whole");
  expect([readFileSync(path, "utf8"), readdirSync(dir).sort()]).toEqual(["whole", ["a", "a.2.tmp", "a.tmp"]]);
  aged(`${path}.2.tmp`);
  writeFileAtomic(path, "newer");
  expect([readFileSync(path, "utf8"), readdirSync(dir).sort()]).toEqual(["newer", ["a", "a.tmp"]]);
});

test("a write succeeds whatever stands at the names that it could know", () => {
  const path = join(dir, "a");
  for (let nth = 1; nth <= 200; nth += 1) writeFileSync(nth === 1 ? `${path}.tmp` : `${path}.${nth}.tmp`, "not mine");
  writeFileAtomic(path, "whole");
  expect([readFileSync(path, "utf8"), readdirSync(dir).length]).toEqual(["whole", 201]);
});

test("programs that replace the same file at the same time all succeed, and none is read in part", async () => {
  const path = join(dir, "a");
  const module = join(import.meta.dirname, "../../../src/effects/files/atomic-write.ts");
  const text = (of: string) => of.repeat(5000);
  const program = `import { writeFileAtomic } from ${JSON.stringify(module)};
for (let nth = 0; nth < 300; nth += 1) writeFileAtomic(${JSON.stringify(path)}, process.argv[1].repeat(5000));`;
  writeFileSync(path, text("a"));
  const writers = ["a", "b", "c"].map((of) =>
    Bun.spawn([process.execPath, "-e", program, of], { stdio: ["ignore", "inherit", "pipe"] }),
  );
  let running = writers.length;
  for (const writer of writers) void writer.exited.then(() => (running -= 1));
  const seen = new Set<string>();
  for (; running > 0; await Bun.sleep(1)) seen.add(readFileSync(path, "utf8"));
  for (const { exitCode, stderr } of writers) expect([exitCode, await stderr.text()]).toEqual([0, ""]);
  expect([...seen].filter((read) => !["a", "b", "c"].map(text).includes(read))).toEqual([]);
  expect(readdirSync(dir)).toEqual(["a"]);
}, 60_000);

test("a write succeeds although another program clears temporary files away", async () => {
  const path = join(dir, "a");
  const clears = `import { rmSync } from "node:fs";
process.stdout.write("begins");
for (;;) rmSync(${JSON.stringify(`${path}.tmp`)}, { force: true });`;
  const cleaner = Bun.spawn([process.execPath, "-e", clears], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    await cleaner.stdout.getReader().read();
    for (let nth = 0; nth < 3000; nth += 1) {
      writeFileAtomic(path, String(nth));
      expect(readFileSync(path, "utf8")).toBe(String(nth));
    }
  } finally {
    cleaner.kill();
    await cleaner.exited;
  }
  expect(readdirSync(dir)).toEqual(["a"]);
}, 60_000);

test.skipIf(WINDOWS)(
  "a program that was held up while it wrote does not put another one's half-written file in place",
  async () => {
    const path = join(dir, "a");
    const temporary = `${path}.tmp`;
    const module = join(import.meta.dirname, "../../../src/effects/files/atomic-write.ts");
    // So long that it is still at it when it is seen.
    const program = `import { writeFileAtomic } from ${JSON.stringify(module)};
writeFileAtomic(${JSON.stringify(path)}, Buffer.alloc(128 << 20, "b"));`;
    const held = Bun.spawn([process.execPath, "-e", program], { stdio: ["ignore", "inherit", "pipe"] });
    while (!existsSync(temporary) && held.exitCode === null) await Bun.sleep(0);
    held.kill("SIGSTOP");
    try {
      aged(temporary);
      writeFileAtomic(path, "whole");
      expect([readFileSync(path, "utf8"), readdirSync(dir)]).toEqual(["whole", ["a"]]);
      writeFileSync(temporary, "half wri");
    } finally {
      held.kill("SIGCONT");
    }
    const sizes = new Set<number>();
    for (; held.exitCode === null; await Bun.sleep(1)) sizes.add(statSync(path).size);
    expect([held.exitCode, await held.stderr.text()]).toEqual([0, ""]);
    expect([...sizes].filter((size) => size !== "whole".length && size !== 128 << 20)).toEqual([]);
    expect(statSync(path).size).toBe(128 << 20);
    expect([readdirSync(dir).sort(), readFileSync(temporary, "utf8")]).toEqual([["a", "a.tmp"], "half wri"]);
  },
  60_000,
);

test("a file is removed with what killed writers of it left", () => {
  const path = join(dir, "a");
  for (const name of ["a", "a.tmp", "a.2.tmp", "a.8.tmp", "b.2.tmp"]) writeFileSync(join(dir, name), "half wri");
  // Not a writer's: it costs nothing but its name.
  mkdirSync(join(dir, "a.3.tmp"));
  removeFile(path);
  expect(readdirSync(dir).sort()).toEqual(["a.3.tmp", "b.2.tmp"]);
});
