import { join } from "node:path";
import process from "node:process";
import { withClosings } from "../../core/closings.ts";
import { RalphError } from "../../core/errors.ts";
import { type ParsedPlan, parseProjectPlan } from "../../core/plan/fix-plan.ts";
import { wantsGitSteps } from "../../core/publish/steps.ts";
import { runWords } from "../../core/run-words.ts";
import { placeOf, promptFileIn, type ResolvedSettings } from "../../core/settings/resolve-settings.ts";
import type { Settings } from "../../core/settings/settings.ts";
import type { Host } from "../../driver.ts";
import { driverWarnings } from "../../driver-host/driver-warnings.ts";
import { slashPath } from "../../effects/files/slash-path.ts";
import { createHost } from "../../effects/host.ts";
import type { Sandbox } from "../../effects/ports.ts";
import {
  checkRalphDir,
  isRalphProject,
  noFileAsPlan,
  type ProjectPaths,
  projectPaths,
  READ_HINT,
  readOptional,
  requireText,
} from "../../effects/project/project-paths.ts";
import type { SandboxOptions } from "../../effects/sandbox/sandbox.ts";
import { readPrices } from "../../effects/user/price-file.ts";
import { mustBeCheckout } from "../../effects/worktrees/worktrees.ts";
import { createWorld } from "../../effects/world.ts";
import { loop } from "../../run/jobs/loop.ts";
import { planIfReadable } from "../../run/plan-if-readable.ts";
import { type Run, type RunSpec, withRun } from "../../run/run.ts";
import { VERSION } from "../../version.ts";
import { type AgentChoice, chooseAgent, driverLookup } from "../agent/agent-choice.ts";
import { chooseReviewers } from "../agent/choose-reviewers.ts";
import { requireRunTrust } from "../agent/run-trust.ts";
import type { CommandContext } from "../context.ts";
import type { RunArgs } from "../definitions/run.ts";
import { loadSettings } from "../load-settings.ts";
import { checkVersion } from "../run/check-version.ts";
import { denialHelpReader } from "../run/denial-help.ts";
import { withUnfinishedTask } from "../run/go-on.ts";
import { type Notifications, openNotifications } from "../run/notify-reader.ts";
import { rememberOwnWords } from "../run/own-words.ts";
import { requirePrompt, strayFlag } from "../run/prompt-hint.ts";
import { requireReady } from "../run/require-ready.ts";
import { stopOnSignals, unlessStopped } from "../run/signals.ts";
import { sayUnproven } from "../run/unproven.ts";
import { warningText } from "../show/config-text.ts";
import { openRunView, type RunView } from "../show/run-view.ts";
import { createWindowTitle, type WindowTitle } from "../show/window-title.ts";
import { startUpdateCheck } from "../update/background-update-check.ts";

/**
 * `ralph run [mode]`: the loop.
 * @returns the exit code of the stop reason
 * @throws RalphError before anything is written, if the run can't begin
 */
export async function run(called: CommandContext<RunArgs>): Promise<number> {
  const words = process.argv.slice(2);
  if (called.args.worktree === undefined) return runIn(called, words);
  return (await import("../run/in-worktree.ts")).runInWorktree(called, words, { run: runIn, check });
}

/** @param words the command line that starts it again, for the background and for panes */
async function runIn(called: CommandContext<RunArgs>, words: readonly string[]): Promise<number> {
  if (called.args.shard === undefined && called.args.claim === undefined) {
    refuseWorkersFlags(called.given);
    return runProject(called, { words, onRun: () => {} });
  }
  return (await import("../run/shard.ts")).runShard(called, (inside, onRun) => runProject(inside, { words, onRun }));
}

const OF_WORKERS = ["tasks", "hub", "onto"];

/** A run by itself would work on the plan and heed none of them. @throws RalphError `usage` */
function refuseWorkersFlags(given: readonly string[]): void {
  const flag = OF_WORKERS.find((name) => given.includes(name));
  if (flag === undefined) return;
  throw new RalphError("usage", `--${flag} is for several workers, and this run works alone.`, {
    hint: "Make it one of them with --shard=I/N, or let them all work here: ralph swarm",
  });
}

/** How a run in a project is begun. */
export type Beginning = {
  /** The command line that starts it again, for the background and for panes. */
  words: readonly string[];
  /** Called before it begins to work; what it throws ends the run at once. */
  onRun(run: Run): void;
};

/** `ralph run` in the project of the context, wherever that is. */
export async function runProject(called: CommandContext<RunArgs>, { words, onRun }: Beginning): Promise<number> {
  const { projectDir } = called;
  checkRalphDir(projectDir);
  mustBeCheckout(projectDir);
  if (called.noCommand && called.args.task === undefined && !isRalphProject(projectDir))
    return (await import("../show/card.ts")).showCard(called);

  const context = await withUnfinishedTask(called);
  const { args } = context;
  const prepared = await prepare(context);
  const { paths, host } = prepared;
  // With --detach the run in the background prints its own warnings.
  if (!args.detach || args["dry-run"]) warn(context, prepared);
  if (args["dry-run"])
    return (await import("./prompt.ts")).show({
      ...prepared,
      settings: prepared.resolved.settings,
      context,
      json: args.json,
    });
  const { settings } = prepared.resolved;
  await requireReady(prepared.agent, settings, host);
  if (wantsGitSteps(settings))
    await (await import("../run/require-git-steps.ts")).requireGitSteps(context, prepared.resolved, paths.ralph);
  const hasBoxes = prepared.task !== null || (planNow(paths, settings, null)?.counts.total ?? 0) > 0;
  // Its templates are not needed by a run with a plan.
  const ready = hasBoxes
    ? prepared
    : {
        ...prepared,
        paths: await (await import("../run/require-work.ts")).requireWork(context, paths),
      };

  if (settings.SANDBOX !== "none")
    await (await import("../../effects/sandbox/sandbox.ts")).requireSandbox(sandboxOptions(ready));

  if (args.detach) {
    const code = await (await import("../run/detach.ts")).runDetached(context, paths.ralph, words);
    if (code !== 0 || !args.monitor) return code;
    return (await import("./monitor.ts")).run({ ...context, args: { ...args, run: undefined } });
  }
  const tmux = args.monitor || args.tmux === true ? await import("../run/tmux.ts") : null;
  const panes = tmux?.placeOfPanes(context, host) ?? null;
  if (tmux !== null && panes === "new session") return tmux.runInSession(context, { host, words, now: Date.now() });
  const openPanes = tmux !== null && panes === "here" ? tmux.openPanes : null;
  return runHere(context, { ...ready, onRun }, openPanes);
}

/** What a run needs to know before it begins. */
type Prepared = {
  /** The text of `ralph "TEXT"`; null for the project's prompt and plan. */
  task: string | null;
  resolved: ResolvedSettings;
  paths: ProjectPaths;
  host: Host;
  agent: AgentChoice;
  /** Who looks at finished work. */
  reviewers: readonly AgentChoice[];
  /** Whether the agent is asked for text while it is being written. */
  live: boolean;
};

/** @throws RalphError if settings, prompt, plan or driver cannot be used */
async function prepare(context: CommandContext<RunArgs>): Promise<Prepared> {
  const { args, env, projectDir } = context;
  const task = args.task ?? null;
  if (task?.trim() === "") throw new RalphError("usage", "The value of --task is empty.");
  const loaded = loadSettings(context);
  // Some agents refuse all permissions to a user with all rights, except where they are told that they are shut in.
  const isShutIn = loaded.settings.SANDBOX !== "none";
  const host = createHost(projectDir, isShutIn ? { ...env, IS_SANDBOX: "1" } : env);
  const resolved = task === null ? loaded : (await import("../run/task-start.ts")).taskSettings(context, loaded, host);
  const paths = projectPaths(projectDir, promptFileIn(resolved), args.mode ?? null);
  const lookup = driverLookup(resolved, host);
  if (!args["dry-run"]) await requireRunTrust(context, resolved, paths, lookup);
  const agent = await chooseAgent(lookup, context.self);
  const reviewers = await chooseReviewers(resolved, lookup, agent, context.self);
  if (task === null) {
    requirePrompt(paths, {
      mode: args.mode ?? null,
      stray: strayFlag(context),
      isNamed: promptFileIn(resolved) !== null,
      place: placeOf(resolved.sources.PROMPT_FILE),
    });
    const plan = paths.plan ?? noFileAsPlan(paths);
    if (plan !== null) requireText(plan, "The plan", READ_HINT);
  }
  // A terminal shows text while it is being written; anyone else asks for it.
  const live = args.live ?? (context.isTty.stdout && !args.json);
  return { task, resolved, paths, host, agent, reviewers, live };
}

/** All that would keep the run from starting, before a worktree is made for it. */
async function check(context: CommandContext<RunArgs>): Promise<Settings> {
  const { agent, resolved, host } = await prepare(context);
  await requireReady(agent, resolved.settings, host);
  return resolved.settings;
}

function warn({ args, log }: CommandContext<RunArgs>, { agent, reviewers, resolved }: Prepared): void {
  const { driver } = agent;
  for (const warning of [...resolved.warnings, ...driverWarnings(driver, resolved)]) log.warn(warningText(warning));
  if (args.live === true && driver.supportsLiveOutput === false)
    log.warn(`${driver.displayName} has no live output: its answer is shown when the call has ended.`);
  if (resolved.settings.REVIEW_ON_DONE > 0 && reviewers.length === 0)
    log.warn(`Nobody will look at the work (REVIEW_ON_DONE): ${driver.displayName} cannot be kept from writing.`);
}

function sandboxOptions({ resolved, paths, host, agent, reviewers }: Prepared): SandboxOptions {
  return { settings: resolved.settings, paths, host, agents: [agent, ...reviewers] };
}

/** Runs the loop in this process, with everything that surrounds it: view, title, panes, stops, notifications. */
async function runHere(
  context: CommandContext<RunArgs>,
  prepared: Prepared & Pick<Beginning, "onRun">,
  openPanes: typeof import("../run/tmux.ts").openPanes | null,
): Promise<number> {
  const { args } = context;
  const { task, resolved, paths, host, agent, reviewers, live } = prepared;
  const { settings } = resolved;
  const asDashboard = args.monitor && openPanes === null;
  if (task !== null && !args.json && !args.quiet && !asDashboard)
    await (await import("../run/task-start.ts")).showTaskStart(context, resolved, agent, task);
  const update = startUpdateCheck(context, settings.RALPH_UPDATE_CHECK);
  const view = openRunView({
    context,
    project: paths.project,
    ralphDir: paths.ralph,
    how: args.json ? "json" : asDashboard ? "dashboard" : "lines",
    verbose: settings.RALPH_VERBOSE,
    live: args.live ?? true,
    quiet: args.quiet,
    plan: () => planNow(paths, settings, task),
  });
  const title = createWindowTitle(context);
  const notifications = openNotifications({ context, settings, host });
  const opened: Opened = { sandbox: null, stopListening: null, closePanes: null, tooOld: null };
  const work = async (): Promise<number> => {
    if (settings.SANDBOX !== "none")
      opened.sandbox = await (await import("../../effects/sandbox/sandbox.ts")).openSandbox(sandboxOptions(prepared));
    const spec = runSpec(context, prepared, { view, title, notifications });
    const use = { kind: "work", task } as const;
    const world = createWorld({ paths, host, use, prices: readPrices(host), sandbox: opened.sandbox });
    const end = await withRun(world, spec, (run) => {
      const release = stopOnSignals(run.stops);
      notifications.onRun(run);
      const endVersionCheck = checkVersion(run, agent, host);
      opened.stopListening = () => {
        release();
        return unlessStopped(endVersionCheck());
      };
      // Only now: a run that another one keeps from beginning is none to go on with.
      rememberOwnWords(spec, context);
      view.onRun({ stops: run.stops, steer: run.control });
      // The card of a task says it already.
      if (task === null) sayUnproven(run, context);
      prepared.onRun(run);
      if (openPanes !== null)
        opened.closePanes = openPanes(context, { host, run: run.state().run, displayName: agent.driver.displayName });
      const called = (choice: AgentChoice) => ({ ...choice, onPartial: view.onPartial, live });
      return loop(run, called(agent), reviewers.map(called));
    }).finally(() => {
      // It may take seconds: whoever presses Ctrl+C meanwhile ends the waiting, and leaves no pane and no sandbox behind.
      opened.tooOld = opened.stopListening?.() ?? null;
    });
    await view.onEnd(end);
    return end.exit_code;
  };
  const tellTooOld = async () => {
    const warning = await opened.tooOld;
    if (warning !== null) context.log.warn(warning);
  };
  return withClosings(work, [
    view.close,
    title.close,
    () => opened.closePanes?.(),
    () => opened.sandbox?.close(),
    notifications.close,
    tellTooOld,
    update.report,
  ]);
}

/** What a run opens on its way: one that breaks off has opened only a part of it. */
type Opened = {
  sandbox: Sandbox | null;
  /** Lets go of the signals, and ends the version check. @returns the warning of an agent that is too old */
  stopListening: (() => Promise<string | null>) | null;
  closePanes: (() => Promise<void>) | null;
  /** That warning, once the run is over. */
  tooOld: Promise<string | null> | null;
};

function runSpec(
  context: CommandContext<RunArgs>,
  { task, resolved, paths, agent: { driver }, reviewers }: Prepared,
  { view, title, notifications }: { view: RunView; title: WindowTitle; notifications: Notifications },
) {
  const { args } = context;
  const { settings } = resolved;
  const { quiet } = args;
  return {
    driver,
    settings,
    version: VERSION,
    startedBy: task === null ? "cli" : "task",
    reviewer: reviewers[0]?.driver.displayName ?? null,
    task,
    words: runWords(resolved, { mode: args.mode ?? null, flags: context.settings }),
    subscribers: [
      ...(args.json ? [] : [title.reader]),
      view.reader,
      denialHelpReader({ driver, resolved, settingsFile: settingsFile(paths), quiet, say: view.say }),
      ...notifications.readers,
    ],
    recordIn: "new run",
    takesCommands: true,
  } as const satisfies RunSpec;
}

/** The settings file, or where it would be, relative to the project. */
function settingsFile({ project, settings, ralph }: ProjectPaths): string {
  return slashPath(project, settings ?? join(ralph, ".ralphrc"));
}

function planNow(paths: ProjectPaths, settings: Settings, task: string | null): ParsedPlan | null {
  return task === null
    ? parseProjectPlan(
        planIfReadable(() => readOptional(paths.plan)),
        settings,
      )
    : null;
}
