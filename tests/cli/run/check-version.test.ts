/** When the agent's version is asked for, beside its first call. */
import { expect, test } from "bun:test";
import { checkVersion } from "../../../src/cli/run/check-version.ts";
import type { EventBody } from "../../../src/core/journal/event.ts";
import type { Host } from "../../../src/driver.ts";
import type { Run } from "../../../src/run/run.ts";
import { settingsOf } from "../../core/given.ts";

/** Feeds events to the check. @returns after which of them it asked, and what it noted */
async function asked(types: readonly EventBody["type"][], version: string) {
  const after: string[] = [];
  const notes: unknown[] = [];
  let current = "";
  let tell: Parameters<Run["subscribe"]>[0] | null = null;
  const run = {
    settings: settingsOf(),
    append: (body: EventBody) => void notes.push(body),
    subscribe: (subscriber: typeof tell) => {
      tell = subscriber;
    },
  } as unknown as Run;
  const host = {
    which: () => null,
    run: async (argv: readonly string[]) => {
      after.push(`${current}: ${argv.join(" ")}`);
      return { exit_code: 0, stdout: `codex-cli ${version}\n`, stderr: "" };
    },
  } as unknown as Host;
  const driver = { name: "codex", displayName: "Codex", minVersion: "0.100.0" };
  checkVersion(run, { driver: driver as never, binary: ["codex"] }, host);
  for (const type of types) {
    current = type;
    (tell as { onEvents(steps: unknown): void } | null)?.onEvents([{ event: { type } }]);
    await Promise.resolve();
  }
  await new Promise(setImmediate);
  return { after, notes };
}

// Codex sweeps, as it starts, the folder in its home of another one that just starts: that one's tools all fail then.
test("it is asked for once the agent has begun to speak, for two of its programs must not start at once", async () => {
  const { after, notes } = await asked(["iteration_started", "agent_started", "agent_session", "agent_text"], "0.99.0");
  expect(after).toEqual(["agent_session: codex --version"]);
  expect(notes).toMatchObject([{ type: "note", level: "warn" }]);
});

test("it is asked for after a call that said nothing, and not twice", async () => {
  const { after } = await asked(["agent_started", "agent_finished", "agent_started", "agent_finished"], "0.169.0");
  expect(after).toEqual(["agent_finished: codex --version"]);
});
