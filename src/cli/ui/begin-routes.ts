import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { fieldsOf, str } from "../../core/json-value.ts";
import { projectTitle } from "../../core/project-name.ts";
import type { Host } from "../../driver.ts";
import { BUILT_IN_DRIVERS, programOf } from "../../driver-host/registry.ts";
import { systemClock } from "../../effects/clock.ts";
import { createHost } from "../../effects/host.ts";
import { newestRun } from "../../effects/journal/journal-read.ts";
import { runReceipt } from "../../effects/journal/run-list.ts";
import { listModes } from "../../effects/project/modes.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import type { PartOfRoutes } from "../../effects/ui/server.ts";
import { type BeganLately, type BeginAgent, beginPage } from "../../view/ui/begin-page.ts";
import { canGoOn } from "../../view/ui/card-facts.ts";
import { driverLookup } from "../agent/agent-choice.ts";
import { agentModels } from "../agent/agent-models.ts";
import { driversHost } from "../agent/find-driver.ts";
import type { CommandContext } from "../context.ts";
import type { UiArgs } from "../definitions/ui.ts";
import { loadSettings } from "../load-settings.ts";
import { requireOwnWords } from "../run/own-words.ts";
import { liveRun } from "../run/send-control.ts";
import { outdated } from "./outdated.ts";
import { createProjectWatch, projectId, projectWithId } from "./projects.ts";
import { type RecentStart, recentStarts } from "./recent-starts.ts";

/** A run in the background that has not come up by then will not. */
const START_TIMEOUT_MS = 90_000;

const PREAMBLES_SHOWN = 20;

/** The fields of the form that are flags of `ralph run` by themselves. */
const FLAGS = ["preamble", "driver", "model", "max_iterations", "max_cost", "max_time"] as const;

/**
 * What the form asks that begins a run, below /api/begin.
 * @param projects the user's projects now, absolute
 */
export function beginRoutes(context: CommandContext<UiArgs>, projects: () => string[]): PartOfRoutes {
  const { env, self } = context;
  return {
    async read(path, query) {
      if (path === "/api/begin") {
        const starts = projects().flatMap((project) => startsIn(project) ?? []);
        const all = starts.map(({ project, recent, isLive, modes }) => ({
          id: projectId(project),
          title: projectTitle(project),
          path: project,
          is_live: isLive,
          modes,
          lastMode: recent[0]?.mode ?? null,
        }));
        return { html: beginPage(all, agents(driversHost(context)), lately(starts)) };
      }
      if (path !== "/api/begin/models") return null;
      const projectDir = projectWithId(projects(), query.get("project"));
      const resolved = loadSettings({ ...context, projectDir });
      const host = driversHost({ ...context, projectDir });
      const name = query.get("driver") ?? "";
      const lookup = driverLookup(resolved, host);
      // A name of the list is the user's own choice; the project's may have to be agreed to first.
      const found =
        name === ""
          ? await agentModels(resolved.settings.PLATFORM_DRIVER, lookup, self)
          : await agentModels(name, { ...lookup, personal: true, place: "" }, self);
      return { json: found };
    },
    async change(path, body) {
      if (path !== "/api/begin" && path !== "/api/begin/again") return null;
      const given = fieldsOf(body);
      const project = projectWithId(projects(), str(given.project));
      const words =
        path === "/api/begin"
          ? flagsOf(given, listModes(project))
          : wordsAgain({ ...context, projectDir: project }, str(given.run), given.wait === true);
      const runsDir = join(project, ".ralph", "runs");
      const newest = () => newestRun(runsDir);
      const before = newest();
      const argv = [...self, "-C", project, "run", "--detach", ...words];
      const { exit_code, stdout, stderr } = await createHost(project, env).run(argv, START_TIMEOUT_MS);
      const isHere = given.worktree !== true;
      const run = isHere && newest() !== before ? newest() : null;
      // Somebody else may have begun one meanwhile, which is why this one was refused.
      if (exit_code !== 0 && (run === null || endOf(runsDir, run) !== exit_code)) throw refusal(stderr);
      // A run may be over by the time that it would go on alone: it tells itself what became of it.
      const told = exit_code === 0 ? (stdout.split("\n")[0] ?? "") : "It began, and is over already.";
      return { json: { told, project: isHere ? projectId(project) : null, run } };
    },
  };
}

/** The exit code of a run that is over; null for one that is not, or cannot be read. */
function endOf(runsDir: string, run: string): number | null {
  try {
    return runReceipt(runsDir, run, false).exit_code;
  } catch {
    return null;
  }
}

/** What a run could begin with; null for a project that cannot be read, in which none can begin. */
function startsIn(project: string) {
  try {
    const isLive = liveRun(checkRalphDir(project)) !== null;
    return { project, recent: recentStarts(project), isLive, modes: listModes(project) };
  } catch {
    return null;
  }
}

function lately(starts: readonly { project: string; recent: readonly RecentStart[] }[]): BeganLately {
  const all = starts
    .flatMap(({ project, recent }) => recent.map((start) => ({ project, ...start })))
    .sort((a, b) => b.at.localeCompare(a.at));
  const preambles = new Set(all.map(({ preamble }) => preamble).filter((words) => words !== null));
  return {
    project: all[0] === undefined ? null : projectId(all[0].project),
    preambles: [...preambles].slice(0, PREAMBLES_SHOWN),
  };
}

function agents(host: Host): BeginAgent[] {
  return BUILT_IN_DRIVERS.map((driver) => {
    const { name, displayName } = driver;
    return { name, displayName, found: host.which(programOf(driver, host)) !== null };
  });
}

/**
 * The words after `ralph run`, whose own rules judge them. Each is one word, so that no text is taken for a flag.
 * @param modes those of the project
 */
function flagsOf(given: Record<string, unknown>, modes: readonly string[]): string[] {
  const written = FLAGS.flatMap((name) => {
    const value = (str(given[name]) ?? "").trim();
    return value === "" ? [] : [`--${name.replaceAll("_", "-")}=${value}`];
  });
  const task = (str(given.task) ?? "").trim();
  if (given.what === "task" && task === "") throw new RalphError("usage", "There are no words for what to do.");
  const mode = given.what === "mode" ? (str(given.mode) ?? "") : null;
  if (mode !== null && !modes.includes(mode)) throw outdated("usage", `This project has no PROMPT-${mode}.md.`);
  const name = (str(given.worktree_name) ?? "").trim();
  const worktree = name === "" ? "--worktree" : `--worktree=${name}`;
  return [
    ...(mode === null ? [] : [mode]),
    ...(given.what === "task" ? [`--task=${task}`] : []),
    ...written,
    ...(given.worktree === true ? [worktree] : []),
  ];
}

/**
 * The words of a run that ended, for one that goes on with it: it gets no wider rights than it had.
 * @param wait whether it is to wait a limit out that ended the other
 * @throws RalphError `environment` if it is no longer the newest, is none to go on with, or was given what the user did not give
 */
function wordsAgain(context: CommandContext<UiArgs>, run: string | null, wait: boolean): string[] {
  const { report } = createProjectWatch(context.projectDir)(systemClock.now());
  if (report === null || report.run !== run || !canGoOn(report))
    throw outdated("environment", "This run cannot be gone on with: it is done, or another one is newer.");
  requireOwnWords(report, context);
  const words = wait
    ? [...report.words.filter((word) => !word.startsWith("--on-limit=")), "--on-limit=wait"]
    : report.words;
  return [...(report.task === null ? [] : [`--task=${report.task}`]), ...words];
}

/** What a command said that refused: the sentence, and below it what to do. */
export function refusal(stderr: string): RalphError {
  const [sentence = "", ...rest] = stderr.trim().split("\n");
  const hint = rest.map((line) => line.trim()).join(" ");
  const message = sentence.replace(/^ralph: /, "");
  return new RalphError("environment", message === "" ? "It did not work, and did not say why." : message, {
    ...(hint === "" ? {} : { hint }),
  });
}
