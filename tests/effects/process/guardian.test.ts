import { describe, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createGuardian } from "../../../src/effects/process/guardian.ts";
import { kernelMark } from "../../../src/effects/process-tree/kernel-mark.ts";
import { ownGroup } from "../../../src/effects/process-tree/process-tree.ts";
import script from "../../../templates/guardian.sh" with { type: "text" };
import { lives } from "../../e2e/support/harness.ts";
import { SOON_MS, until } from "../../e2e/support/until.ts";
import { testFolder } from "../../folders.ts";
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

describe.skipIf(process.platform === "win32")("what a guardian is told", () => {
  const folder = testFolder("guardian");
  /** A guardian that only writes down its pid, its words and what it hears. */
  function recording(name: string) {
    const file = join(folder, name);
    const script = 'echo "$$ $*" >"$0.$$"; mv "$0.$$" "$0.began-$$"; while read -r line; do echo "$line" >>"$0"; done';
    const heard = () => (existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : []);
    const begun = () =>
      readdirSync(folder)
        .filter((one) => one.startsWith(`${name}.began-`))
        .map((one) => readFileSync(join(folder, one), "utf8").trim());
    return { guardian: createGuardian(["sh", "-c", script, file]), heard, begun };
  }
  const open = (group: number) => `open run-1 ${kernelMark("run-1")} ${group}`;

  test("is each agent, before it starts and when it leads a group, and that nothing of it is left", async () => {
    const { guardian, heard } = recording("life");
    await guardian.opening("run-1");
    guardian.opened("run-1", 4711);
    guardian.closed("run-1");
    await until("its end", () => heard().length >= 3, SOON_MS);
    expect(heard()).toEqual([open(0), open(4711), "end run-1"]);
  });

  test("is told again to the one that takes its place, in its words too: ralph may be killed before it listens", async () => {
    const { guardian, heard, begun } = recording("again");
    await guardian.opening("run-0");
    guardian.closed("run-0");
    await guardian.opening("run-1");
    guardian.opened("run-1", 4711);
    await until("it to be heard", () => heard().includes(open(4711)), SOON_MS);
    const [first = ""] = begun();
    process.kill(Number(first.split(" ")[0]), "SIGKILL");
    await until("another one", () => heard().filter((line) => line === open(4711)).length === 2, SOON_MS);
    const second = begun().find((one) => one !== first);
    expect(second?.split(" ").slice(1)).toEqual([`${ownGroup()}`, `run-1:${kernelMark("run-1")}:4711`]);
  });
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
