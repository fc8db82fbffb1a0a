import { expect, test } from "bun:test";
import { cpSync, mkdirSync, renameSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { workerName } from "../../../src/effects/fleet/worker-name.ts";
import { testFolders } from "../../folders.ts";

const newFolder = testFolders("worker-name");

test("a checkout's worker has one name, and no copy of the checkout has it too, nor one that was moved", () => {
  const top = newFolder();
  const [own, copy, moved] = ["own", "copy", "moved"].map((name) => join(top, name)) as [string, string, string];
  mkdirSync(own);
  const name = workerName(own);
  expect(name).toStartWith(`${hostname()}-`);
  expect(workerName(own)).toBe(name);
  cpSync(own, copy, { recursive: true });
  const other = workerName(copy);
  expect(other).not.toBe(name);
  expect(workerName(copy)).toBe(other);
  renameSync(copy, moved);
  expect(workerName(moved)).not.toBe(other);
  expect(workerName(own)).toBe(name);
});
