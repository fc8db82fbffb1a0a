import { finalText } from "../../core/answer/collected-output.ts";
import { type Decision, decide } from "../../core/decide/decide.ts";
import { gateProgram } from "../../core/decide/gate-program.ts";
import { gatePassed } from "../../core/decide/gate-rules.ts";
import type { EventOf, LookResult } from "../../core/journal/event.ts";
import { type Gap, readGap } from "../../core/look/gap-block.ts";
import { notRun, refusalOf } from "../../core/look/gap-command.ts";
import { lookFirst } from "../../core/look/look-first.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { truncate } from "../../core/text/truncate.ts";
import type { Agent } from "../agent.ts";
import { type CallResult, callAgent, whyFailed } from "../call.ts";
import { composeLook, requestBase } from "../compose-request.ts";
import { repairProject } from "../repair-project.ts";
import type { Run } from "../run.ts";
import { runInShell } from "../shell-command.ts";

/** Bytes of the output of a gap's command that the journal keeps: its end. */
const TAIL_BYTES = 1500;
const COMMAND_CHARS = 120;

/** What a look came to; `gap` only where its command is red. */
type Finding = { result: LookResult; gap: Gap | null; sentence: string };

/** The iteration whose work is looked at, and the number of the look's call. */
type LookStep = Pick<EventOf<"look_started">, "number" | "call">;

/**
 * Decides the loop's next step, and first has finished work looked at where that is due.
 * @param reviewers who may look; the next one takes the place of one whose look came to nothing
 * @returns null after a look, which may have changed what is next
 */
export async function decideOrLook(run: Run, reviewers: readonly Agent[]): Promise<Decision | null> {
  const { settings } = run;
  const { state, now } = run.present();
  const decision = decide(state, settings, now);
  const readers = reviewers.filter(({ driver }) => driver.supportsReadOnly === true);
  const reviewer = readers[state.looks.failed] ?? readers.at(-1);
  if (reviewer === undefined) return decision;
  const step = lookFirst(decision, state, settings, now);
  if (step.do !== "look") return step;
  await look(run, reviewer, step);
  return null;
}

/**
 * Has an agent that knows nothing of the run look at finished work, and runs the command that it names (product.md "A
 * stranger's look"). Only a command that is red, twice on the same tree, is a gap.
 */
async function look(run: Run, reviewer: Agent, at: LookStep): Promise<void> {
  const { world, append } = run;
  const worker = run.state().driver;
  const { name, displayName } = reviewer.driver;
  const shell = world.host.platform === "win32" ? "cmd.exe" : "sh";
  const request = composeLook({ ...requestBase(run, reviewer), asked: world.project.asked(), shell, worker });
  append({ type: "look_started", number: at.number, call: at.call, driver: name, display_name: displayName });
  const answer = await callAgent(run, reviewer, { purpose: "look", iteration: at.number, call: at.call, request });
  const isOwn = name === worker;
  const finding =
    isOwn && answer.repeat === "limit"
      ? limited(`The look of ${displayName} met its provider's limit.`)
      : await findingOf(run, at, answer, displayName);
  append({ type: "look_finished", call: at.call, ...finding });
}

async function findingOf(run: Run, at: LookStep, answer: CallResult, who: string): Promise<Finding> {
  if (!answer.ok) return failed(`The look of ${who} failed: ${whyFailed(answer)}.`);
  const named = readGap(finalText(answer.output) ?? "");
  if (named === null) return failed(`The answer of ${who} says neither what is missing nor that nothing is.`);
  if (named === "none") return none(`${who} looked at it and found no gap.`);
  return checkGap(run, at, named, who);
}

/** Runs the command of a gap, and once more where it is red. */
async function checkGap(run: Run, at: LookStep, gap: Gap, who: string): Promise<Finding> {
  const named = `${who} named a gap`;
  const command = `\`${truncate(singleLine(gap.command), COMMAND_CHARS)}\``;
  const refused = refusalOf(gap.command) ?? missingProgram(run, gap.command);
  if (refused !== null) return failed(`${named}, but its command ${command} is not run, because ${refused}.`);
  const first = await check(run, gap.command, `${at.number}-${at.call}-check-1.out`);
  if (first === null) return failed("The look was interrupted.");
  if (gatePassed(first)) return none(`${named}, but its command is green: ${command}.`);
  const why = notRun(first);
  if (why !== null) return failed(`${named}, but its command ${command} says nothing, because ${why}.`);
  const second = await check(run, gap.command, `${at.number}-${at.call}-check-2.out`);
  if (second === null) return failed("The look was interrupted.");
  if (gatePassed(second))
    return none(`${named}, but its command ${command} was green when it ran again on the same tree.`);
  const { exit_code, output } = second;
  if (exit_code === null || notRun(second) !== null)
    return failed(`${named}, but its command ${command} could not be run twice.`);
  const { command: recorded } = run.append({ type: "gap_named", ...gap, exit_code, output });
  run.world.ownGaps.add(recorded);
  return { result: "gap", gap, sentence: `${named}: ${gap.why || command}` };
}

type Check = EventOf<"gap_checked">;

/** @returns null if a stop cut it short */
async function check(run: Run, command: string, file: string): Promise<Check | null> {
  if (run.stops.killSignal.aborted) return null;
  const path = run.files.file(file);
  const result = await runInShell(run, { command, path });
  repairProject(run);
  const { head, tail } = run.world.outputEnds(path, { head: TAIL_BYTES, tail: TAIL_BYTES });
  const checked = run.append({
    type: "gap_checked",
    command,
    exit_code: result.exitCode,
    ms: result.ms,
    timed_out: result.outcome === "timed_out",
    output: result.spawnError ?? (tail === "" ? head : tail),
    file,
  });
  return result.outcome === "stopped" ? null : checked;
}

/** A shell of Windows does not say by its exit code that there is no such program, so it is looked for before. */
function missingProgram({ world }: Run, command: string): string | null {
  const program = gateProgram(command);
  return program === null || world.host.which(program) !== null ? null : `there is no program ${program} here`;
}

function none(sentence: string): Finding {
  return { result: "none", gap: null, sentence };
}

function limited(sentence: string): Finding {
  return { result: "limited", gap: null, sentence };
}

function failed(sentence: string): Finding {
  return { result: "failed", gap: null, sentence };
}
