/**
 * The agent CLI that loops call in a side-by-side run: `stand-in.ts STATE PROGRAM [the CLI's arguments]`. It behaves as the
 * persona in the file STATE says, on real files, and speaks as the program that it stands in for. While there is a file STATE.hang it
 * does its work and never answers.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { isTrulyDone } from "../project.ts";
import { look } from "../stranger.ts";
import { putFiles } from "./real-project.ts";
import { review } from "./review.ts";
import { handInVerdict, handInWork, judge, sideIn } from "./rounds.ts";
import { after, type CliName, type Speech, usageIn, wordsOf } from "./speech/speech.ts";
import { SPEECHES } from "./speech/speeches.ts";
import { agentOf, readState, type State, writeState } from "./state.ts";

const [file = "", name = "claude", ...argv] = process.argv.slice(2);
const speech = SPEECHES[name as CliName];
if (argv.includes("--version") || argv.includes("-v")) process.stdout.write(`${speech.version}\n`);
else process.exitCode = speech.asksModel(argv) ? answer(file, speech, argv) : 1;

function answer(stateFile: string, { resumes, printed, limited }: Speech, flags: readonly string[]): number {
  const state = readState(stateFile);
  const prompt = failuresIn(after(flags, ["-p", "--print"]) ?? readFileSync(0, "utf8"));
  if (isTrulyDone(state.project)) state.callsAfterTruth += 1;
  const resume = resumes(flags) ?? (flags.some(isContinue) ? state.lastSession : null);
  const reviewed = review(state, prompt, now());
  const side = sideIn(prompt);
  const verdict = side?.role === "evaluator" ? judge(state, side.task) : null;
  const result =
    reviewed?.answer ??
    verdict?.answer ??
    (prompt.includes("---RALPH_GAP---") ? lookAt(state) : agentOf(state).call({ prompt, resume, now: now() }));
  // Loops know the conversation by the id that they gave, or by one that looks like the CLI's own.
  const session = resume ?? after(flags, ["--session-id"]) ?? randomUUID();
  const { contexts } = state.memory;
  const context = contexts.get(result.session);
  if (context !== undefined) contexts.set(session, context);
  state.lastSession = session;
  state.cost += result.cost;
  putFiles(state);
  if (verdict !== null && side !== null) handInVerdict(side.file, verdict.fault);
  else if (side !== null && result.exit === 0) handInWork(side.file, result.finishedTask);
  writeState(stateFile, state);
  if (existsSync(`${stateFile}.hang`)) hang(stateFile);
  const words = reviewed?.words ?? wordsOf(result, state.marker, state.markerMeans);
  const said = { session, ...words, usage: usageIn(result.events), exit: result.exit, flags };
  process.stdout.write(result.limitedUntil === null ? printed(said) : limited(said, result.limitedUntil));
  return result.exit;
}

/**
 * Never answers, with its work done: for loops that are killed in the middle of a call. As agents do, it has a command that runs, and
 * a server that it left in the background, in a session of its own.
 */
function hang(stateFile: string): never {
  spawn("/bin/sleep", ["900.1"], { stdio: "ignore" });
  spawn("/bin/sleep", ["900.2"], { stdio: "ignore", detached: true }).unref();
  writeFileSync(`${stateFile}.hung`, "");
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** The clock, and what shells would have slept: their `sleep` returns at once and writes its seconds down. */
function now(): number {
  const slept = existsSync(`${file}.slept`) ? readFileSync(`${file}.slept`, "utf8").split("\n") : [];
  return Date.now() + 1000 * slept.reduce((sum, seconds) => sum + Number.parseFloat(seconds || "0"), 0);
}

function lookAt(state: State) {
  state.looks += 1;
  return look(state.project, state.looks);
}

/** The failures that Node's test runner prints, in the words of the simulated gate. */
function failuresIn(prompt: string): string {
  return prompt.replace(/(?:not ok \d+ - |✖ )(?:.*task-(\d+)\.test\.js|task (\d+)\b)/g, "not ok: task $1$2");
}

function isContinue(flag: string): boolean {
  return flag === "--continue" || flag === "-c";
}
