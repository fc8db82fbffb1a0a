/** When the agent's version is asked for, beside its first call. */
import { expect, test } from "bun:test";
import { checkVersion } from "../../../src/cli/run/check-version.ts";
import type { EventBody } from "../../../src/core/journal/event.ts";
import type { Host } from "../../../src/driver.ts";
import type { Run } from "../../../src/run/run.ts";
import { settingsOf } from "../../core/given.ts";

/** Feeds events to the check. @returns after which of them it asked, what it noted, and what it says after the run */
async function asked(
  types: readonly EventBody["type"][],
  {
    version,
    answers = "during the run",
    isStopped = false,
  }: { version: string; answers?: string; isStopped?: boolean },
) {
  const after: string[] = [];
  const notes: unknown[] = [];
  let current = "";
  let tell: Parameters<Run["subscribe"]>[0] | null = null;
  const stop = new AbortController();
  const run = {
    settings: settingsOf(),
    append: (body: EventBody) => void notes.push(body),
    subscribe: (subscriber: typeof tell) => {
      tell = subscriber;
    },
    stops: { killSignal: stop.signal },
  } as unknown as Run;
  const { promise, resolve } = Promise.withResolvers<void>();
  const host = {
    which: () => null,
    run: async (argv: readonly string[]) => {
      after.push(`${current}: ${argv.join(" ")}`);
      if (answers !== "during the run") await promise;
      return { exit_code: 0, stdout: `codex-cli ${version}\n`, stderr: "" };
    },
  } as unknown as Host;
  const driver = { name: "codex", displayName: "Codex", minVersion: "0.100.0" };
  const end = checkVersion(run, { driver: driver as never, binary: ["codex"] }, host);
  for (const type of types) {
    current = type;
    (tell as { onEvents(steps: unknown): void } | null)?.onEvents([{ event: { type } }]);
    await Promise.resolve();
  }
  await new Promise(setImmediate);
  if (isStopped) stop.abort();
  const late = end();
  if (!isStopped) resolve();
  return { after, notes, late: await late };
}

// Codex sweeps, as it starts, the folder in its home of another one that just starts: that one's tools all fail then.
test("it is asked for once the agent has begun to speak, for two of its programs must not start at once", async () => {
  const { after, notes, late } = await asked(["iteration_started", "agent_started", "agent_session", "agent_text"], {
    version: "0.99.0",
  });
  expect(after).toEqual(["agent_session: codex --version"]);
  expect(notes).toMatchObject([{ type: "note", level: "warn" }]);
  expect(late).toBeNull();
});

test("it is asked for after a call that said nothing, and not twice", async () => {
  const { after } = await asked(["agent_started", "agent_finished", "agent_started", "agent_finished"], {
    version: "0.169.0",
  });
  expect(after).toEqual(["agent_finished: codex --version"]);
});

test("an answer that comes after the run is waited for, since an agent that is too old may end at its first word", async () => {
  const { notes, late } = await asked(["agent_finished"], { version: "0.99.0", answers: "later" });
  expect(notes).toEqual([]);
  expect(late).toStartWith("Codex 0.99.0 is older than 0.100.0, the oldest version that ralph knows.");
  expect((await asked(["agent_finished"], { version: "0.169.0", answers: "later" })).late).toBeNull();
  expect((await asked(["agent_started"], { version: "0.99.0", answers: "later" })).late).toBeNull();
});

test("nobody waits for it who stopped the run at once", async () => {
  expect(await asked(["agent_finished"], { version: "0.99.0", answers: "never", isStopped: true })).toMatchObject({
    notes: [],
    late: null,
  });
});
