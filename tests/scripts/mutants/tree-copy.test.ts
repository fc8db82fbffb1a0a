import { expect, test } from "bun:test";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeWorkshop, removeLeftovers } from "../../../scripts/mutants/tree-copy.ts";

test("copies of a run that was killed are removed, those of a run that lives are not", () => {
  const mine = makeWorkshop();
  const { pid } = Bun.spawnSync([process.execPath, "--version"]);
  const left = join(tmpdir(), `ralph-mutants-${pid}-left`);
  mkdirSync(join(left, "tree"), { recursive: true });
  try {
    removeLeftovers();
    expect([existsSync(mine), existsSync(left)]).toEqual([true, false]);
  } finally {
    rmSync(mine, { recursive: true, force: true });
  }
});
