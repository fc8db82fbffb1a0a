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
/** How long the end of one that was killed is waited for, to tell of it. */
const KILLED_MS = 1000;
const MAX_CONCURRENT = 8;

/** Runs short programs in the background; the loop does not wait for them. */
export type BackgroundRunner = {
  /**
   * Starts a program, discards its output and ends it after 30 s. Never throws or blocks; starts nothing while eight run.
   * @param onFailure hears how it ended, if not with exit code 0: `exit code 7`, `SIGKILL`, `ended after 30 s`, or the system's error
   */
  start(command: Command, surroundings: { cwd: string; env: EnvVars }, onFailure?: (how: string) => void): void;
  /** Ends what still runs, with its process groups; each program gets at least 5 s from its start. */
  end(): Promise<void>;
};

type Running = {
  startedAt: number;
  exited: Promise<unknown>;
  /** Ends it with everything it started. */
  kill(): void;
};

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
        let endedAfter: string | null = null;
        const startedAt = performance.now();
        const kill = () => {
          endedAfter = `ended after ${Math.round((performance.now() - startedAt) / 1000)} s`;
          killGroup(child);
        };
        const exited = new Promise<void>((resolve) => {
          child.once("error", (error) => {
            onFailure(error.message);
            resolve();
          });
          child.once("exit", (code, signal) => {
            if (code !== 0) onFailure(endedAfter ?? signal ?? `exit code ${code}`);
            resolve();
          });
        });
        const one = { startedAt, exited, kill };
        running.add(one);
        const timer = setTimeout(kill, TIMEOUT_MS);
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
        [...running].map(async ({ startedAt, exited, kill }) => {
          const inTime = new AbortController();
          const { signal } = inTime;
          const left = Math.max(0, startedAt + leastMs - performance.now());
          const late = sleep(left, undefined, { signal })
            .then(kill)
            // What even that does not end is not waited for.
            .then(() => sleep(KILLED_MS, undefined, { signal }))
            .catch(() => {}); // it ended in time
          await Promise.race([exited, late]);
          inTime.abort();
        }),
      );
    },
  };
}

function killGroup({ pid }: ChildProcess): void {
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
