import { afterAll, expect, test } from "bun:test";
import { done } from "../support/answers.ts";
import { cleanUp, project } from "../support/harness.ts";

afterAll(cleanUp);

test("a task is not done while its card's check is red", async () => {
  const manifest = JSON.stringify({ scripts: { test: "node -e process.exitCode=1" } });
  const where = project({ files: { "package.json": manifest }, steps: [done] });
  const { exit, stdout } = await where.ralph("make it work", "--max-iterations", "3");
  expect(stdout).toContain("npm test");
  expect([exit, where.event("run_finished")?.stop_reason]).toEqual([6, "completion_disputed"]);
});
