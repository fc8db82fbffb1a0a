import { RalphError } from "../../core/errors.ts";
import type { Task } from "../../setup/plan/task.ts";
import { NO_CONTENT } from "../../setup/prepare.ts";
import type { CommandContext } from "../context.ts";
import type { ImportArgs } from "../definitions/import.ts";
import { bmadContent } from "../setup/bmad-content.ts";
import { beadsTasks, githubTasks } from "../setup/gather-tasks.ts";
import type { Site } from "../setup/inspect-site.ts";
import { findSource, type ImportSource } from "./find-content.ts";

type Context = CommandContext<ImportArgs>;

/**
 * The source to import: the named one, else one of `--from` or of the project's task sources.
 * @throws RalphError if it is missing or cannot be read
 */
export async function findByFlags(context: Context, site: Site): Promise<ImportSource> {
  const { args, projectDir } = context;
  if (args.source !== undefined) return findSource(args.source, { from: projectDir, site, force: args.force });
  const sources =
    args.from === undefined ? (site.settings.TASK_SOURCES ?? "").split(",").map((word) => word.trim()) : [args.from];
  const ofTasks = (tasks: Task[]) => ({ content: { ...NO_CONTENT, tasks }, warnings: [] });
  const { GITHUB_TASK_LABEL, BEADS_FILTER } = site.settings;
  if (sources.includes("github")) {
    const tasks = await githubTasks(site, args.label ?? GITHUB_TASK_LABEL ?? null);
    if (tasks.length > 0) return ofTasks(tasks);
    throw new RalphError("environment", "No open issue fits.", { hint: "Name other labels, or an issue: '#12'." });
  }
  if (sources.includes("beads")) return ofTasks(beadsTasks(site, BEADS_FILTER ?? null));
  if (sources.includes("bmad")) return bmadContent(site, site.findings.layout.bmad, args.force);
  const [prd] = site.findings.prds;
  if (sources.includes("prd") && prd !== undefined) return findSource(prd, { from: site.dir, site, force: args.force });
  throw new RalphError("usage", "Import what?", {
    hint: "Name a file, a folder or an issue, or say --from prd, github, beads or bmad (TASK_SOURCES of .ralphrc).",
  });
}
