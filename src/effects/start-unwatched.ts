import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "../driver.ts";

const LONGEST_MS = 30_000;

/**
 * Starts a short program that nobody waits for: its output goes nowhere, it may outlive this process, and it is ended
 * after 30 s if this process still lives then. Never throws and never blocks.
 */
export function startUnwatched(
  { argv, stdin, env: more }: Command,
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string | undefined>> },
): void {
  const [program = "", ...words] = argv;
  let input: Input | null = null;
  try {
    input = stdin === undefined ? null : inputOf(stdin);
    const child = spawn(program, words, {
      cwd,
      env: { ...env, ...more },
      detached: true,
      windowsHide: true,
      stdio: [input?.fd ?? "ignore", "ignore", "ignore"],
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), LONGEST_MS);
    timer.unref();
    child.on("error", () => clearTimeout(timer));
    child.on("exit", () => clearTimeout(timer));
    child.unref();
  } catch {
    // A notification is a courtesy: without it the run is as good.
  } finally {
    input?.close();
  }
}

type Input = { fd: number; close(): void };

/** A file in the place of a pipe: all of it is there at once, also when this process ends in the next moment. */
function inputOf(text: string): Input {
  const path = join(tmpdir(), `ralph-${randomUUID()}`);
  const write = openSync(path, "wx", 0o600);
  writeSync(write, text);
  closeSync(write);
  const fd = openSync(path, "r");
  return {
    fd,
    close: () => {
      closeSync(fd);
      rmSync(path, { force: true });
    },
  };
}
