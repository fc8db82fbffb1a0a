/** The originals' recorded runs, compared with the compiled program (the data's README explains the fields). */
import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/lib/paths.ts";
import type { Call, Step } from "../../agents/scripted.ts";
import deviations from "../../conformance/deviations/loop.json" with { type: "json" };
import { mismatches } from "../../conformance/match.ts";
import { cleanUp, type Live, lives, type Project, project } from "../support/harness.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

type RecordedStep = {
  exit: number;
  delay_s: number;
  fs: string;
  stdout: string;
  stderr?: string;
  stdout_before_delay?: string;
};

type Setup = {
  driver: string;
  flags: string[];
  env: Record<string, string>;
  files: Record<string, string>;
  git: boolean;
  setup: string;
  state_files: Record<string, string>;
  removed_files: string[];
  steps: RecordedStep[];
  signal: "INT" | "TERM" | null;
  signal_after_calls?: number;
  term_after_calls?: number;
};

/** A call's position and words: consecutive words in its arguments, or one text in its stdin. */
type AtCall<T> = [number, T];

type Expectation = {
  in_argv?: AtCall<string[]>[];
  not_in_argv?: AtCall<string[]>[];
  stdin_contains?: AtCall<string>[];
  stdin_lacks?: AtCall<string>[];
  valid_json?: string[];
} & Record<string, unknown>;

type Case = {
  id: string;
  case: Setup;
  expected: { ours: { rule: "same" | "differs" | "free"; why: string; expect: Expectation } };
};

/** More at once would measure the machine rather than ralph. */
const AT_ONCE = 6;
/** Beside the project, so it is not part of it. */
const SIGNALLED = "../signalled";
const PLAIN_KEYS = ["exit", "calls", "status", "exit_reason", "breaker", "agent_gone"];
const KNOWN_KEYS = [...PLAIN_KEYS, "in_argv", "not_in_argv", "stdin_contains", "stdin_lacks", "valid_json"];

const listed = new Map(Object.entries(deviations satisfies Record<string, string>));
const cases = ["loop", "loop-runs"].flatMap(readCases).filter(({ expected }) => expected.ours.rule !== "free");

describe.skipIf(Bun.which("sh") === null)("a recorded run", () => {
  const turn = turnstile(AT_ONCE);
  for (const { id, case: setup, expected } of cases) {
    test.concurrent(`${id}: ${expected.ours.why}`, () =>
      turn(async () => {
        const found = await judge(setup, expected.ours.expect);
        if (listed.has(id)) expect(found).not.toEqual([]);
        else expect(found).toEqual([]);
      }));
  }
});

test("every listed deviation of the conformance data names a recorded run", () => {
  expect([...listed.keys()].filter((id) => cases.every((one) => one.id !== id))).toEqual([]);
});

async function judge(setup: Setup, expected: Expectation): Promise<string[]> {
  const where = arrange(setup);
  const live = where.start(...setup.flags);
  await disturb(live, where, setup);
  const { exit } = await live.ended;
  const calls = where.calls();
  const outcome = {
    exit,
    calls: calls.length,
    agent_gone: calls.every(({ pid }) => !lives(pid)),
    ...read(where, ".ralph/status.json", ({ status, exit_reason }) => ({ status, exit_reason })),
    ...read(where, ".ralph/.circuit_breaker_state", ({ state }) => ({ breaker: state })),
  };
  const plain = Object.fromEntries(Object.entries(expected).filter(([key]) => PLAIN_KEYS.includes(key)));
  return [
    ...Object.keys(expected).flatMap((key) => (KNOWN_KEYS.includes(key) ? [] : [`nobody judges ${key}`])),
    ...mismatches(plain, outcome),
    ...(expected.in_argv ?? []).flatMap(([n, words]) =>
      hasInARow(calls[n], words) ? [] : [`call ${n} lacks ${words}`],
    ),
    ...(expected.not_in_argv ?? []).flatMap(([n, words]) =>
      hasInARow(calls[n], words) ? [`call ${n} has ${words}`] : [],
    ),
    ...(expected.stdin_contains ?? []).flatMap(([n, text]) =>
      calls[n]?.stdin.includes(text) === true ? [] : [`call ${n} was not told ${text}`],
    ),
    ...(expected.stdin_lacks ?? []).flatMap(([n, text]) =>
      calls[n]?.stdin.includes(text) === false ? [] : [`call ${n} was told ${text}`],
    ),
    ...(expected.valid_json ?? []).flatMap((name) => (isJson(where, name) ? [] : [`${name} is no JSON`])),
  ];
}

function arrange(setup: Setup): Project {
  const { files, git, env } = setup;
  const where = project({
    files,
    git,
    env,
    agentName: setup.driver === "codex" ? "codex" : "claude",
    steps: setup.steps.map(stepOf),
  });
  if (setup.signal !== null) where.script(setup.steps.map((step, index) => signalledStep(where, setup, step, index)));
  for (const [name, content] of Object.entries(setup.state_files)) where.write(name, content);
  const removed = setup.removed_files.map((name) => `rm -rf '${name}'`);
  for (const command of [...removed, setup.setup])
    Bun.spawnSync(["sh", "-c", command], { cwd: where.dir, env: where.env });
  return where;
}

function stepOf({ exit, delay_s, fs, stdout, stderr, stdout_before_delay }: RecordedStep): Step {
  return {
    delay_ms: delay_s * 1000,
    stdout,
    exit,
    ...(fs === "" ? {} : { shell: fs }),
    ...(stderr === undefined ? {} : { stderr }),
    ...(stdout_before_delay === undefined ? {} : { first_stdout: stdout_before_delay }),
  };
}

/** The call that gets the signal lasts until the signal arrives, however slow the machine is. */
function signalledStep(where: Project, { signal_after_calls }: Setup, step: RecordedStep, index: number): Step {
  return index + 1 === signal_after_calls
    ? { ...stepOf(step), delay_ms: 0, waits_for: where.path(SIGNALLED) }
    : stepOf(step);
}

/**
 * A case's signal arrives in the middle of a call. The signal of a `term_…` case, which only ends a long run, arrives
 * while the run waits, or after two more calls.
 */
async function disturb(live: Live, where: Project, { signal, signal_after_calls, term_after_calls }: Setup) {
  const calls = signal === null ? term_after_calls : signal_after_calls;
  if (calls === undefined) return;
  let ended = false;
  void live.ended.then(() => {
    ended = true;
  });
  await until(`${calls} calls`, () => ended || where.calls().length >= calls);
  const goesOn = () => where.event("wait_started") !== undefined || where.calls().length >= calls + 2;
  if (signal === null) await until("a wait", () => ended || goesOn());
  if (!ended) live.kill(signal === "INT" ? "SIGINT" : "SIGTERM");
  if (signal === null) return;
  await until("the signal is heard", () => ended || where.event("stop_requested") !== undefined);
  writeFileSync(where.path(SIGNALLED), "");
}

function read<T>(where: Project, name: string, pick: (json: Record<string, unknown>) => T): T | null {
  return where.has(name) ? pick(JSON.parse(where.read(name))) : null;
}

function isJson(where: Project, name: string): boolean {
  try {
    JSON.parse(where.read(name));
    return true;
  } catch {
    return false;
  }
}

function hasInARow(call: Call | undefined, words: readonly string[]): boolean {
  const argv = call?.argv ?? [];
  return argv.some((_, at) => words.every((word, n) => argv[at + n] === word));
}

/** Runs at most `width` actions at once; the others wait for their turn. */
function turnstile(width: number): <T>(action: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let inside = 0;
  return async (action) => {
    if (inside >= width) await new Promise<void>((resolve) => waiting.push(resolve));
    inside += 1;
    try {
      return await action();
    } finally {
      inside -= 1;
      waiting.shift()?.();
    }
  };
}

function readCases(group: string): Case[] {
  const path = join(root, "tests/conformance/data", group, "cases.jsonl");
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line): Case => JSON.parse(line));
}
