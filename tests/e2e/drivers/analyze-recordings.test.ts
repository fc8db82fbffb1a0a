/**
 * `ralph analyze` in the compiled program, with some recorded runs of each agent; tests/drivers/verdicts-* assess all
 * of them.
 */
import { afterAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { cleanUp, project } from "../support/harness.ts";

afterAll(cleanUp);

type Verdict = "done" | "goes on" | "limited" | "denied" | "failed";
type Iteration = {
  analysis: { exit_signal: boolean; is_error: boolean; has_permission_denials: boolean; usage_limit: unknown };
};

const RECORDINGS = join(import.meta.dirname, "..", "..", "fixtures", "agent-output");
/** Structured output only: Codex's sandbox denies without an event. */
const SCENARIOS: readonly [string, readonly string[], Verdict][] = [
  ["shell-complete", ["claude", "codex", "copilot", "cursor", "opencode"], "done"],
  ["plain-text", ["claude", "codex", "copilot", "cursor", "opencode"], "goes on"],
  ["rate-limit", ["claude", "codex", "copilot", "cursor", "opencode"], "limited"],
  ["permission-denied", ["claude", "copilot", "cursor", "opencode"], "denied"],
  ["server-error", ["claude", "codex", "copilot", "opencode"], "failed"],
];
const CASES = SCENARIOS.flatMap(([scenario, agents, verdict]) => agents.map((agent) => ({ scenario, agent, verdict })));

test.concurrent.each(CASES)("$scenario of $agent is $verdict", async ({ scenario, agent, verdict }) => {
  const folder = join(RECORDINGS, agent);
  const name = readdirSync(folder).find((one) => new RegExp(`^${scenario}\\.(stream|json)\\.jsonl$`).test(one)) ?? "";
  const meta = JSON.parse(readFileSync(join(folder, name.replace(/\.jsonl$/, ".meta.json")), "utf8"));
  const at = project({ files: { "stderr.txt": meta.stderr } });
  const flags = ["--json", "--stderr", at.path("stderr.txt"), "--exit-code", String(meta.exitCode ?? 143)];
  const { exit, stdout, stderr } = await at.ralph("analyze", join(folder, name), ...flags);
  expect([exit, stderr]).toEqual([0, ""]);
  const iterations: Iteration[] = JSON.parse(stdout).iterations;
  expect(iterations.map(verdictOf)).toEqual([verdict]);
});

function verdictOf({ analysis }: Iteration): Verdict {
  if (analysis.usage_limit !== null) return "limited";
  if (analysis.is_error) return "failed";
  if (analysis.has_permission_denials) return "denied";
  return analysis.exit_signal ? "done" : "goes on";
}

const [CAMEL, NESTED, SNAKE] = ["a", "b", "c"].map((end) => `0f8e7d6c-1234-4abc-9def-00112233445${end}`);

test.concurrent.each([
  [{ sessionId: CAMEL, metadata: { session_id: NESTED }, session_id: SNAKE }, CAMEL],
  [{ metadata: { session_id: NESTED }, session_id: SNAKE }, NESTED],
  [{ session_id: SNAKE }, SNAKE],
])("of the session ids %j the one is taken that the contract names first", async (ids, expected) => {
  const at = project({ files: { "answer.json": JSON.stringify({ result: "Over.", ...ids }) } });
  const { stdout } = await at.ralph("analyze", "answer.json", "--json");
  expect(JSON.parse(stdout).iterations).toMatchObject([{ session_id: expected }]);
});

test.concurrent("a session id that is no UUID is told, with what it is worth", async () => {
  const at = project({ files: { "answer.json": '{"result":"Over.","sessionId":"session-abc123"}' } });
  const { stdout } = await at.ralph("analyze", "answer.json", "--json");
  expect(JSON.parse(stdout).iterations).toMatchObject([{ driver: "claude-code", session_id: "session-abc123" }]);
  expect((await at.ralph("analyze", "answer.json")).stdout).toContain(
    "Session: session-abc123; claude-code has no such ids, so a run would not resume it.",
  );
});

test.concurrent("the fields of a flat answer are read: work, errors, progress", async () => {
  const metadata = { has_errors: true, progress_indicators: ["parser", "tests"], files_changed: 3 };
  const flat = { status: "IN_PROGRESS", exit_signal: false, work_type: "REFACTORING", confidence: 60, metadata };
  const at = project({ files: { "answer.json": JSON.stringify(flat) } });
  const { stdout } = await at.ralph("analyze", "answer.json", "--json");
  const analysis = { work_type: "REFACTORING", error_count: 1, confidence_score: 70, files_modified: 3 };
  expect(JSON.parse(stdout).iterations).toMatchObject([{ analysis }]);
  expect((await at.ralph("analyze", "answer.json")).stdout).toContain("Errors: 1, as the answer's fields say.");
});

test.concurrent("half a character that an agent sent leaves the document readable for strict parsers", async () => {
  const answer = { type: "result", subtype: "success", is_error: false, result: "Half: \ud83d", session_id: "s1" };
  const at = project({ files: { "answer.jsonl": `${JSON.stringify(answer)}\n` } });
  const { stdout } = await at.ralph("analyze", "answer.jsonl", "--json");
  expect(JSON.parse(stdout).iterations).toMatchObject([{ analysis: { work_summary: "Half: \ufffd" } }]);
});

test.concurrent.skipIf(process.platform === "win32")(
  "a recording named - is read from stdin, and a folder is refused as a folder",
  async () => {
    const at = project({
      files: { "answer.txt": "Over.\n---RALPH_STATUS---\nEXIT_SIGNAL: true\n---END_RALPH_STATUS---\n" },
    });
    const piped = ["sh", "-c", '"$@" <answer.txt', "sh"];
    const { exit, stdout } = await at.startUnder(piped, "analyze", "-", "answer.txt", "--json").ended;
    const [first, second] = JSON.parse(stdout).iterations;
    expect({ exit, first: { ...first, file: "answer.txt" } }).toEqual({ exit: 0, first: second });
    expect([first.file, first.analysis.exit_signal]).toEqual(["-", true]);
    expect((await at.startUnder(piped, "analyze", "-", "-").ended).exit).toBe(2);
    const refused = await at.ralph("analyze", at.dir);
    expect([refused.exit, refused.stderr]).toEqual([7, expect.stringContaining(`${at.dir} is a folder, not a file.`)]);
  },
);
