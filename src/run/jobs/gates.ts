import {
  type GateEnd,
  type GateRecord,
  type GateSettings,
  gateCommands,
  gatePassed,
  hiddenGateName,
} from "../../core/decide/gate-rules.ts";
import { failingLines } from "../../core/gates/failing-lines.ts";
import { checksMore } from "../../core/gates/joined-checks.ts";
import { ranNoTests, readTestCounts } from "../../core/gates/test-counts.ts";
import type { EventOf } from "../../core/journal/event.ts";
import { gapCommands } from "../../core/look/look-state.ts";
import type { ProcessResult, Snapshot } from "../../effects/ports.ts";
import { repairProject } from "../repair-project.ts";
import type { Run } from "../run.ts";
import { runInShell, type ShellCheck } from "../shell-command.ts";

/** Bytes of a gate's output that the journal keeps: the beginning, and for a long output its end. */
const HEAD_BYTES = 2048;
const TAIL_BYTES = 1500;

/** The occasion on which gates run. */
export type GateOccasion = {
  /** Number for the names of the output files; 0 before the first iteration. */
  iteration: number;
  /** The tree on which gates alone decide about "done" now; null where they do not. Only then they are judged, and hidden ones run. */
  couldEndOn: Snapshot | null;
};

/**
 * Runs all gates in the project, one after the other, those among them that looks named, and records each result (product.md
 * "Gates"). Processes that a gate leaves behind are ended with it.
 * @returns false if a stop cut them short: the results so far then count for nothing
 */
export async function runGates(run: Run, occasion: GateOccasion): Promise<boolean> {
  const ran = await runEach(run, occasion);
  if (ran) repairProject(run);
  return ran;
}

async function runEach(run: Run, { iteration, couldEndOn }: GateOccasion): Promise<boolean> {
  const settings: GateSettings = run.settings;
  const look = couldEndOn === null ? null : run.gateWatch.look(couldEndOn);
  const commands = new Set([
    ...gateCommands(settings),
    ...gapCommands(run.state().looks).filter(run.world.ownGaps.has),
  ]);
  for (const [index, command] of [...commands].entries()) {
    const file = `${iteration}-gate-${index + 1}`;
    if (!(await runVisible(run, { command, file, couldEnd: look !== null }))) return false;
  }
  // Nothing more is to be found out while one is red.
  if (look === null || !areGreen(run)) return true;
  const judged = await run.gateWatch.judge(look, (command, gateFiles, dir) =>
    probe(run, { command, gateFiles, dir, file: `${iteration}-gate-${gateFiles}` }),
  );
  return judged && (!areGreen(run) || (await runHidden(run, `${iteration}`)));
}

/** Gates that ran in another checkout: the first that is red, and those that were only red at first. */
export type GatesThere = { red: GateRecord | null; flaky: string[] };

/**
 * Runs the gates in another checkout until the first that is red twice on the same tree. They are not judged: the caller has.
 * @param at the checkout, and the beginning of the names of the output files
 * @returns null if a stop cut it short
 */
export async function runGatesIn(run: Run, { dir, name }: { dir: string; name: string }): Promise<GatesThere | null> {
  const flaky: string[] = [];
  for (const [index, command] of gateCommands(run.settings).entries()) {
    const file = `${name}-gate-${index + 1}`;
    const flakes = run.state().gate_trust.history[command]?.flakes ?? 0;
    if (!(await runVisible(run, { command, file, couldEnd: true, cwd: dir }))) return null;
    const record = run.state().gates.find((gate) => gate.command === command);
    if (record === undefined) throw new Error("a gate left no record");
    if (!record.ok) return { red: record, flaky };
    if ((run.state().gate_trust.history[command]?.flakes ?? 0) > flakes) flaky.push(command);
  }
  if (!(await runHidden(run, name, dir))) return null;
  return { red: run.state().gates.find(({ ok, hidden }) => !ok && hidden !== undefined) ?? null, flaky };
}

function areGreen({ state }: Run): boolean {
  return state().gates.every(({ ok }) => ok);
}

type VisibleGate = { command: string; file: string; couldEnd: boolean; cwd?: string };

/**
 * Runs a gate, and a red one once more on the same tree where that matters: if it could decide about "done", or was green before.
 * Green then is a flake.
 */
async function runVisible(run: Run, { command, file, couldEnd, cwd }: VisibleGate): Promise<boolean> {
  const { state } = run;
  const matters = couldEnd || state().gate_trust.history[command]?.ok === true;
  const first = await start(run, { command, path: run.files.file(`${file}.out`), cwd });
  if (first === null) return false;
  const end = endOf(first);
  if (gatePassed(end) || !matters || isStopped(first)) {
    record(run, { command, result: first, file: `${file}.out` });
    return !isStopped(first);
  }
  const again = await start(run, { command, path: run.files.file(`${file}-again.out`), cwd });
  if (again === null) return false;
  record(run, { command, result: again, file: `${file}-again.out`, first_run: { ...end, file: `${file}.out` } });
  return !isStopped(again);
}

/**
 * Runs a gate in a copy of the project, and a red one once more, as in the project itself: a flake says nothing of its files.
 * @returns whether it is green there; null if a stop cut it short
 */
async function probe(
  run: Run,
  { command, gateFiles, dir, file }: { command: string; gateFiles: "frozen" | "own"; dir: string; file: string },
): Promise<boolean | null> {
  const index = gateCommands(run.settings).indexOf(command) + 1;
  for (const name of [`${file}-${index}.out`, `${file}-${index}-again.out`]) {
    const result = await start(run, { command, path: run.files.file(name), cwd: dir });
    if (result === null) return null;
    const end = endOf(result);
    run.append({ type: "gate_probed", command, gate_files: gateFiles, ms: result.ms, file: name, ...end });
    if (isStopped(result)) return null;
    if (gatePassed(end)) return true;
  }
  return false;
}

/** Runs the hidden gates: nothing that the agent could read tells their commands, paths or output (product.md "Hidden gates"). */
async function runHidden(run: Run, name: string, cwd?: string): Promise<boolean> {
  const { world, settings, append } = run;
  if (settings.HIDDEN_GATES.length === 0) return true;
  for (const [index, { command, requirement }] of world.hiddenGates.open(settings.HIDDEN_GATES).entries()) {
    const number = index + 1;
    const path = world.hiddenGates.outputFile(run.state().run, `${name}-${number}.out`);
    const result = await start(run, { command, name: hiddenGateName(number), path, cwd });
    if (result === null) return false;
    append({
      type: "gate_finished",
      command: hiddenGateName(number),
      ms: result.ms,
      output: "",
      hidden: { number, requirement },
      ...endOf(result),
    });
    if (isStopped(result)) return false;
  }
  return true;
}

/** Runs a gate to its end. @returns null if a stop keeps it from starting */
async function start(run: Run, check: ShellCheck): Promise<ProcessResult | null> {
  return run.stops.killSignal.aborted ? null : runInShell(run, check);
}

function isStopped({ outcome }: ProcessResult): boolean {
  return outcome === "stopped";
}

/** Bytes of a red gate's output, at both ends, that are searched for the names of what failed. */
const SEARCHED_BYTES = 128 * 1024;

function namedFailures({ world, files }: Run, file: string): string[] {
  const { head, tail } = world.outputEnds(files.file(file), { head: SEARCHED_BYTES, tail: SEARCHED_BYTES });
  return failingLines(`${head}${tail}`);
}

/** All of a gate's output; "" for one that is too long to say what is not in it. */
function whole({ world, files }: Run, file: string): string {
  const path = files.file(file);
  const { head, tail } = world.outputEnds(path, { head: SEARCHED_BYTES, tail: SEARCHED_BYTES });
  return world.fileSize(path) > 2 * SEARCHED_BYTES ? "" : `${head}${tail}`;
}

function endOf({ exitCode, outcome }: ProcessResult): GateEnd {
  return { exit_code: exitCode, timed_out: outcome === "timed_out" };
}

type GateResult = {
  command: string;
  result: ProcessResult;
  file: string;
  first_run?: NonNullable<EventOf<"gate_finished">["first_run"]>;
};

function record(run: Run, { command, result, file, first_run }: GateResult): void {
  const { head, tail } = run.world.outputEnds(run.files.file(file), { head: HEAD_BYTES, tail: TAIL_BYTES });
  const output = result.spawnError ?? head;
  const failing = gatePassed(endOf(result)) ? [] : namedFailures(run, file);
  const ends = `${output}\n${tail}`;
  const all = tail === "" ? output : whole(run, file);
  const ranNone = gatePassed(endOf(result)) && ranNoTests(ends) && ranNoTests(all);
  const counts = readTestCounts(ends) ?? (ranNone ? { passed: 0, failed: 0, skipped: 0 } : null);
  run.append({
    type: "gate_finished",
    command,
    ...endOf(result),
    ms: result.ms,
    output,
    file,
    ...(tail === "" ? {} : { tail }),
    ...(failing.length === 0 ? {} : { failing }),
    ...(counts === null ? {} : { counts }),
    ...(ranNone && !checksMore(command, all) ? { no_tests: true } : {}),
    ...(first_run === undefined ? {} : { first_run }),
  });
}
