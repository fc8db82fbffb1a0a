import { describe, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { kernelMark } from "../../../src/effects/process-tree/kernel-mark.ts";
import script from "../../../templates/guardian.sh" with { type: "text" };
import { lives } from "../../e2e/support/harness.ts";
import { SOON_MS, until } from "../../e2e/support/until.ts";
import { program } from "./run-agent.ts";

/** A ralph in small, with an agent that ends by no gentle signal, and the guardian beside it. */
async function guarded(how: string): Promise<{ holder: ChildProcess; agent: number; guardian: number }> {
  const [command = "", ...words] = program("guarded.ts", how, "sh", "-c", 'trap "" TERM; sleep 600; :').argv;
  const holder = spawn(command, words, { stdio: ["pipe", "pipe", "inherit"] });
  const agent = await new Promise<number>((resolve) => holder.stdout?.once("data", (chunk) => resolve(Number(chunk))));
  const beside = childrenOf(holder.pid ?? 0).filter((pid) => pid !== agent);
  expect(beside).toHaveLength(1);
  return { holder, agent, guardian: beside[0] ?? 0 };
}

function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && statOf(name).parent === parent)
    .map(Number);
}

function statOf(pid: string): { parent: number } {
  try {
    return { parent: Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1]) };
  } catch {
    return { parent: 0 };
  }
}

describe.skipIf(process.platform !== "linux").each(["script", "program"])("the guardian, as a %s", (how) => {
  test("ends an agent whose ralph was killed, and itself", async () => {
    const { holder, agent, guardian } = await guarded(how);
    // On Windows, where this program is the guardian, nobody sends these.
    if (how === "script") for (const signal of ["SIGINT", "SIGHUP", "SIGTERM"]) process.kill(guardian, signal);
    holder.kill("SIGKILL");
    await until("the agent's end", () => !lives(agent), SOON_MS);
    await until("the guardian's end", () => !lives(guardian), SOON_MS);
  });

  test("goes with a ralph that ends by itself", async () => {
    const { holder, agent, guardian } = await guarded(how);
    holder.stdin?.write("\n");
    await until("ralph's end", () => holder.exitCode === 0);
    await until("the guardian's end", () => !lives(guardian), SOON_MS);
    expect(lives(agent)).toBe(false);
  });
});

test.skipIf(process.platform !== "linux")("a guardian that somebody ended is started again", async () => {
  const { holder, agent, guardian } = await guarded("script");
  process.kill(guardian, "SIGKILL");
  await until("another guardian", () => childrenOf(holder.pid ?? 0).some((pid) => ![agent, guardian].includes(pid)));
  holder.kill("SIGKILL");
  await until("the agent's end", () => !lives(agent), SOON_MS);
});

// A ralph that is killed while it starts an agent carries the agent's mark, and stays in the table until its parent has seen it. The
// agent carries it too, and stays in the group of whoever called ralph until it leads a session.
describe.skipIf(Bun.which("prlimit") === null)("what carries the mark in the group that ralph was called in", () => {
  test.each([
    ["is dead", "true & exec sleep 600", (pid: number) => !lives(pid)],
    ["lives", "sleep 600 & exec sleep 600", lives],
  ])("ends nobody in it if it %s", async (_, then, isSo) => {
    const marker = `in-group-${process.pid}`;
    const mark = kernelMark(marker);
    const shell = spawn("sh", ["-c", `prlimit --locks=${mark}:unlimited ${then}`], { detached: true, stdio: "ignore" });
    const group = shell.pid ?? 0;
    try {
      await until("a process with the mark", () =>
        childrenOf(group).some((pid) => isSo(pid) && limitsOf(pid).includes(`${mark}`)),
      );
      const words = ["-c", script, "ralph-guardian", `${group}`, `${marker}:${mark}:0`];
      const guardian = spawn("sh", words, { stdio: ["pipe", "ignore", "ignore"] });
      guardian.stdin?.end();
      await new Promise((resolve) => guardian.once("exit", resolve));
      expect(lives(group)).toBe(true);
    } finally {
      process.kill(-group, "SIGKILL");
    }
  });
});

function limitsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/limits`, "utf8");
  } catch {
    return "";
  }
}

test.skipIf(process.platform !== "linux")("the guardian needs less than 2 MB of its own", async () => {
  const { holder, guardian } = await guarded("script");
  const memory = readFileSync(`/proc/${guardian}/smaps_rollup`, "utf8");
  const kilobytes = [...memory.matchAll(/^Private_(?:Clean|Dirty): +(\d+) kB$/gm)].map(([, size]) => Number(size));
  expect(kilobytes).toHaveLength(2);
  expect(kilobytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2048);
  holder.kill("SIGKILL");
  await until("the guardian's end", () => !lives(guardian), SOON_MS);
});
