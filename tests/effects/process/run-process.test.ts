import { describe, expect, test } from "bun:test";
import { getEventListeners } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { RalphError } from "../../../src/core/errors.ts";
import { isAlive } from "../../../src/effects/process-tree/process-tree.ts";
import { testFolder } from "../../folders.ts";
import { createFakeClock, createHastyClock } from "../fake-clock.ts";
import { child, computing, js, program, runAgent, STAY, sh } from "./run-agent.ts";

const MINUTE = 60_000;
const isLinux = process.platform === "linux";
const isWindows = process.platform === "win32";
/** Signals, groups and their results are POSIX. */
const posix = test.skipIf(isWindows);
/** How an ended agent exits: Windows has no signals. */
const BY_TERM = isWindows ? {} : { signal: "SIGTERM" };

const COUNTS_STDIN =
  'let n = 0; process.stdin.on("data", (bytes) => { n += bytes.length; }).on("end", () => console.log(n));';
const FLOODS =
  '(function flood() { while (process.stdout.write("0".repeat(1000))); process.stdout.once("drain", flood); })();';

describe("a process", () => {
  test.each([
    [0, "ok"],
    [7, "failed"],
    [255, "failed"],
  ] as const)("that exits with %d ends as %s", async (exitCode, outcome) => {
    const ran = await runAgent(js(`process.exit(${exitCode});`));
    expect(ran).toMatchObject({ outcome, exitCode, signal: null, spawnError: null, leftovers: [] });
  });

  posix.each(["SIGTERM", "SIGKILL"])("that dies of %s has failed", async (signal) => {
    const ran = await runAgent(js(`process.kill(process.pid, "${signal}"); ${STAY}`));
    expect(ran).toMatchObject({ outcome: "failed", exitCode: null, signal, spawnError: null, leftovers: [] });
  });

  test("has its output kept byte by byte and passed line by line, even an unterminated last line", async () => {
    const ran = await runAgent(js('process.stdout.write("one\\r\\ntwo\\n\\nlast"); process.stderr.write("why\\n");'));
    expect(ran.lines).toEqual(["one", "two", "", "last"]);
    expect(ran.stdout.toString()).toBe("one\r\ntwo\n\nlast");
    expect(ran.stderr.toString()).toBe("why\n");
    expect(ran.stderrTail).toEqual(["why"]);
  });

  test("has its lines counted until it is over, broken or not", async () => {
    const told: (number | "end")[] = [];
    const pace = () => ({ lines: (count: number) => told.push(count), end: () => told.push("end") });
    const lines = js('console.log("one\\ntwo\\nthree");');
    await runAgent(lines, {}, undefined, null, pace);
    expect(told).toEqual([3, "end"]);
    const onLines = () => {
      throw new Error("no room");
    };
    await expect(runAgent(lines, { onLines }, undefined, null, pace)).rejects.toThrow("no room");
    expect(told).toEqual([3, "end", "end"]);
  });

  test("is started though one of its words holds NUL", async () => {
    const echo = js("console.log(process.argv.at(-1));");
    const ran = await runAgent({ ...echo, argv: [...echo.argv, "a\0b"] });
    expect(ran.lines).toEqual(["a\uFFFDb"]);
  });

  test("has a character that arrives in two pieces read as one", async () => {
    const write = (...bytes: number[]) => `process.stdout.write(Buffer.from([${bytes}]))`;
    const ran = await runAgent(js(`${write(0x63, 0x61, 0x66, 0xc3)}; setTimeout(() => ${write(0xa9, 0x0a)}, 50);`));
    expect(ran.lines).toEqual(["café"]);
  });

  test("gets its complete prompt, then the end of stdin", async () => {
    const ran = await runAgent(js(COUNTS_STDIN, "ü".repeat(150_000)));
    expect(ran.lines).toEqual(["300000"]);
  });

  test("has a duration in whole ms, although the clock returns fractions", async () => {
    const clock = createFakeClock(0.25);
    const ran = await runAgent(js(""), { onStart: () => clock.advance(10.5) }, clock);
    expect(ran).toMatchObject({ outcome: "ok", ms: 11 });
  });

  test("without a prompt finds the end of stdin at once", async () => {
    expect((await runAgent(js(COUNTS_STDIN))).lines).toEqual(["0"]);
  });

  test.each([
    ["an agent", js(""), true],
    ["one that can't be started", { argv: ["/no/such/program"] }, false],
  ])(
    "of %s is told to the guardian: before it starts, when it leads a group, and when nothing of it is left",
    async (_, command, starts) => {
      const told: string[] = [];
      const guardian = {
        opening: async (marker: string) => void told.push(`opening ${marker}`),
        opened: (marker: string, group: number) => void told.push(`opened ${marker} ${group}`),
        closed: (marker: string) => void told.push(`closed ${marker}`),
      };
      const onStart = () => void told.push("started");
      const { pid } = await runAgent(command, { marker: "run-1", onStart }, undefined, guardian);
      const meanwhile = starts ? [`opened run-1 ${pid}`, "started"] : [];
      expect(told).toEqual(["opening run-1", ...meanwhile, "closed run-1"]);
    },
  );

  test("may exit without reading its prompt", async () => {
    const ran = await runAgent(js('console.log("fine"); process.exit(0);', "x".repeat(300_000)));
    expect(ran).toMatchObject({ outcome: "ok", lines: ["fine"] });
  });

  // OpenCode, for one, works in the folder that PWD names.
  test("finds the folder that it is started in as PWD, not the one of ralph's own shell", async () => {
    const env = { ...process.env, PWD: "/of/the/shell" } as Record<string, string>;
    const ran = await runAgent(js("console.log(process.env.PWD === process.cwd());"), { cwd: process.cwd(), env });
    expect(ran.lines).toEqual(["true"]);
  });

  test("finds the marker and the command's own variables in its environment", async () => {
    const command = { ...js("console.log(process.env.RALPH_RUN, process.env.OF_COMMAND);"), env: { OF_COMMAND: "b" } };
    expect((await runAgent(command, { marker: "a" })).lines).toEqual(["a b"]);
  });

  posix("leads a process group of its own", async () => {
    const ran = await runAgent(sh("ps -o pgid= -p $$ 2>/dev/null || echo $$"));
    expect(ran.lines.map(Number)).toEqual([Number(ran.pid)]);
  });

  test("has a line of 50 MB cut at 8 MB, and the next one is complete", async () => {
    const ran = await runAgent(program("long-line.ts", "50"));
    expect(ran.lines.map((line) => line.length)).toEqual([8 * 1024 * 1024, "after".length]);
    expect(ran.stdout.length).toBe(50 * 1024 * 1024 + "\nafter\n".length);
  });
});

describe("a program that can't be started", () => {
  const dir = testFolder("spawn");
  const text = join(dir, "text");
  const POSIX_REASONS = [
    ["is not an executable file", [text], dir, /text: it is not executable/],
    ["has an argument over the kernel's limit", ["/bin/true", "x".repeat(200_000)], dir, /too long/],
  ] as const;
  writeFileSync(text, "no program");
  chmodSync(text, 0o644);
  test.each([
    ["is missing", ["ralph-no-such-program"], dir, /ralph-no-such-program: it was not found/],
    ["has no folder to start in", [process.execPath], join(dir, "gone"), /the folder .*gone does not exist/],
    ...(isWindows ? [] : POSIX_REASONS),
  ] as const)("because it %s gives an error message", async (_why, argv, cwd, words) => {
    const ran = await runAgent({ argv: [...argv], stdin: "prompt" }, { cwd });
    expect(ran).toMatchObject({ outcome: "spawn_failed", exitCode: null, signal: null, pid: null });
    expect(ran.spawnError).toMatch(words);
  });

  test("because of an earlier stop is not started", async () => {
    const ran = await runAgent(js("console.log(1);"), { signal: AbortSignal.abort() });
    expect(ran).toMatchObject({ outcome: "stopped", pid: null, lines: [], leftovers: [] });
  });

  test("because its output file cannot be opened throws, and nothing is started", async () => {
    const ran = runAgent(js(""), { stdoutFile: join(dir, "gone", "1.out") });
    expect(await ran.catch((error) => error)).toBeInstanceOf(RalphError);
  });
});

describe("an agent is ended", () => {
  test("by its timeout, on the wall clock", async () => {
    const clock = createFakeClock();
    const options = { timeoutMs: 15 * MINUTE, onLines: () => clock.advance(15 * MINUTE) };
    const ran = await runAgent(js(says("ready")), options, clock);
    expect(ran).toMatchObject({ outcome: "timed_out", ...BY_TERM, ms: 15 * MINUTE, leftovers: [] });
  });

  test("by its timeout even while it prints without pause", async () => {
    expect(await runAgent(js(FLOODS), { timeoutMs: 100 })).toMatchObject({ outcome: "timed_out", ...BY_TERM });
  });

  test("not before its timeout", async () => {
    const clock = createFakeClock();
    const options = { timeoutMs: 15 * MINUTE, onLines: () => clock.advance(15 * MINUTE - 1) };
    expect(await runAgent(js('console.log("ready"); setTimeout(() => {}, 50);'), options, clock)).toMatchObject({
      outcome: "ok",
    });
  });

  posix("by KILL when TERM does not do it", async () => {
    const stop = new AbortController();
    const options = { signal: stop.signal, graceMs: 50, onLines: () => stop.abort() };
    const ran = await runAgent(sh("trap '' TERM; echo ready; while :; do sleep 0.01; done"), options);
    expect(ran).toMatchObject({ outcome: "stopped", exitCode: null, signal: "SIGKILL" });
  });

  test("by a stop at the moment of its start", async () => {
    const stop = new AbortController();
    const ran = await runAgent(js(STAY), { signal: stop.signal, onStart: () => stop.abort() });
    expect(ran).toMatchObject({ outcome: "stopped", leftovers: [] });
    expect(getEventListeners(stop.signal, "abort")).toEqual([]);
  });

  test("with its whole group", async () => {
    const stop = new AbortController();
    const options = { signal: stop.signal, onLines: () => stop.abort() };
    const ran = await runAgent(js(`console.log(${child(STAY)}.pid);`), options);
    expect(ran.outcome).toBe("stopped");
    expect(isAlive(Number(ran.lines[0]), null)).toBe(false);
  });

  posix("with a descendant that left the group and hides its environment", async () => {
    const stop = new AbortController();
    const options = { signal: stop.signal, onLines: () => stop.abort() };
    const ran = await runAgent(program("daemon.ts", "stay", "bare"), options);
    expect(ran.outcome).toBe("stopped");
    expect(isAlive(Number(ran.lines[0]), null)).toBe(false);
  });

  test("2 s after its final event, and has answered", async () => {
    const ran = await runAgent(js(says("final")), finishing("final"), createHastyClock());
    expect(ran).toMatchObject({ outcome: "ok", ...BY_TERM, ms: 2000 });
  });

  test("two minutes after a complete answer whose final event never comes, and has answered", async () => {
    const over = finishing("answer");
    const options = { onLines: over.onLines, isOver: over.isFinished };
    const ran = await runAgent(js(says("answer")), options, createHastyClock());
    expect(ran).toMatchObject({ outcome: "ok", ...BY_TERM, ms: 2 * MINUTE });
  });

  test("by its timeout while its answer is not complete", async () => {
    const options = { isOver: () => false, timeoutMs: 15 * MINUTE };
    const ran = await runAgent(js(says("answer")), options, createHastyClock());
    expect(ran).toMatchObject({ outcome: "timed_out", ms: 15 * MINUTE });
  });

  test("at once by a stop after its final event, and has answered", async () => {
    const stop = new AbortController();
    const { isFinished, onLines } = finishing("final");
    const stopThen = (lines: string[]) => {
      onLines(lines);
      stop.abort();
    };
    const options = { signal: stop.signal, isFinished, onLines: stopThen };
    const ran = await runAgent(js(says("final")), options, createFakeClock());
    expect(ran).toMatchObject({ outcome: "ok", ms: 0 });
  });

  test("not when it exits by itself after its final event: the exit code stands", async () => {
    const ran = await runAgent(
      js('console.log("final"); process.exitCode = 3;'),
      finishing("final"),
      createFakeClock(),
    );
    expect(ran).toMatchObject({ outcome: "failed", exitCode: 3 });
  });

  test("when the consumer of its lines throws, and the error is passed on", async () => {
    const ended = { pid: 0 };
    const failing = runAgent(js(says("line")), {
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

  test("when its start cannot be recorded", async () => {
    const ended = { pid: 0 };
    const failing = runAgent(js(STAY), {
      onStart: ({ pid }) => {
        ended.pid = pid;
        throw new Error("journal");
      },
    });
    expect(await failing.catch((error) => error.message)).toBe("journal");
    expect(isAlive(ended.pid, null)).toBe(false);
  });
});

describe("an idle agent", () => {
  test("is ended", async () => {
    const ran = await runAgent(js(STAY), { idleMs: 10 * MINUTE }, createHastyClock());
    expect(ran).toMatchObject({ outcome: "idle", ...BY_TERM, ms: 10 * MINUTE });
  });

  test("is not idle while files change", async () => {
    const answers = [true, true, false];
    const options = { idleMs: 10 * MINUTE, isAlive: () => answers.shift() ?? false };
    const ran = await runAgent(js(STAY), options, createHastyClock());
    expect(ran).toMatchObject({ outcome: "idle", ms: 30 * MINUTE });
  });

  test("is not idle while a descendant computes", async () => {
    using agent = computing();
    expect(await runAgent(agent.command, { idleMs: 500, isAlive: agent.ask })).toMatchObject({ outcome: "ok" });
  });

  test("is not idle while it prints", async () => {
    const clock = createFakeClock();
    const options = { idleMs: 10 * MINUTE, onLines: (lines: string[]) => clock.advance(6 * MINUTE * lines.length) };
    const speaks = js("for (const n of [1, 2, 3]) setTimeout(() => console.log(n), 30 * n);");
    const ran = await runAgent(speaks, options, clock);
    expect(ran).toMatchObject({ outcome: "ok", ms: 18 * MINUTE });
  });
});

describe.skipIf(isWindows)("what an agent leaves behind", () => {
  test("is ended, and does not delay the result with its end of the pipe", async () => {
    const ran = await runAgent(sh("sleep 300 & echo $!"));
    expect(ran).toMatchObject({ outcome: "ok", exitCode: 0, leftovers: ran.lines.map(Number) });
    expect(isAlive(Number(ran.lines[0]), null)).toBe(false);
  });

  test("is not read forever", async () => {
    const ran = await runAgent(sh('yes "$(printf %01000d 0)" & echo $! && exit 0'));
    expect(ran).toMatchObject({ outcome: "ok", exitCode: 0 });
    expect(isAlive(Number(ran.lines[0]), null)).toBe(false);
    expect(ran.stdout.length).toBeLessThan(64 * 1024 * 1024);
  });

  test("still has its last output read", async () => {
    const ran = await runAgent(sh("(sleep 0.1; echo last) & exit 0"));
    expect(ran.lines).toEqual(["last"]);
  });

  test.if(isLinux)("is found by its marker when it has left every group", async () => {
    const ran = await runAgent(program("daemon.ts"));
    expect(ran).toMatchObject({ outcome: "ok", leftovers: ran.lines.map(Number) });
    expect(isAlive(Number(ran.lines[0]), null)).toBe(false);
  });

  test.if(isLinux)("is found when it has left its environment, too, and whoever started it is gone", async () => {
    const ran = await runAgent(program("daemon.ts", "bare"));
    expect(ran).toMatchObject({ outcome: "ok", leftovers: ran.lines.map(Number) });
    expect(isAlive(Number(ran.lines[0]), null)).toBe(false);
  });

  test.if(isLinux)("is left alone if it belongs to another run", async () => {
    const theirs = runAgent(sh("sleep 0.1; echo theirs"), {});
    expect((await runAgent(sh("exit 0"))).leftovers).toEqual([]);
    expect((await theirs).lines).toEqual(["theirs"]);
  });
});

/** Code that prints a word and keeps running. */
function says(word: string): string {
  return `console.log("${word}"); ${STAY}`;
}

/** An agent whose turn ends with the line `final`. */
function finishing(final: string) {
  let isOver = false;
  return {
    isFinished: () => isOver,
    onLines: (lines: string[]) => {
      isOver ||= lines.includes(final);
    },
  };
}
