import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { EnvVars } from "../../core/env-vars.ts";
import type { Command } from "../../driver.ts";
import { openRegular } from "../files/regular-file.ts";
import { tryRemove } from "../files/try-remove.ts";
import { killTree } from "../process-tree/windows-system.ts";
import { resolveCommand } from "./windows-command.ts";

const TIMEOUT_MS = 30_000;
/** The minimum time for a program that starts just before the end. */
const END_GRACE_MS = 5000;
const MAX_CONCURRENT = 8;

/** Runs short programs in the background; the loop does not wait for them. */
export type BackgroundRunner = {
  /**
   * Starts a program, discards its output and ends it after 30 s. Never throws or blocks; starts nothing while eight run.
   * @param onFailure hears how it ended, if not with exit code 0: `exit code 7`, `SIGKILL`, or the system's error
   */
  start(command: Command, surroundings: { cwd: string; env: EnvVars }, onFailure?: (how: string) => void): void;
  /** Ends what still runs, with its process groups; each program gets at least 5 s from its start. */
  end(): Promise<void>;
};

type Running = { child: ChildProcess; startedAt: number; exited: Promise<unknown> };

/** @param leastMs minimum run time before `end` ends a program */
export function createBackgroundRunner({ leastMs = END_GRACE_MS }: { leastMs?: number } = {}): BackgroundRunner {
  const running = new Set<Running>();
  return {
    start({ argv, stdin, env: more }, { cwd, env }, onFailure = () => {}) {
      if (running.size >= MAX_CONCURRENT) return;
      let input: Input | null = null;
      try {
        const real = resolveCommand(argv, env);
        if ("refused" in real) return;
        const [program = "", ...words] = real.argv;
        input = stdin === undefined ? null : openInputFile(stdin);
        const child = spawn(program, words, {
          cwd,
          env: { ...env, ...more },
          detached: true,
          windowsHide: true,
          windowsVerbatimArguments: real.verbatim,
          stdio: [input?.fd ?? "ignore", "ignore", "ignore"],
        });
        const exited = new Promise<void>((resolve) => {
          child.once("error", (error) => {
            onFailure(error.message);
            resolve();
          });
          child.once("exit", (code, signal) => {
            if (code !== 0) onFailure(signal ?? `exit code ${code}`);
            resolve();
          });
        });
        const one = { child, startedAt: performance.now(), exited };
        running.add(one);
        const timer = setTimeout(() => kill(child), TIMEOUT_MS);
        timer.unref();
        void exited.then(() => {
          clearTimeout(timer);
          running.delete(one);
        });
        child.unref();
      } catch {
        // Notifications are optional: the run goes on without them.
      } finally {
        input?.close();
      }
    },
    async end() {
      await Promise.all(
        [...running].map(async ({ child, startedAt, exited }) => {
          const left = Math.max(0, startedAt + leastMs - performance.now());
          const late = new AbortController();
          const time = sleep(left, undefined, { signal: late.signal }).then(
            () => kill(child),
            () => {},
          );
          await Promise.race([exited, time]);
          late.abort();
        }),
      );
    },
  };
}

/** Ends a program and everything it started. */
function kill({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    if (process.platform === "win32") void killTree(pid);
    else process.kill(-pid, "SIGKILL");
  } catch {
    // It has just exited by itself.
  }
}

type Input = { fd: number; close(): void };

/** A file instead of a pipe: its content is complete at once, even if this process ends in the next moment. */
function openInputFile(text: string): Input {
  const path = join(tmpdir(), `ralph-${randomUUID()}`);
  try {
    writeFileSync(path, text, { flag: "wx", mode: 0o600 });
    const fd = openRegular(path, "read");
    return {
      fd,
      close() {
        closeSync(fd);
        tryRemove(path);
      },
    };
  } catch (error) {
    tryRemove(path);
    throw error;
  }
}
