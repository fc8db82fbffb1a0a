/** What `--live` asks of the agent, and what a run shows where there is no terminal. */
import { afterAll, describe, expect, test } from "bun:test";
import { answer, done, SESSION, works } from "../support/answers.ts";
import { cleanUp, project } from "../support/harness.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

describe("live mode adds the flags of the driver contract", () => {
  const PARTIAL = "--include-partial-messages";
  test.concurrent.each([{ argv: ["run", "--live"] }, { argv: ["run", "--live", "--json"] }, { argv: ["--live"] }])(
    "to the call of $argv",
    async ({ argv }) => {
      const at = project({ steps: [works(1)] });
      await at.ralph(...argv, "--max-iterations", "1");
      const [call] = at.calls();
      expect(call?.argv).toContain("stream-json");
      expect(call?.argv).toContain("--verbose");
      expect(call?.argv).toContain(PARTIAL);
    },
  );

  test.concurrent("not for a run that nobody watches", async () => {
    const at = project({ steps: [done] });
    await at.ralph("run");
    await at.ralph("run", "--no-live");
    for (const { argv } of at.calls()) expect(argv).not.toContain(PARTIAL);
  });

  test.concurrent("and a dry run shows them", async () => {
    const at = project();
    expect((await at.ralph("run", "--live", "--dry-run")).stdout).toContain(PARTIAL);
    expect((await at.ralph("run", "--dry-run")).stdout).not.toContain(PARTIAL);
  });
});

test.concurrent.each([
  [{}, false],
  [{ RALPH_VERBOSE: "true" }, true],
])("with the environment %j what tools answered is shown: %p", async (env, isShown) => {
  const use = { type: "tool_use", id: "t", name: "Bash", input: { command: "npm test" } };
  const result = { type: "tool_result", tool_use_id: "t", content: "12 pass" };
  const events = [
    { type: "assistant", message: { id: "m0", role: "assistant", content: [use] }, session_id: SESSION },
    { type: "user", message: { role: "user", content: [result] }, session_id: SESSION },
  ];
  const stdout = `${events.map((event) => `${JSON.stringify(event)}\n`).join("")}${answer()}`;
  const at = project({ steps: [{ stdout }], env });
  const { stdout: shown } = await at.ralph("--live", "--max-iterations", "1");
  expect(shown).toContain("$ npm test");
  expect(shown.includes("12 pass")).toBe(isShown);
});

test.skipIf(process.platform === "win32")("live output needs no jq, stdbuf, timeout or git on the PATH", async () => {
  const at = project({ steps: [works(1)] });
  at.env.PATH = at.path("../bin");
  const { exit, stdout } = await at.ralph("--live", "--max-iterations", "1");
  expect({ exit, stdout }).toEqual({ exit: 4, stdout: expect.stringContaining("One step further.") });
  expect(at.calls()[0]?.argv).toContain("--include-partial-messages");
  expect(at.read(".ralph/live.log")).toContain("One step further.");
});

test.skipIf(process.platform === "win32")("without a terminal a tool is shown as it is called", async () => {
  const content = [{ type: "tool_use", id: "t", name: "Bash", input: { command: "npm test" } }];
  const called = { type: "assistant", message: { id: "m0", role: "assistant", content }, session_id: SESSION };
  const first_stdout = `${JSON.stringify(called)}\n`;
  const at = project({ steps: [{ first_stdout, waits_for: "go-on", stdout: answer() }] });
  const run = at.startUnder(["sh", "-c", '"$@" | cat >shown.txt', "sh"], "run", "--live", "--max-iterations", "1");
  await until("the tool is shown", () => at.has("shown.txt") && at.read("shown.txt").includes("$ npm test"));
  expect(at.event("iteration_finished")).toBeUndefined();
  at.write("go-on", "");
  await run.ended;
  expect(at.read("shown.txt").match(/\$ npm test/g)).toHaveLength(1);
});
