import { expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFates } from "../../../scripts/mutants/known-fates.ts";

test("fates outlive a run that is killed while it writes, and belong to the content that they were found for", () => {
  const folder = mkdtempSync(join(tmpdir(), "ralph-test-fates-"));
  const file = join(folder, "deep", "fates.jsonl");
  try {
    openFates(file, { fresh: false }).add("a-1", "content", "survived");
    appendFileSync(file, '{"mutant":"a-2","cont');
    openFates(file, { fresh: false }).add("a-3", "content", "killed by limit");
    const fates = openFates(file, { fresh: false });
    expect(["a-1", "a-2", "a-3"].map((id) => fates.of(id, "content"))).toEqual([
      "survived",
      undefined,
      "killed by limit",
    ]);
    expect(fates.of("a-1", "other content")).toBeUndefined();
    expect(openFates(file, { fresh: true }).of("a-1", "content")).toBeUndefined();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
