import { RalphError } from "../../core/errors.ts";
import { runWords } from "../../core/run-words.ts";
import { promptFileIn, type ResolvedSettings } from "../../core/settings/resolve-settings.ts";
import { typedWord } from "../../core/text/shell-words.ts";
import { openSwarmYard } from "../../effects/fleet/swarm-yard.ts";
import { createHost } from "../../effects/host.ts";
import { openLandYard } from "../../effects/land/land-yard.ts";
import { openProjectFiles } from "../../effects/project/open-project-files.ts";
import { checkRalphDir, projectPaths } from "../../effects/project/project-paths.ts";
import { createWorld } from "../../effects/world.ts";
import { requireLandGates } from "../../run/jobs/land.ts";
import { swarm } from "../../run/jobs/swarm.ts";
import { type RunSpec, withRun } from "../../run/run.ts";
import { findTaskLists } from "../../setup/tasks/find-lists.ts";
import { VERSION } from "../../version.ts";
import { chooseAgent, driverLookup } from "../agent/agent-choice.ts";
import { requireRunTrust } from "../agent/run-trust.ts";
import { wholeNumber } from "../args/whole-number.ts";
import type { CommandContext } from "../context.ts";
import type { SwarmArgs } from "../definitions/swarm.ts";
import { loadSettings } from "../load-settings.ts";
import { openNotifications } from "../run/notify-reader.ts";
import { requireReady } from "../run/require-ready.ts";
import { refuseAgents } from "../run/send-control.ts";
import { endWith, stopOnSignals, untilStopped } from "../run/signals.ts";
import { openSwarmView } from "../show/swarm-view.ts";

const USUAL_WORKERS = 3;
const MOST_WORKERS = 64;
const STAGGER_MS = 1000;
const LOOK_MS = 250;
/** Bounds and limits that the workers share: each gets its part, or what is left. */
const SHARED = /^--(?:max-iterations|max-cost|max-tokens|max-time|calls|on-limit)=/;

/**
 * `ralph swarm [N]`: several workers on the project's plan.
 * @returns the exit code of its end
 * @throws RalphError before anything is made, if it cannot begin
 */
export async function run(context: CommandContext<SwarmArgs>): Promise<number> {
  const { args, projectDir, env, log } = context;
  const ralph = checkRalphDir(projectDir);
  const count = args.workers === undefined ? USUAL_WORKERS : wholeNumber("N", args.workers);
  if (count > MOST_WORKERS)
    throw new RalphError("usage", `N must be a whole number from 1 to ${MOST_WORKERS}, not "${count}".`);
  if (refuseAgents(context, ralph) !== null)
    throw new RalphError("environment", "A run is live in this project.", { hint: "Stop it first: ralph stop" });
  const resolved = withFoundList(loadSettings(context), projectDir);
  const { settings } = resolved;
  const host = createHost(projectDir, env);
  const paths = projectPaths(projectDir, promptFileIn(resolved), null);
  const lookup = driverLookup(resolved, host);
  await requireRunTrust(context, resolved, paths, lookup);
  const agent = await chooseAgent(lookup, context.self);
  await requireReady(agent, settings, host);
  requireLandGates(settings, args, "ralph swarm");
  const stop = new AbortController();
  const place = { project: projectDir, env, onto: args.onto ?? null, hub: null, signal: stop.signal };
  const land = await openLandYard({ ...place, settings });
  const flags = runWords(resolved, { mode: null, flags: context.settings });
  const yard = await makeYard(context, count, settings, flags, stop);
  if (typeof yard === "number") return yard;
  log.info(
    `${count === 1 ? "One worker" : `${count} workers`} for ${yard.target}: ${yard.workers.map(({ name }) => name).join(", ")}`,
  );
  const view = openSwarmView(context, yard, settings.RALPH_VERBOSE);
  const notifications = openNotifications({ context, settings, host });
  let release = () => {};
  const spec = {
    driver: agent.driver,
    settings,
    version: VERSION,
    startedBy: "swarm",
    words: [
      ...(args.workers === undefined ? [] : [args.workers]),
      ...(args.onto === undefined ? [] : [`--onto=${args.onto}`]),
      ...(args.untested ? ["--untested"] : []),
      ...flags,
    ],
    subscribers: [view.reader, ...notifications.readers],
    recordIn: "new run",
    takesCommands: true,
  } satisfies RunSpec;
  try {
    const end = await withRun(createWorld({ paths, host, use: { kind: "read", files: [] } }), spec, (run) => {
      notifications.onRun(run);
      release = stopOnSignals(run.stops);
      endWith(stop, run.stops.killSignal);
      return swarm(run, { yard, land, untested: args.untested, staggerMs: STAGGER_MS, lookMs: LOOK_MS });
    });
    return end.exit_code;
  } finally {
    release();
    view.close();
    await notifications.close();
  }
}

/**
 * A project without a plan may have the list of another tool.
 * @throws RalphError `usage` if it has several
 */
function withFoundList(resolved: ResolvedSettings, project: string): ResolvedSettings {
  if (resolved.settings.TASKS_FILE !== null || projectPaths(project, null, null).plan !== null) return resolved;
  const [list, ...others] = findTaskLists(openProjectFiles(project));
  if (list === undefined) return resolved;
  if (others.length > 0)
    throw new RalphError("usage", `There is no plan, but several lists of tasks: ${[list, ...others].join(", ")}.`, {
      hint: `Name one: ralph swarm --tasks ${typedWord(list)}`,
    });
  return { ...resolved, settings: { ...resolved.settings, TASKS_FILE: list } };
}

/** @returns the exit code if a signal ended it meanwhile */
function makeYard(
  { projectDir, env, self, args, log }: CommandContext<SwarmArgs>,
  count: number,
  settings: Parameters<typeof openSwarmYard>[0]["settings"],
  flags: readonly string[],
  stop: AbortController,
) {
  return untilStopped((signal) => {
    endWith(stop, signal);
    return openSwarmYard({
      ...{ project: projectDir, env, settings, count, self, signal: stop.signal, say: log.info },
      onto: args.onto ?? null,
      flags: [
        ...flags.filter((flag) => !SHARED.test(flag) && !flag.startsWith("--tasks=")),
        ...(settings.TASKS_FILE === null ? [] : [`--tasks=${settings.TASKS_FILE}`]),
      ],
    });
  });
}
