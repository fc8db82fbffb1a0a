import { hasGates } from "../../core/decide/gate-rules.ts";
import { RalphError } from "../../core/errors.ts";
import { jsonLine } from "../../core/state-files/file-json.ts";
import { STOPPED_BY } from "../../core/stop/requested-stop.ts";
import type { StopReason } from "../../core/stop/stop-reasons.ts";
import { count } from "../../core/text/count.ts";
import { NEEDS_PROJECT_HINT } from "../../core/text/hints.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { typedWord } from "../../core/text/shell-words.ts";
import { createHost } from "../../effects/host.ts";
import { openLandYard } from "../../effects/land/land-yard.ts";
import type { LandBranch, LandYard } from "../../effects/ports.ts";
import { checkRalphDir, isRalphProject, projectPaths } from "../../effects/project/project-paths.ts";
import { createHiddenGates } from "../../effects/user/hidden-gates.ts";
import { listWorktrees } from "../../effects/worktrees/worktrees.ts";
import { createWorld } from "../../effects/world.ts";
import { type LandResult, landBranches, requireLandGates } from "../../run/jobs/land.ts";
import { type Run, type RunSpec, withRun } from "../../run/run.ts";
import { VERSION } from "../../version.ts";
import { projectItems, requireTrust } from "../agent/project-trust.ts";
import { askedHere } from "../agent/run-trust.ts";
import type { CommandContext } from "../context.ts";
import type { LandArgs } from "../definitions/land.ts";
import { loadSettings } from "../load-settings.ts";
import { recordedState } from "../recorded-state.ts";
import { refuseAgents } from "../run/send-control.ts";
import { endWith, stopOnSignals, untilStopped } from "../run/signals.ts";
import { openRunView } from "../show/run-view.ts";

type Context = CommandContext<LandArgs>;

/**
 * `ralph land [BRANCH...]`: puts finished branches on the target, of which each commit was tested as it is.
 * @returns 0 if all of it is on the target now; 6 if something is not
 * @throws RalphError `environment` if an agent asks, a run is live, nothing checks the work, or git refuses
 */
export async function run(context: Context): Promise<number> {
  const { args, projectDir, env } = context;
  const ralph = checkRalphDir(projectDir);
  if (refuseAgents(context, ralph) !== null)
    throw new RalphError("environment", "A run is live in this project: land when it has ended.", {
      hint: "Stop it first: ralph stop",
    });
  if (!isRalphProject(projectDir))
    throw new RalphError("environment", `${projectDir} is not a Ralph project.`, {
      hint: NEEDS_PROJECT_HINT,
    });
  const named = uniqueNames(args.branch ?? []);
  const resolved = loadSettings(context);
  const { settings } = resolved;
  const stop = new AbortController();
  const opened = await untilStopped(async (signal) => {
    endWith(stop, signal);
    const place = { project: projectDir, env, onto: args.onto ?? null, hub: args.remote ?? null };
    const yard = await openLandYard({ ...place, signal: stop.signal, settings });
    if (args["dry-run"]) return show(context, yard, named);
    if (named.length === 0 && (await hasNothing(yard, projectDir, ralph))) return tellNothing(context, yard);
    signal.throwIfAborted();
    return { yard };
  });
  if (typeof opened === "number") return opened;
  const { yard } = opened;
  const words = [
    ...named,
    ...(args.onto === undefined ? [] : [`--onto=${args.onto}`]),
    ...(args.remote === undefined ? [] : [`--remote=${args.remote}`]),
  ];
  requireLandGates(settings, args, ["ralph land", ...words.map(typedWord)].join(" "));
  const paths = projectPaths(projectDir, null, null);
  const host = createHost(projectDir, env);
  if (hasGates(settings) && !settings.RALPH_TRUST) {
    await requireTrust(projectItems(resolved, paths, host), { host, ask: askedHere(context) });
    createHiddenGates(projectDir, host).open(settings.HIDDEN_GATES);
  }
  const view = args.json
    ? null
    : openRunView({
        ...{ context, project: paths.project, ralphDir: paths.ralph, how: "lines" },
        ...{ verbose: settings.RALPH_VERBOSE, live: false, quiet: args.quiet, plan: () => null },
      });
  const spec = {
    driver: null,
    settings,
    version: VERSION,
    startedBy: "land",
    words: [
      ...words,
      ...(args.untested ? ["--untested"] : []),
      ...(args["accept-weaker"] ? ["--accept-weaker"] : []),
      ...(context.settings.TASKS_FILE === undefined ? [] : [`--tasks=${context.settings.TASKS_FILE.text}`]),
    ],
    subscribers: view === null ? [] : [view.reader],
    recordIn: "new run",
    takesCommands: true,
  } satisfies RunSpec;
  let release = () => {};
  try {
    const world = createWorld({ paths, host, use: { kind: "read", files: [] } });
    const done = await withRun(world, spec, async (run) => {
      release = stopOnSignals(run.stops);
      endWith(stop, run.stops.killSignal);
      view?.onRun({ stops: run.stops, steer: run.control });
      const options = {
        named: named.length === 0 ? null : named,
        untested: args.untested,
        acceptWeaker: args["accept-weaker"],
      };
      const result = await landBranches(run, { yard, ...options }).catch((error: unknown) => {
        if (run.state().stop_requested?.how === "now") return null;
        throw error;
      });
      return { result, end: run.finish(reasonOf(run, result), sentenceOf(result)) };
    });
    release();
    await view?.onEnd(done.end);
    if (args.json && done.result !== null) context.stdout(jsonLine(report(done.result)));
    return done.end.exit_code;
  } finally {
    release();
    view?.close();
  }
}

/** @throws RalphError `usage` for a name that stands there twice */
function uniqueNames(names: readonly string[]): string[] {
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new RalphError("usage", `The branch ${twice} is named twice.`);
  return [...names];
}

/** Whether nothing waits, and no move of a landing that was killed is still to be recorded: no run is begun for that. */
async function hasNothing(yard: LandYard, project: string, ralph: string): Promise<boolean> {
  const { branches, without } = await yard.candidates(null);
  return branches.length + without.length === 0 && (recordedState(project, ralph)?.state.land.open ?? null) === null;
}

async function tellNothing(context: Context, yard: LandYard): Promise<number> {
  const { args, stdout } = context;
  const { target } = yard;
  const nothing = args.json ? "" : await nothingWaits(context, yard);
  // One that was killed while it cleared up has left its checkout.
  await yard.close();
  if (args.json) {
    const tip = await yard.tip();
    const nothing = { landed: [], returned: [], left: [], tested: 0, flakes: 0, stopped: false };
    stdout(jsonLine(report({ target, from: tip, to: tip, ...nothing })));
  } else stdout(`${nothing}\n`);
  return 0;
}

function nothingFor(target: string): string {
  return `Nothing waits to be landed on ${target}.`;
}

/** Only what workers hand in waits by itself: of a worktree's branch, a person says when it is finished. */
async function nothingWaits({ args, projectDir }: Context, yard: LandYard): Promise<string> {
  const nothing = nothingFor(yard.target);
  const own = args.remote === undefined ? listWorktrees(projectDir).map(({ branch }) => branch) : [];
  if (own.length === 0) return nothing;
  const { branches } = await yard.candidates(own);
  const tip = await yard.tip();
  const ahead: string[] = [];
  for (const { name, commit } of branches) if (!(await yard.isIn(commit, tip))) ahead.push(name);
  return ahead.length === 0
    ? nothing
    : `${nothing} Of a worktree, the branch is named: ralph land ${ahead.map(typedWord).join(" ")}`;
}

async function show(context: Context, yard: LandYard, named: readonly string[]): Promise<number> {
  const { args, stdout } = context;
  const { branches, without } = await yard.candidates(named.length === 0 ? null : named);
  if (args.json) {
    stdout(jsonLine({ target: yard.target, branches: branches.map(branchReport), left: without }));
    return 0;
  }
  const lines = [
    branches.length === 0 ? await nothingWaits(context, yard) : `To be landed on ${yard.target}:`,
    ...branches.map((branch) => `  ${describe(branch)}`),
    ...without.map(({ name, why }) => `  not ${singleLine(name)}: ${why}`),
  ];
  stdout(`${lines.join("\n")}\n`);
  return 0;
}

function describe({ name, commit, task }: LandBranch): string {
  return [singleLine(name), commit.slice(0, 7), ...(task === null ? [] : [singleLine(task.text)])].join("  ");
}

/** @param result null: it was stopped before the first branch */
function reasonOf({ state }: Run, result: LandResult | null): StopReason {
  const by = state().stop_requested?.by;
  if ((result === null || result.stopped) && by !== undefined) return STOPPED_BY[by];
  if (result === null) return "not_all_landed";
  const { returned, left } = result;
  return returned.length === 0 && left.length === 0 ? "landed" : "not_all_landed";
}

function sentenceOf(result: LandResult | null): string {
  if (result === null) return "It was stopped before the first branch was looked at.";
  const { target, landed, returned, left } = result;
  if (landed.length + returned.length + left.length === 0) return nothingFor(target);
  const what = `${count(landed.length, "branch is", "branches are")} on ${target}`;
  const back = returned.length === 0 ? [] : [`${returned.length} did not pass`];
  const whys = [...new Set(left.map(({ why }) => why))];
  const more = whys.map((why) => {
    const names = left.filter((one) => one.why === why).map(({ name }) => singleLine(name));
    return `${names.join(", ")}: ${singleLine(why)}`;
  });
  return `${[what, ...back, ...(more.length === 0 ? [] : [`${left.length} left (${more.join("; ")})`])].join(", ")}.`;
}

function branchReport({ name, commit, task }: LandBranch) {
  return { branch: name, commit, task: task?.id ?? null, text: task?.text ?? null };
}

/** The document of `ralph land --json`. */
function report({ target, from, to, landed, returned, left, tested, flakes, stopped }: LandResult) {
  return {
    ...{ target, from, to },
    landed: landed.map(branchReport),
    returned: returned.map(({ branch, why, claim, message }) => ({ ...branchReport(branch), why, claim, message })),
    left: left.map(({ name, why }) => ({ branch: name, why })),
    ...{ tested, flakes, stopped },
  };
}
