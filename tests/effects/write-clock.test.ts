import { describe, expect, test } from "bun:test";
import process from "node:process";
import { runAgent, sh } from "./run-agent.ts";

const CHATTERS = "n=0; while [ $n -lt 60 ]; do echo $n; sleep 0.05; n=$((n+1)); done";

describe.skipIf(process.platform === "win32")("an agent under the write clock", () => {
  test("that talks and writes nothing is ended as idle, for that reason", async () => {
    const ran = await runAgent(sh(CHATTERS), { writeMs: 300 });
    expect(ran).toMatchObject({ outcome: "idle", noWrites: true });
    expect(ran.ms).toBeLessThan(2000);
  });

  test("that writes goes on", async () => {
    const ran = await runAgent(sh("sleep 1"), { writeMs: 300, hasWritten: async () => true });
    expect(ran).toMatchObject({ outcome: "ok", noWrites: false });
  });

  test("that has a child compute goes on", async () => {
    const busy = `sh -c 'end=$(($(date +%s)+2)); while [ $(date +%s) -lt $end ]; do :; done'; true`;
    expect(await runAgent(sh(busy), { writeMs: 500 })).toMatchObject({ outcome: "ok", noWrites: false });
  });
});
