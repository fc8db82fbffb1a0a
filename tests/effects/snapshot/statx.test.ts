/** What the C library says of files is what `lstat` says, and that a file is the same it says of no other. */
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { lookedFiles, openStatx, SAME, type Statx } from "../../../src/effects/snapshot/statx.ts";

const statx = openStatx();

/** A folder for one test. */
function inFolder(action: (folder: string, statx: Statx) => void): void {
  if (statx === null) throw new Error("the C library cannot be called");
  const folder = mkdtempSync(join(tmpdir(), "ralph-statx-"));
  try {
    action(folder, statx);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One look at each of these. */
function lookAt(statx: Statx, folder: string, files: ReturnType<typeof lookedFiles>, mayBeSame: boolean) {
  const look = statx(folder, files);
  if (look === null) throw new Error(`${folder} cannot be opened`);
  try {
    return files.names.map((_, nth) => look.at(nth, mayBeSame));
  } finally {
    look.close();
  }
}

test.skipIf(process.platform === "linux")("is there on Linux alone", () => expect(statx).toBeNull());

describe.skipIf(process.platform !== "linux")("looking with statx", () => {
  const kinds: Record<string, (path: string) => void> = {
    "a file": (path) => writeFileSync(path, "bytes"),
    "an empty file": (path) => writeFileSync(path, ""),
    "a program": (path) => writeFileSync(path, "#!/bin/sh\n", { mode: 0o755 }),
    "a file of five GB with a hole": (path) => {
      writeFileSync(path, "");
      Bun.spawnSync(["truncate", "--size=5G", path]);
    },
    "a file from before 1970": (path) => {
      writeFileSync(path, "old");
      utimesSync(path, -86_400, -86_400);
    },
    "a file from after 2038": (path) => {
      writeFileSync(path, "new");
      utimesSync(path, 2 ** 32 + 0.5, 2 ** 32 + 0.5);
    },
    "a link": (path) => symlinkSync("elsewhere", path),
    "a folder": (path) => mkdirSync(path),
  };

  test("finds what lstat finds", () =>
    inFolder((folder, statx) => {
      const names = [...Object.keys(kinds), "ä name 名"];
      for (const name of names) (kinds[name] ?? kinds["a file"])?.(join(folder, name));
      const found = lookAt(statx, folder, lookedFiles(names), false);
      for (const [nth, name] of names.entries()) {
        const { mode, ino, size, ctimeMs, mtimeMs } = lstatSync(join(folder, name));
        const one = found[nth];
        if (one === SAME || one === null || one === undefined) throw new Error(`${name} was not found`);
        expect({ name, ...one }).toMatchObject({ name, mode, ino, size, ctimeMs, mtimeMs });
        expect([one.isDirectory(), one.isSymbolicLink()]).toEqual([name === "a folder", name === "a link"]);
      }
    }));

  test("finds a name that is not UTF-8", () =>
    inFolder((folder, statx) => {
      const bytes = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x61, 0xff, 0x62])]);
      writeFileSync(bytes, "bytes");
      expect(lookAt(statx, folder, lookedFiles(["a\udcffb"]), false)).toMatchObject([{ size: 5 }]);
    }));

  test("says nothing of a file that is gone, and not that it is the same when it is back", () =>
    inFolder((folder, statx) => {
      const path = join(folder, "file");
      writeFileSync(path, "bytes");
      const files = lookedFiles(["file"]);
      lookAt(statx, folder, files, true);
      renameSync(path, join(folder, "away"));
      expect(lookAt(statx, folder, files, true)).toEqual([null]);
      renameSync(join(folder, "away"), path);
      expect(lookAt(statx, folder, files, true)).toMatchObject([{ size: 5 }]);
      expect(lookAt(statx, folder, files, true)).toEqual([SAME]);
    }));

  test("follows no link to a folder", () =>
    inFolder((folder, statx) => {
      mkdirSync(join(folder, "real"));
      symlinkSync("real", join(folder, "link"));
      expect(statx(join(folder, "link"), lookedFiles([]))).toBeNull();
      expect(statx(join(folder, "none"), lookedFiles([]))).toBeNull();
    }));

  const changes: Record<string, (path: string) => void> = {
    "other bytes": (path) => writeFileSync(path, "BYTES"),
    "more bytes": (path) => writeFileSync(path, "more bytes"),
    "another mode": (path) => chmodSync(path, 0o700),
    "an older time": (path) => utimesSync(path, 1, 1),
    "another file of the same name": (path) => {
      writeFileSync(`${path}.new`, "bytes");
      renameSync(`${path}.new`, path);
    },
    "a second name": (path) => linkSync(path, `${path}.second`),
    "a link in its place": (path) => {
      rmSync(path);
      symlinkSync("elsewhere", path);
    },
  };

  test.each(Object.entries(changes))("%s is another file than before", (_, change) =>
    inFolder((folder, statx) => {
      const path = join(folder, "file");
      for (const name of [path, join(folder, "other")]) {
        writeFileSync(name, "bytes");
        // The clock of a file system ticks every few ms: a change right after the first look may have the same time.
        utimesSync(name, 1_000, 1_000);
      }
      const files = lookedFiles(["file", "other"]);
      lookAt(statx, folder, files, true);
      expect(lookAt(statx, folder, files, true)).toEqual([SAME, SAME]);
      expect(lookAt(statx, folder, files, false)).toMatchObject([{ size: 5 }, { size: 5 }]);
      change(path);
      const [changed, other] = lookAt(statx, folder, files, true);
      expect(changed).toMatchObject({ ino: lstatSync(path).ino });
      expect(other).toBe(SAME);
      expect(lookAt(statx, folder, files, true)).toEqual([SAME, SAME]);
    }),
  );

  test("stays right over many looks, with the memory cleared up in between", () =>
    inFolder((folder, statx) => {
      const names = Array.from({ length: 30 }, (_, nth) => `file ${nth}`);
      for (const name of names) writeFileSync(join(folder, name), name);
      const inodes = names.map((name) => lstatSync(join(folder, name)).ino);
      const files = lookedFiles(names);
      for (let round = 0; round < 300; round += 1) {
        if (round % 50 === 0) Bun.gc(true);
        const found = lookAt(statx, folder, files, false);
        expect(found.map((one) => (one === null || one === SAME ? null : one.ino))).toEqual(inodes);
      }
    }));
});
