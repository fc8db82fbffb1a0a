import { describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../src/core/durations.ts";
import { detectInstallMethod } from "../../../src/core/release/installation.ts";
import { compareToRunning, parseRelease } from "../../../src/core/release/release.ts";
import {
  isFresh,
  parseCachedRelease,
  shouldCheckForUpdate,
  updateNotice,
} from "../../../src/core/release/update-notice.ts";

describe("the offered version compared with the running one", () => {
  test.each([
    ["1.1.0", "1.0.0", "newer"],
    ["1.0.0", "1.0.0", "same"],
    ["0.9.0", "1.0.0", "older"],
    ["1.1.0-rc.1", "1.0.0", "pre-release"],
    ["1.1.0-rc.2", "1.1.0-rc.1", "newer"],
    ["1.1.0", "1.1.0-rc.1", "newer"],
    ["1.1.0-rc.1", "1.1.0", "older"],
    ["nonsense", "1.0.0", "same"],
  ] as const)("%s is for %s: %s", (offered, running, expected) =>
    expect(compareToRunning(offered, running)).toBe(expected),
  );
});

describe("the update check at the start", () => {
  test.each([
    ["true", false, true, true],
    ["true", true, true, false],
    ["true", false, false, false],
    ["false", false, true, false],
    ["always", true, false, true],
  ] as const)("with mode %s, CI %p, terminal %p is made: %p", (mode, inCi, isTty, expected) =>
    expect(shouldCheckForUpdate({ mode, inCi, isTty })).toBe(expected),
  );
});

describe("a cached release", () => {
  const known = { source: "https://a.example", checked_at: 1_000, version: "1.0.0" };
  test.each([
    ["holds for a day", known.source, 1_000 + DAY_MS - 1, true],
    ["is too old after a day", known.source, 1_000 + DAY_MS, false],
    ["of the future is not believed", known.source, 999, false],
    ["of another source does not count", "https://b.example", 1_001, false],
  ] as const)("%s", (_, source, now, expected) => expect(isFresh(known, source, now)).toBe(expected));

  test.each(["", "{}", "[]", '{"source":1}'])("is not read from %p", (text) =>
    expect(parseCachedRelease(text)).toBeNull(),
  );
});

test("the update notice has three lines, and appears only for a newer version", () => {
  expect(updateNotice({ offered: "1.1.0", running: "1.0.0", how: "ralph update" })).toMatchInlineSnapshot(`
    "ralph 1.1.0 is available; this is 1.0.0.
      Get it: ralph update
      Turn this notice off: RALPH_UPDATE_CHECK=false
    "
  `);
  expect(updateNotice({ offered: "1.0.0", running: "1.0.0", how: "" })).toBeNull();
  expect(updateNotice({ offered: "1.1.0-rc.1", running: "1.0.0", how: "" })).toBeNull();
});

describe("the package manager of the program", () => {
  test.each([
    ["/home/u/.local/bin/ralph", "own"],
    ["/usr/lib/node_modules/ralph-linux-x64/ralph", "npm"],
    ["C:\\Users\\u\\AppData\\Roaming\\npm\\node_modules\\ralph-windows-x64\\ralph.exe", "npm"],
    ["/opt/homebrew/Cellar/ralph/1.0.0/bin/ralph", "homebrew"],
    ["C:\\Users\\u\\scoop\\apps\\ralph\\1.0.0\\ralph.exe", "scoop"],
  ] as const)("at %s is %s", (path, expected) => expect(detectInstallMethod(path)).toBe(expected));
});

describe("latest.json", () => {
  const asset = { url: "a.zst", sha256: "0".repeat(64), size: 5, signature: null };
  const release = { version: "1.0.0", notes: "", date: "", platforms: { "linux-x64": asset } };
  test("is parsed", () => expect(parseRelease(JSON.stringify(release))).toEqual(release));
  test.each([
    ["without a version", { ...release, version: "newest" }],
    ["with a checksum that is none", { ...release, platforms: { a: { ...asset, sha256: "0" } } }],
    ["with a size that is none", { ...release, platforms: { a: { ...asset, size: -1 } } }],
  ])("%s is refused", (_, broken) => expect(parseRelease(JSON.stringify(broken))).toBeNull());
  test("without JSON is refused", () => expect(parseRelease("<html>")).toBeNull());
});

test("a folder of scoop is found in any case, as Windows finds it", () => {
  expect(detectInstallMethod("C:\\Users\\me\\Scoop\\Apps\\ralph\\ralph.exe")).toBe("scoop");
});

test("a pre-release of one part is a pre-release too", () => {
  expect([compareToRunning("1.1.0-1", "1.0.0"), compareToRunning("1.1.0-1", "1.0.0-rc.1")]).toEqual([
    "pre-release",
    "newer",
  ]);
});
