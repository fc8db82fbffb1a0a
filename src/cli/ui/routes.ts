import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { fieldsOf, str } from "../../core/json-value.ts";
import { createHost } from "../../effects/host.ts";
import { JOURNAL_FILE, journalEvents, newestRun, runsFromNewest } from "../../effects/journal/journal-read.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import { readRunDiff } from "../../effects/project/run-diff.ts";
import type { Ask } from "../../effects/ui/apart.ts";
import type { PartOfRoutes, UiRoutes } from "../../effects/ui/server.ts";
import { listProjects } from "../../effects/user/project-list.ts";
import { diffPage } from "../../view/ui/diff-page.ts";
import type { CommandContext } from "../context.ts";
import type { UiArgs } from "../definitions/ui.ts";
import { act } from "./act.ts";
import { beginRoutes } from "./begin-routes.ts";
import { gateRoutes } from "./gate-routes.ts";
import { createHomeFeed } from "./home-feed.ts";
import { homeRoutes } from "./home-routes.ts";
import { outdated } from "./outdated.ts";
import { projectRoutes } from "./project-routes.ts";
import { projectWithId } from "./projects.ts";
import { createRunFeed, type RunFeed } from "./run-feed.ts";
import { search } from "./search.ts";
import { setupRoutes } from "./setup-routes.ts";
import { runThen } from "./then.ts";

/** What reads a whole journal. */
const LONG = new Set([
  ...["/api/search", "/api/then", "/api/report"],
  ...["/api/diff", "/api/home/diff", "/api/morning/diff"],
]);
/** An iteration with more in the journal takes a while, too. */
const LONG_BYTES = 4 << 20;

/**
 * What an admitted browser may ask, by path; changes only with `--control`.
 * @param ask what takes long is asked there, so that the server answers others meanwhile and stays small; null: it is answered here
 */
export function uiRoutes(context: CommandContext<UiArgs>, ask: Ask | null): UiRoutes {
  const { args, env } = context;
  const control = args.control === true;
  const projects = () => listProjects(createHost(context.projectDir, env));
  const home = createHomeFeed(projects, env.HOME);
  const parts: readonly Partial<PartOfRoutes>[] = [
    // Questions of the first two start programs of the agents.
    ...(control ? [beginRoutes(context, projects), setupRoutes(context, projects), gateRoutes(context, projects)] : []),
    projectRoutes(context, projects, control),
    homeRoutes(context, projects, control),
  ];
  const runIn = (query: ReadonlyMap<string, string>) => {
    const projectDir = projectWithId(projects(), query.get("project"));
    return { projectDir, run: runOf(projectDir, query.get("run") ?? "") };
  };
  const feeds = new Map<string, RunFeed>();
  /** The feed of a run that a page shows; one that nobody follows is not kept. */
  const feedOf = (query: ReadonlyMap<string, string>, isFollowed: boolean): RunFeed => {
    const { projectDir, run } = runIn(query);
    const key = JSON.stringify([projectDir, run]);
    const feed = feeds.get(key) ?? createRunFeed(projectDir, run, () => void feeds.delete(key));
    if (isFollowed) feeds.set(key, feed);
    return feed;
  };
  return {
    async read(path, query, isGone) {
      if (ask !== null && LONG.has(path)) return ask({ path, query: [...query], control }, isGone);
      if (path === "/api/transcript") {
        const number = numberIn(query, "iteration");
        const feed = feedOf(query, false);
        const { from, bytes } = feed.placeOf(number);
        if (ask !== null && bytes > LONG_BYTES)
          return ask({ path, query: [...query, ["from", String(from)]], control }, isGone);
        // Only the server knows where it begins, and says so to the process that it asks.
        const begins = ask === null ? Number(query.get("from")) : from;
        const after = query.has("after") ? numberIn(query, "after") : 0;
        const { html, seq } = feed.transcript(number, wholePaths(query), begins, after);
        return { html, headers: { "x-ralph-seq": String(seq) } };
      }
      if (path === "/api/search") {
        const words = (query.get("words") ?? "").trim();
        if (words === "") throw new RalphError("usage", "There is nothing to look for.");
        return { json: await search(await feedOf(query, false).transcripts(wholePaths(query)), words, isGone) };
      }
      if (path === "/api/then") {
        const { projectDir, run } = runIn(query);
        const at = query.has("at") ? numberIn(query, "at") : null;
        return { json: await runThen(projectDir, run, at, isGone) };
      }
      if (path === "/api/report") {
        const of = { ...runIn(query), env };
        const { reportHtml, runReport } = await import("../report/run-report.ts");
        return { pieces: reportHtml(await runReport(of), of) };
      }
      if (path === "/api/diff") {
        const { projectDir, run } = runIn(query);
        const runsDir = join(checkRalphDir(projectDir), "runs");
        const first = numberIn(query, "iteration");
        const last = query.has("last") ? numberIn(query, "last") : first;
        const what = first === last ? `iteration ${first}` : `iterations ${first} to ${last}`;
        const diff = await readRunDiff({
          run,
          events: journalEvents(join(runsDir, run, JOURNAL_FILE)),
          range: { first, last },
          isNewest: newestRun(runsDir) === run,
          projectDir,
          env,
        });
        if (diff === null) throw outdated("environment", `The run ${run} does not have ${what}.`);
        return { html: diffPage(diff, control, what.replace("i", "I")) };
      }
      for (const part of parts) {
        const answer = await part.read?.(path, query, isGone);
        if (answer) return answer;
      }
      return null;
    },
    async change(path, body) {
      if (!control)
        throw new RalphError("environment", "This page only shows: nothing can be changed from it.", {
          hint: "Start it with: ralph ui --control",
        });
      if (path === "/api/act")
        return { json: { told: await act(context, projectWithId(projects(), str(fieldsOf(body).project)), body) } };
      for (const part of parts) {
        const answer = await part.change?.(path, body);
        if (answer) return answer;
      }
      return null;
    },
    follow(path, query, after, stream) {
      if (path === "/api/follow/home") return home.join(stream);
      return path === "/api/follow/run" ? feedOf(query, true).join(stream, after) : null;
    },
  };
}

/** @throws RalphError `environment` if the project has no such run */
function runOf(project: string, run: string): string {
  if (runsFromNewest(join(checkRalphDir(project), "runs")).some((one) => one === run)) return run;
  throw new RalphError("environment", "This run is no longer there.", { hint: "Go back to all projects." });
}

/** Whether the page shows paths as they are. */
function wholePaths(query: ReadonlyMap<string, string>): boolean {
  return query.get("paths") === "whole";
}

function numberIn(query: ReadonlyMap<string, string>, name: string): number {
  const number = Number(query.get(name));
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new RalphError("usage", `${name} is no number.`);
}
