import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Command } from "../../../src/driver.ts";
import type { Clock, ProcessOptions, ProcessResult } from "../../../src/effects/ports.ts";
import type { FloodPace } from "../../../src/effects/process/flood-pace.ts";
import type { Guardian } from "../../../src/effects/process/guardian.ts";
import { createProcessPort } from "../../../src/effects/process/run-process.ts";

export type Ran = ProcessResult & { lines: string[]; stdout: Buffer; stderr: Buffer; pid: number | null };

/** Runs a program through the port in a folder of its own, and returns everything observed. */
export async function runAgent(
  command: Command,
  options: Partial<ProcessOptions> = {},
  clock?: Clock,
  guardian: Guardian | null = null,
  openPace?: () => FloodPace,
): Promise<Ran> {
  const dir = mkdtempSync(join(tmpdir(), "ralph-process-"));
  const lines: string[] = [];
  let pid: number | null = null;
  const stdoutFile = join(dir, "1-1.out");
  const stderrFile = join(dir, "1-1.err");
  try {
    const result = await createProcessPort(clock, null, guardian, openPace).run(command, {
      cwd: dir,
      env: inherited(),
      stdoutFile,
      stderrFile,
      timeoutMs: 0,
      idleMs: 0,
      graceMs: 5000,
      signal: new AbortController().signal,
      marker: crypto.randomUUID(),
      isFinished: () => false,
      ...options,
      onStart(child) {
        pid = child.pid;
        options.onStart?.(child);
      },
      onLines(batch) {
        lines.push(...batch);
        options.onLines?.(batch);
      },
    });
    return { ...result, lines, stdout: readFileSync(stdoutFile), stderr: readFileSync(stderrFile), pid };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** A command line of /bin/sh. */
export function sh(script: string, stdin?: string): Command {
  return { argv: ["/bin/sh", "-c", script], ...(stdin === undefined ? {} : { stdin }) };
}

/** A fake that every system can start: JavaScript, run by the tests' runtime. */
export function js(code: string, stdin?: string): Command {
  return { argv: [process.execPath, "-e", code], ...(stdin === undefined ? {} : { stdin }) };
}

/** Code that runs until it is ended. */
export const STAY = "setTimeout(() => {}, 300_000);";

/** Code that starts other code in a process of its own. */
export function child(code: string): string {
  const options = '{ stdio: "inherit" }';
  return `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(code)}], ${options})`;
}

/** An agent whose child computes until it was checked twice, however fast or slow the machine is. */
export function computing(): Disposable & { command: Command; ask(): boolean } {
  const dir = mkdtempSync(join(tmpdir(), "ralph-computing-"));
  const enough = join(dir, "enough");
  let checks = 0;
  return {
    command: js(`${child(`while (!require("node:fs").existsSync(${JSON.stringify(enough)}));`)};`),
    ask() {
      checks += 1;
      if (checks === 2) writeFileSync(enough, "");
      return false;
    },
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** One of the programs in tests/agents, run by the tests' runtime. */
export function program(name: string, ...args: string[]): Command {
  return { argv: [process.execPath, join(import.meta.dirname, "..", "..", "agents", name), ...args] };
}

/** The environment of the tests. */
export function inherited(): Record<string, string> {
  const entries = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}
