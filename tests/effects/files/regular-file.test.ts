import { beforeEach, expect, test } from "bun:test";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { UnfitFile } from "../../../src/core/system-error.ts";
import {
  appendRegular,
  openRegular,
  readRegular,
  readRegularLater,
  readRegularText,
} from "../../../src/effects/files/regular-file.ts";
import { testFolders } from "../../folders.ts";

const WINDOWS = process.platform === "win32";
let dir: string;
const newFolder = testFolders("regular");
beforeEach(() => {
  dir = newFolder();
});

/** Every way to open a file that may be there. */
const ways: [string, (path: string) => unknown][] = [
  ["reading it", (path) => readRegular(path)],
  ["reading it later", (path) => readRegularLater(path)],
  ["appending to it", (path) => appendRegular(path, "x")],
  ["changing it", (path) => openRegular(path, "update")],
  ["replacing it", (path) => openRegular(path, "replace")],
];

async function refusal(action: () => unknown): Promise<unknown> {
  try {
    await action();
    return null;
  } catch (error) {
    return error;
  }
}

test.skipIf(WINDOWS).each(ways)("a pipe, a socket, a device and links to them are refused when %s", async (_, open) => {
  const [pipe, socket, link] = ["pipe", "socket", "link"].map((name) => join(dir, name)) as [string, string, string];
  expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0);
  symlinkSync(pipe, link);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  try {
    for (const [path, why] of [
      [pipe, "it is a named pipe, not a file"],
      [link, "it is a named pipe, not a file"],
      [socket, "it is a socket, not a file"],
      ["/dev/zero", "it is a device, not a file"],
    ] as const) {
      const error = await refusal(() => open(path));
      expect({ path, error: String(error), unfit: error instanceof UnfitFile }).toEqual({
        path,
        error: `UnfitFile: ${why}`,
        unfit: true,
      });
    }
  } finally {
    server.close();
  }
});

test.each(ways.slice(0, 2))("a folder has the code EISDIR when %s", async (_, open) => {
  mkdirSync(join(dir, "folder"));
  expect(await refusal(() => open(join(dir, "folder")))).toMatchObject({ code: "EISDIR" });
});

test("a file is read up to its limit, and not a byte beyond", async () => {
  const path = join(dir, "a");
  writeFileSync(path, "12345");
  expect(readRegularText(path, 5)).toBe("12345");
  const why = "it has 5 B, and ralph reads at most 4 B";
  expect(await refusal(() => readRegular(path, 4))).toMatchObject({ code: "ETOOLARGE", message: why });
  expect(await refusal(() => readRegularLater(path, 4))).toMatchObject({ code: "ETOOLARGE", message: why });
});

test.skipIf(process.platform !== "linux")("a file that states no size is read whole, and limited too", async () => {
  expect(readRegularText("/proc/self/stat")).toMatch(/^\d+ \(.*\n$/s);
  expect(await refusal(() => readRegular("/proc/self/status", 10))).toMatchObject({ code: "ETOOLARGE" });
});

test("appending creates the file, and keeps what is in it", () => {
  appendRegular(join(dir, "a"), "one ");
  appendRegular(join(dir, "a"), "two");
  expect(readFileSync(join(dir, "a"), "utf8")).toBe("one two");
});
