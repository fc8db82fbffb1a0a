/** Claude Code prints something else than its stream: what is an answer, and what is not. */
import { afterAll, describe, expect, test } from "bun:test";
import { cleanUp, project } from "../support/harness.ts";

afterAll(cleanUp);

const BLOCK =
  "---RALPH_STATUS---\nSTATUS: COMPLETE\nWORK_TYPE: DOCUMENTATION\nEXIT_SIGNAL: true\n---END_RALPH_STATUS---\n";
const PRETTY = { result: `Over.\n${BLOCK}`, sessionId: "5e550001-0000-4000-8000-000000000001" };

describe("an answer that is not in the stream's format is read as ralph analyze reads it", () => {
  test.concurrent.each([
    ["plain text with a block", `All pages are written.\n${BLOCK}`],
    ["one document on several lines", `${JSON.stringify(PRETTY, null, 2)}\n`],
  ])("%s", async (_, stdout) => {
    const at = project({ steps: [{ files: { "src/1.txt": "1\n" }, stdout }] });
    await at.ralph("run", "--max-iterations", "1");
    const finished = at.event("iteration_finished");
    at.write("answer.txt", stdout);
    const { analysis } = JSON.parse((await at.ralph("analyze", "answer.txt", "--json")).stdout).iterations[0];
    expect(at.event("agent_finished")).toMatchObject({ ok: true, error: null });
    expect(finished).toMatchObject({ outcome: "answered", analysis });
    expect(analysis).toMatchObject({ status: "COMPLETE", exit_signal: true, work_type: "DOCUMENTATION" });
  });
});

test.concurrent.each([
  ["text without a block", "Segmentation fault\n", 0],
  ["a block, and the exit code of a failure", `All is done.\n${BLOCK}`, 1],
])("a call fails with %s", async (_, stdout, exit) => {
  const at = project({ steps: [{ stdout, exit }] });
  await at.ralph("run", "--max-iterations", "1");
  expect(at.event("agent_finished")).toMatchObject({ ok: false, error: { class: "infrastructure" } });
  expect(at.event("iteration_finished")?.outcome).toBe("failed");
});
