/** The capabilities of Copilot by its version, as the driver contract's matrix has them. */
import { afterAll, describe, expect, test } from "bun:test";
import { cleanUp, type Project, project } from "../support/harness.ts";

afterAll(cleanUp);

const TEXT =
  "One step further.\n---RALPH_STATUS---\nSTATUS: IN_PROGRESS\nEXIT_SIGNAL: false\n---END_RALPH_STATUS---\nTotal: 1 request\n";

function copilotProject(version: string): Project {
  const steps = [1, 2].map((nth) => ({ files: { [`src/${nth}.txt`]: "1\n" }, stdout: TEXT }));
  return project({ agentName: "copilot", steps, env: { PLATFORM_DRIVER: "copilot", SCRIPTED_VERSION: version } });
}

async function capabilities(version: string): Promise<unknown> {
  const { stdout } = await copilotProject(version).ralph("drivers", "show", "copilot", "--json");
  return JSON.parse(stdout);
}

test.concurrent.each([
  ["0.0.334", ["GitHub Copilot CLI 0.0.334 is older than 0.0.418, the oldest version that ralph knows."]],
  ["0.0.418", []],
])("Copilot %s runs, with a warning if it is older than the contract's minimum", async (version, warnings) => {
  const at = copilotProject(version);
  await at.ralph("run", "--max-iterations", "1");
  expect(at.calls()).toHaveLength(1);
  const notes = at.events().flatMap((event) => (event.type === "note" ? [event.text] : []));
  expect(notes).toEqual(warnings.map((text) => expect.stringContaining(text)));
});

describe("Copilot 0.0.334", () => {
  test.concurrent("is shown without sessions and live output", async () => {
    expect(await capabilities("0.0.334")).toMatchObject({
      version: "0.0.334",
      capabilities: { sessions: false, live_output: false, tool_allowlist: false },
    });
  });

  test.concurrent("is shown so in words", async () => {
    const { stdout } = await copilotProject("0.0.334").ralph("drivers", "show", "copilot");
    expect(stdout).toContain("neither resume sessions nor stream its work");
  });

  test.concurrent("begins anew in each call, and its text is the answer", async () => {
    const at = copilotProject("0.0.334");
    const { stderr } = await at.ralph("run", "--max-iterations", "2", "--live");
    const calls = at.calls().map(({ argv }) => argv);
    expect(calls).toEqual([
      ["--allow-all-tools", expect.stringMatching(/^--prompt=Iteration 1 of [\s\S]*\n\nDo the next task\.\n$/)],
      [
        "--allow-all-tools",
        expect.stringMatching(
          /^--prompt=Iteration 2 of [\s\S]*\n\nRead the file \.ralph\/\.prompt_sent\.md to its end/,
        ),
      ],
    ]);
    expect(at.event("iteration_finished")).toMatchObject({ outcome: "answered", analysis: { status: "IN_PROGRESS" } });
    expect(stderr).toContain("GitHub Copilot CLI has no live output");
  });
});

test.concurrent("Copilot 1.0 is shown with both, and resumes", async () => {
  expect(await capabilities("1.0.102")).toMatchObject({ capabilities: { sessions: true, live_output: true } });
  const at = copilotProject("1.0.102");
  await at.ralph("run", "--max-iterations", "1", "--output-format", "text");
  expect(at.calls()[0]?.argv).toContain("--session-id");
});

test.concurrent("Copilot that meets a limit and exits with 0 has not answered", async () => {
  const stream = [
    { type: "session.error", data: { errorType: "rate_limit", message: "429 Too Many Requests", statusCode: 429 } },
    { type: "result", sessionId: "4a93da16-78f1-4bbb-a005-b68a6f25a46c", exitCode: 0, usage: {} },
  ];
  const step = { stdout: stream.map((line) => `${JSON.stringify(line)}\n`).join("") };
  const env = { PLATFORM_DRIVER: "copilot", SCRIPTED_VERSION: "1.0.102", ON_USAGE_LIMIT: "stop" };
  const at = project({ agentName: "copilot", steps: [step, step], env });
  const { exit } = await at.ralph("run", "--max-iterations", "2");
  expect([exit, at.calls().length]).toEqual([5, 1]);
  expect(at.event("agent_finished")).toMatchObject({ ok: false, error: { class: "limit" } });
});
