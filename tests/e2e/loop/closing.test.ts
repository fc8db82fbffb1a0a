/** What a run closes at its end, in which order, while the version of its agent is still awaited. */
import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { works } from "../support/answers.ts";
import { cleanUp, project } from "../support/harness.ts";
import { onTerminal } from "../support/pty.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

/** A run of one iteration on a terminal, that is over while its agent, which is too old, has not said its version yet. */
async function runThatAwaitsTheVersion(flags: readonly string[] = [], more: Record<string, string> = {}) {
  const at = project({ git: false, steps: [works(1)], env: { SCRIPTED_VERSION: "1.9.3 (Claude Code)", ...more } });
  // A notification through the terminal is nothing that the screen of these tests knows.
  writeFileSync(at.path("../bin/notify-send"), "#!/bin/sh\n", { mode: 0o755 });
  const agent = at.path("../bin/claude");
  const waits = `[ "$1" = --version ] && until [ -e .ralph/answers ]; do sleep 0.05; done`;
  writeFileSync(agent, readFileSync(agent, "utf8").replace("\n", `\n${waits}\n`));
  const screen = onTerminal(["run", "--max-iterations", "1", ...flags], { cwd: at.dir, env: at.env });
  // Its title comes before these words, and goes after them.
  await until("the end", () => screen.normal().includes("max_iterations") && screen.title() === null);
  return { at, screen };
}

const WARNING = "Claude Code 1.9.3 is older than 2.0.76";

describe.skipIf(process.platform === "win32").concurrent("at the end of a run", () => {
  test("nothing that it started in the background lives on when it warns of an agent that is too old", async () => {
    const afterWarning = "until [ -e .ralph/warned ]; do sleep 0.05; done; touch .ralph/outlived";
    const { at, screen } = await runThatAwaitsTheVersion(["--notify"], { NOTIFY_COMMAND: afterWarning, DISPLAY: ":0" });
    at.write(".ralph/answers", "");
    await until("the warning", () => screen.normal().includes(WARNING));
    at.write(".ralph/warned", "");
    expect(await screen.exited).toBe(4);
    expect(at.has(".ralph/outlived")).toBe(false);
  });

  test("Ctrl+C ends the waiting for its agent's version, and changes nothing about the end", async () => {
    const { screen } = await runThatAwaitsTheVersion();
    screen.type("\u0003");
    expect(await screen.exited).toBe(4);
    expect(screen.normal()).not.toContain(WARNING);
    expect(screen.modes()).toMatchObject({ cursor: true, wraps: true });
  });
});
