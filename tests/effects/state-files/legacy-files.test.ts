import { beforeEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { adoptLegacy } from "../../../src/core/state-files/legacy/adopt-legacy.ts";
import { moveOldFileAside, readOldFiles } from "../../../src/effects/state-files/legacy-files.ts";
import { testFolders } from "../../folders.ts";

let root: string;
const newFolder = testFolders("old");
beforeEach(() => {
  root = newFolder();
  mkdirSync(join(root, ".ralph", "logs"), { recursive: true });
});
const dirs = () => [join(root, ".ralph"), root];

test("files in .ralph come before those of the flat layout", () => {
  writeFileSync(join(root, ".call_count"), "1");
  writeFileSync(join(root, ".last_reset"), "2026013109");
  writeFileSync(join(root, ".ralph", ".call_count"), "2");
  utimesSync(join(root, ".ralph", ".call_count"), 1000, 1000);
  const files = readOldFiles(dirs());
  expect(files[".call_count"]).toEqual({ text: "2", mtime: 1_000_000 });
  expect(files[".last_reset"]?.text).toBe("2026013109");
  expect(Object.keys(files)).toHaveLength(2);
});

test("folders in place of files, and missing folders, are skipped", () => {
  mkdirSync(join(root, ".ralph", ".circuit_breaker_state"));
  expect(readOldFiles([...dirs(), join(root, "nowhere")])).toEqual({});
});

test("only the end of long metrics is read", () => {
  const line = `${JSON.stringify({ driver: "claude-code", pad: "x".repeat(1000) })}\n`;
  writeFileSync(join(root, ".ralph", "logs", "metrics.jsonl"), `${line.repeat(1000)}{"driver":"codex"}\n`);
  writeFileSync(join(root, ".ralph", ".claude_session_id"), "s-1");
  const files = readOldFiles(dirs());
  expect(files["logs/metrics.jsonl"]?.text.length).toBe(256 * 1024);
  expect(adoptLegacy(files, { now: 0, driver: null }).state.session).toMatchObject({ driver: "codex" });
});

test("an unreadable file is moved aside to an unused name, with its bytes", () => {
  const [ralph = ""] = dirs();
  for (const text of ["{oops", "{again"]) {
    writeFileSync(join(ralph, ".call_count"), text);
    moveOldFileAside(dirs(), ".call_count", "20260131T090500Z");
  }
  expect(readdirSync(ralph).sort()).toEqual([
    ".call_count.corrupt-20260131T090500Z",
    ".call_count.corrupt-20260131T090500Z-2",
    "logs",
  ]);
  expect(readFileSync(join(ralph, ".call_count.corrupt-20260131T090500Z"), "utf8")).toBe("{oops");
  expect(moveOldFileAside(dirs(), ".call_count", "x")).toBeNull();
});
