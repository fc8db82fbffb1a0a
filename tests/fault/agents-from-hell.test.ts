/** Agents that misbehave in every way that a program can: the run ends in time, its journal is whole, and nothing stays. */
import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanUp, project } from "../e2e/support/harness.ts";
import { SOON_MS, until } from "../e2e/support/until.ts";
import { expectSound } from "./plan-run.ts";

afterAll(cleanUp);

const agents: [string, string][] = [
  ["prints one line of 100 MB", "head -c 100000000 /dev/zero | tr '\\0' x; echo"],
  ["prints without end and without a line, deaf to SIGTERM", `trap "" TERM; while :; do printf '%01000d' 0; done`],
  ["prints a million NUL bytes", "head -c 1000000 /dev/zero"],
  ["prints noise", "head -c 2000000 /dev/urandom; head -c 2000000 /dev/urandom >&2"],
  ["breaks off within its last event", `printf '{"type":"result","subtype":"success","result":"all do'`],
  ["nests JSON 100,000 levels deep", "head -c 100000 /dev/zero | tr '\\0' '['; echo"],
  ["closes all that it has and lives on", "exec 0<&- 1>&- 2>&-; while :; do sleep 1; done"],
  ["forks twice into a session of its own", '(setsid sh -c \'trap "" TERM HUP; sleep 600; :\' "$WORD" &) ; echo done'],
  [
    "starts a hundred processes that it leaves behind",
    `i=0; while [ $i -lt 100 ]; do sleep 600 & i=$((i+1)); done; echo done`,
  ],
  ["kills its own process group", "kill -KILL 0"],
];

/** Pids of what an agent started, by the word in its environment, wherever they are. */
function bearing(word: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "utf8").includes(`WORD=${word}\0`);
      } catch {
        return false; // it has just ended
      }
    });
}

describe.skipIf(process.platform !== "linux")(
  "a run ends in time, whole and with nothing left of an agent that",
  () => {
    test.each(agents)("%s", async (_, body) => {
      const at = project();
      const word = `hell-${at.dir.split("-").at(-1)}`;
      const version = `case "$*" in *--version*) echo "2.1.197 (Claude Code)"; exit;; esac`;
      writeFileSync(join(at.dir, "../bin/claude"), `#!/bin/sh\n${version}\nexport WORD='${word}'\n${body}\n`, {
        mode: 0o755,
      });
      const { exit, stderr } = await at.ralph("run", "--max-iterations", "1", "--timeout", "4s");
      expect(stderr).not.toMatch(/unexpected/i);
      expect([3, 4, 5, 6, 7]).toContain(exit ?? -1);
      await until("nothing left", () => bearing(word).length === 0, SOON_MS);
      expectSound(at);
      expect(at.event("run_finished")).toBeDefined();
      for (const look of [["status", "--json"], ["logs"], ["report", "--json"]])
        expect(await at.ralph(...look)).toMatchObject({ exit: 0, stderr: "" });
    });
  },
);
