import { describe, expect, test } from "bun:test";
import { getEventListeners } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { RalphError } from "../../src/core/errors.ts";
import { isAlive } from "../../src/effects/process-tree.ts";
import { createFakeClock, createHastyClock } from "./fake-clock.ts";
import { program, runAgent, sh } from "./run-agent.ts";

const MINUTE = 60_000;
const isLinux = process.platform === "linux";

describe.skipIf(process.platform === "win32")("a process", () => {
  test.each([
    ["exit 0", "ok", 0, null],
    ["exit 7", "failed", 7, null],
    ["exit 255", "failed", 255, null],
    ["kill -TERM $$", "failed", null, "SIGTERM"],
    ["kill -KILL $$", "failed", null, "SIGKILL"],
  ] as const)("`%s` ends as %s", async (script, outcome, exitCode, signal) => {
    expect(await runAgent(sh(script))).toMatchObject({ outcome, exitCode, signal, spawnError: null, leftovers: [] });
  });

  test("its output is kept byte by byte, told line by line, and its last line needs no end", async () => {
    const ran = await runAgent(sh("printf 'one\\r\\ntwo\\n\\nlast'; printf 'why\\n' >&2"));
    expect(ran.lines).toEqual(["one", "two", "", "last"]);
    expect(ran.stdout.toString()).toBe("one\r\ntwo\n\nlast");
    expect(ran.stderr.toString()).toBe("why\n");
    expect(ran.stderrTail).toEqual(["why"]);
  });

  test("a character that arrives in two pieces is one character", async () => {
    const ran = await runAgent(sh("printf 'caf\\303'; sleep 0.05; printf '\\251\\n'"));
    expect(ran.lines).toEqual(["café"]);
  });

  test("gets its prompt whole, then the end of stdin", async () => {
    const ran = await runAgent(sh("wc -c; cat", "ü".repeat(150_000)));
    expect(ran.lines.map((line) => line.trim())).toEqual(["300000"]);
  });

  test("without a prompt finds the end of stdin at once", async () => {
    expect((await runAgent(sh("cat; echo end"))).lines).toEqual(["end"]);
  });

  test("may refuse its prompt", async () => {
    const ran = await runAgent(sh("exec <&-; echo fine", "x".repeat(300_000)));
    expect(ran).toMatchObject({ outcome: "ok", lines: ["fine"] });
  });

  test("finds the marker and the command's own variables in its environment", async () => {
    const command = { ...sh('echo "$RALPH_RUN $OF_COMMAND"'), env: { OF_COMMAND: "b" } };
    expect((await runAgent(command, { marker: "a" })).lines).toEqual(["a b"]);
  });

  test("leads a process group of its own", async () => {
    const ran = await runAgent(sh("ps -o pgid= -p $$ 2>/dev/null || echo $$"));
    expect(ran.lines.map(Number)).toEqual([Number(ran.pid)]);
  });

  test("a line of 50 MB is cut at 8 MB, and the next one is whole", async () => {
    const ran = await runAgent(program("long-line.ts", "50"));
    expect(ran.lines.map((line) => line.length)).toEqual([8 * 1024 * 1024, "after".length]);
    expect(ran.stdout.length).toBe(50 * 1024 * 1024 + "\nafter\n".length);
  });
});

describe.skipIf(process.platform === "win32")("a program that can't be started", () => {
  const dir = mkdtempSync(join(tmpdir(), "ralph-spawn-"));
  const text = join(dir, "text");
  writeFileSync(text, "no program");
  chmodSync(text, 0o644);
  test.each([
    ["is missing", ["ralph-no-such-program"], dir, /ralph-no-such-program: it was not found/],
    ["is no executable file", [text], dir, /text: it may not be executed/],
    ["has an argument over the kernel's bound", ["/bin/true", "x".repeat(200_000)], dir, /too long/],
    ["has no folder to start in", ["/bin/true"], join(dir, "gone"), /the folder .*gone does not exist/],
  ])("because it %s is told in words", async (_why, argv, cwd, words) => {
    const ran = await runAgent({ argv, stdin: "prompt" }, { cwd });
    expect(ran).toMatchObject({ outcome: "spawn_failed", exitCode: null, signal: null, pid: null });
    expect(ran.spawnError).toMatch(words);
  });

  test("after a stop is not started", async () => {
    const ran = await runAgent(sh("echo started"), { signal: AbortSignal.abort() });
    expect(ran).toMatchObject({ outcome: "stopped", pid: null, lines: [], leftovers: [] });
  });

  test("for want of a file for its output throws, and nothing is started", async () => {
    const ran = runAgent(sh("exit 0"), { stdoutFile: join(dir, "gone", "1.out") });
    expect(await ran.catch((error) => error)).toBeInstanceOf(RalphError);
    rmSync(dir, { recursive: true });
  });
});

describe.skipIf(process.platform === "win32")("an agent is ended", () => {
  test("by its timeout, on the wall clock", async () => {
    const clock = createFakeClock();
    const options = { timeoutMs: 15 * MINUTE, onLines: () => clock.advance(15 * MINUTE) };
    const ran = await runAgent(sh("echo ready; exec sleep 300"), options, clock);
    expect(ran).toMatchObject({ outcome: "timed_out", signal: "SIGTERM", ms: 15 * MINUTE, leftovers: [] });
  });

  test("by its timeout also while it prints without pause", async () => {
    const ran = await runAgent(sh('exec yes "$(printf %01000d 0)"'), { timeoutMs: 100 });
    expect(ran).toMatchObject({ outcome: "timed_out", signal: "SIGTERM" });
    expect(ran.ms).toBeLessThan(2000);
  });

  test("not before its timeout", async () => {
    const clock = createFakeClock();
    const options = { timeoutMs: 15 * MINUTE, onLines: () => clock.advance(15 * MINUTE - 1) };
    expect(await runAgent(sh("echo ready; sleep 0.05"), options, clock)).toMatchObject({ outcome: "ok" });
  });

  test("by KILL when TERM does not do it", async () => {
    const stop = new AbortController();
    const options = { signal: stop.signal, graceMs: 50, onLines: () => stop.abort() };
    const ran = await runAgent(sh("trap '' TERM; echo ready; while :; do sleep 0.01; done"), options);
    expect(ran).toMatchObject({ outcome: "stopped", exitCode: null, signal: "SIGKILL" });
  });

  test("by a stop in the moment of its start", async () => {
    const stop = new AbortController();
    const ran = await runAgent(sh("exec sleep 300"), { signal: stop.signal, onStart: () => stop.abort() });
    expect(ran).toMatchObject({ outcome: "stopped", leftovers: [] });
    expect(getEventListeners(stop.signal, "abort")).toEqual([]);
  });

  test("with its whole group", async () => {
    const stop = new AbortController();
    const options = { signal: stop.signal, onLines: () => stop.abort() };
    const ran = await runAgent(sh("sleep 300 & echo $!; wait"), options);
    expect(ran.outcome).toBe("stopped");
    expect(isAlive(Number(ran.lines[0]), null)).toBe(false);
  });

  test("with a descendant that left the group and hides its environment", async () => {
    const stop = new AbortController();
    const options = { signal: stop.signal, onLines: () => stop.abort() };
    const ran = await runAgent(program("daemon.ts", "stay", "bare"), options);
    expect(ran.outcome).toBe("stopped");
    expect(isAlive(Number(ran.lines[0]), null)).toBe(false);
  });

  test("2 s after its final event, and has answered", async () => {
    const ran = await runAgent(sh("echo final; exec sleep 300"), finishing("final"), createHastyClock());
    expect(ran).toMatchObject({ outcome: "ok", exitCode: null, signal: "SIGTERM", ms: 2000 });
  });

  test("by a stop after its final event at once, and has answered", async () => {
    const stop = new AbortController();
    const { isFinished, onLines } = finishing("final");
    const stopThen = (lines: string[]) => {
      onLines(lines);
      stop.abort();
    };
    const options = { signal: stop.signal, isFinished, onLines: stopThen };
    const ran = await runAgent(sh("echo final; exec sleep 300"), options, createFakeClock());
    expect(ran).toMatchObject({ outcome: "ok", ms: 0 });
  });

  test("not when it exits by itself after its final event: the exit code stands", async () => {
    const ran = await runAgent(sh("echo final; exit 3"), finishing("final"), createFakeClock());
    expect(ran).toMatchObject({ outcome: "failed", exitCode: 3 });
  });

  test("when what reads its lines throws, and the error is passed on", async () => {
    const ended = { pid: 0 };
    const failing = runAgent(sh("echo line; exec sleep 300"), {
      onStart: ({ pid }) => {
        ended.pid = pid;
      },
      onLines: () => {
        throw new Error("decoder");
      },
    });
    expect(await failing.catch((error) => error.message)).toBe("decoder");
    expect(isAlive(ended.pid, null)).toBe(false);
  });

  test("when its start can't be recorded", async () => {
    const ended = { pid: 0 };
    const failing = runAgent(sh("exec sleep 300"), {
      onStart: ({ pid }) => {
        ended.pid = pid;
        throw new Error("journal");
      },
    });
    expect(await failing.catch((error) => error.message)).toBe("journal");
    expect(isAlive(ended.pid, null)).toBe(false);
  });
});

describe.skipIf(process.platform === "win32")("an idle agent", () => {
  test("is ended", async () => {
    const ran = await runAgent(sh("exec sleep 300"), { idleMs: 10 * MINUTE }, createHastyClock());
    expect(ran).toMatchObject({ outcome: "idle", signal: "SIGTERM", ms: 10 * MINUTE });
  });

  test("is not idle while files change", async () => {
    const answers = [true, true, false];
    const options = { idleMs: 10 * MINUTE, isAlive: () => answers.shift() ?? false };
    const ran = await runAgent(sh("exec sleep 300"), options, createHastyClock());
    expect(ran).toMatchObject({ outcome: "idle", ms: 30 * MINUTE });
  });

  test("is not idle while a descendant computes", async () => {
    const busy = sh("(n=0; while [ $n -lt 1500000 ]; do n=$((n + 1)); done) & wait; echo done");
    const ran = await runAgent(busy, { idleMs: 500 });
    expect(ran).toMatchObject({ outcome: "ok", lines: ["done"] });
    expect(ran.ms).toBeGreaterThan(500);
  });

  test("is not idle while it prints", async () => {
    const clock = createFakeClock();
    const options = { idleMs: 10 * MINUTE, onLines: (lines: string[]) => clock.advance(6 * MINUTE * lines.length) };
    const ran = await runAgent(sh("for n in 1 2 3; do echo $n; sleep 0.03; done"), options, clock);
    expect(ran).toMatchObject({ outcome: "ok", ms: 18 * MINUTE });
  });
});

describe.skipIf(process.platform === "win32")("what an agent leaves behind", () => {
  test("is ended, and does not hold up the result with its end of the pipe", async () => {
    const started = performance.now();
    const ran = await runAgent(sh("sleep 300 & echo $!"));
    expect(ran).toMatchObject({ outcome: "ok", exitCode: 0, leftovers: ran.lines.map(Number) });
    expect(isAlive(Number(ran.lines[0]), null)).toBe(false);
    expect(performance.now() - started).toBeLessThan(1500);
  });

  test("is not listened to for ever", async () => {
    const ran = await runAgent(sh('yes "$(printf %01000d 0)" & echo $! && exit 0'));
    expect(ran).toMatchObject({ outcome: "ok", exitCode: 0 });
    expect(isAlive(Number(ran.lines[0]), null)).toBe(false);
    expect(ran.stdout.length).toBeLessThan(64 * 1024 * 1024);
  });

  test("still has its last words heard", async () => {
    const ran = await runAgent(sh("(sleep 0.1; echo last) & exit 0"));
    expect(ran.lines).toEqual(["last"]);
  });

  test.if(isLinux)("is found by its marker when it has left every group", async () => {
    const ran = await runAgent(program("daemon.ts"));
    expect(ran).toMatchObject({ outcome: "ok", leftovers: ran.lines.map(Number) });
    expect(isAlive(Number(ran.lines[0]), null)).toBe(false);
  });

  test.if(isLinux)("of another run is left alone", async () => {
    const theirs = runAgent(sh("sleep 0.1; echo theirs"), {});
    expect((await runAgent(sh("exit 0"))).leftovers).toEqual([]);
    expect((await theirs).lines).toEqual(["theirs"]);
  });
});

/** An agent whose turn is over with the line `final`. */
function finishing(final: string) {
  let isOver = false;
  return {
    isFinished: () => isOver,
    onLines: (lines: string[]) => {
      isOver ||= lines.includes(final);
    },
  };
}
