import { afterEach, describe, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { endProcesses } from "../../../src/effects/process-tree/end-processes.ts";
import { endOrphan } from "../../../src/effects/process-tree/orphans.ts";
import { isAlive, startTimeOf } from "../../../src/effects/process-tree/process-tree.ts";
import { inherited } from "../process/run-agent.ts";

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

type Started = { pid: number; startTime: string | null; printed: number[]; signal: Promise<NodeJS.Signals | null> };

/** Starts a shell that has printed `ready` (and numbers before it), in a group of its own. */
async function start(script: string, marker = "none"): Promise<Started> {
  const child = spawn("/bin/sh", ["-c", script], {
    detached: true,
    env: { ...inherited(), RALPH_RUN: marker },
    stdio: ["ignore", "pipe", "ignore"],
  });
  started.push(child);
  const signal = new Promise<NodeJS.Signals | null>((resolve) => child.on("exit", (_code, name) => resolve(name)));
  let output = "";
  await new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk) => {
      output += chunk;
      if (output.includes("ready")) resolve();
    });
  });
  const pid = Number(child.pid);
  const printed = output
    .split("\n")
    .filter((line) => /^\d+$/.test(line))
    .map(Number);
  return { pid, startTime: startTimeOf(pid), printed, signal };
}

describe.skipIf(process.platform === "win32")("ending a tree", () => {
  test("uses only TERM if that is enough", async () => {
    const { pid, startTime, signal } = await start("echo ready; exec sleep 300");
    // KILL would come only after a day.
    expect(await endProcesses({ pid, group: pid, startTime, marker: "none", graceMs: 86_400_000 })).toEqual([pid]);
    expect(await signal).toBe("SIGTERM");
  });

  test("uses KILL if TERM is ignored, also for processes started meanwhile", async () => {
    const { pid, startTime, printed } = await start(
      "trap '' TERM; sleep 300 & echo $!; echo ready; while :; do sleep 0.01; done",
    );
    const ended = await endProcesses({ pid, group: pid, startTime, marker: "none", graceMs: 50 });
    expect(ended).toContain(pid);
    expect(ended).toContain(printed[0] ?? 0);
    expect([pid, ...printed].filter((one) => isAlive(one, null))).toEqual([]);
  });

  test.if(Bun.which("setsid") !== null)(
    "uses KILL for a process that left the group and outlives its parent",
    async () => {
      const stubborn = `trap "" TERM; echo $$; echo ready; while :; do sleep 0.01; done`;
      const { pid, startTime, printed } = await start(`env -i setsid /bin/sh -c '${stubborn}' & wait`);
      const ended = await endProcesses({ pid, group: pid, startTime, marker: "none", graceMs: 50 });
      expect(ended).toContain(printed[0] ?? 0);
      expect(isAlive(printed[0] ?? 0, null)).toBe(false);
    },
  );

  test("lets a program clean up", async () => {
    const { pid, startTime } = await start("trap 'exit 0' TERM; echo ready; while :; do sleep 0.01; done");
    const child = started.at(-1);
    const code = new Promise((resolve) => child?.once("exit", resolve));
    await endProcesses({ pid, group: pid, startTime, marker: "none", graceMs: 5000 });
    expect(await code).toBe(0);
  });

  test("does nothing if nothing is left", async () => {
    expect(
      await endProcesses({ pid: 2 ** 22 + 1, group: 2 ** 22 + 1, startTime: null, marker: "nobody's", graceMs: 5000 }),
    ).toEqual([]);
  });
});

describe.skipIf(process.platform === "win32")("an orphan", () => {
  test("that is still the recorded process is ended, with its children", async () => {
    const { pid, startTime, printed } = await start("sleep 300 & echo $!; echo ready; wait");
    const ended = await endOrphan({ pid, group: pid, start_time: startTime, marker: "none" });
    expect(ended).toEqual([pid, ...printed].sort((a, b) => a - b));
  });

  test.each([
    ["has another start time", (startTime: string | null) => `${startTime}0`],
    ["was recorded before the last restart", () => "another-boot:1"],
    ["has no recorded start time", () => null],
  ])("is spared when its pid %s", async (_why, recorded) => {
    const { pid, startTime } = await start("echo ready; exec sleep 300");
    expect(await endOrphan({ pid, group: pid, start_time: recorded(startTime), marker: "some run" })).toEqual([]);
    expect(isAlive(pid, startTime)).toBe(true);
  });

  test.if(process.platform === "linux")("is found by its marker when the recorded process is gone", async () => {
    const marker = crypto.randomUUID();
    const { startTime } = await start("echo ready; exec sleep 300");
    // Ready means after its exec: during exec a process shows no environment for a moment.
    const { pid } = await start("echo ready; while :; do :; done", marker);
    expect(await endOrphan({ pid: 2 ** 22 + 1, group: 2 ** 22 + 1, start_time: startTime, marker })).toEqual([pid]);
  });
});
