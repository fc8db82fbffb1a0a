import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { type Content, NO_CONTENT } from "../../setup/prepare.ts";
import { convertedContent } from "../import/document-content.ts";
import { beadsTasks, githubTasks } from "./gather-tasks.ts";
import type { Site } from "./inspect-site.ts";
import { readDocument } from "./read-document.ts";

/**
 * The tasks, and what else a task source gives to a project.
 * @param from `beads`, `github`, `prd` or `bmad`
 * @throws RalphError if the source is missing or cannot be read
 */
export async function contentFrom(
  site: Site,
  from: string,
  { label, prd }: { label: string | null; prd: string | null },
): Promise<Content> {
  if (from === "beads") return { ...NO_CONTENT, tasks: beadsTasks(site, site.settings.BEADS_FILTER ?? null) };
  if (from === "github")
    return { ...NO_CONTENT, tasks: await githubTasks(site, label ?? site.settings.GITHUB_TASK_LABEL ?? null) };
  if (from === "bmad") return (await import("./bmad-content.ts")).bmadContent(site, site.findings.layout.bmad);
  const file = prd ?? site.findings.prds[0];
  if (file === undefined) {
    throw new RalphError("usage", "No document here looks like a PRD.", { hint: "Name it: --from prd --prd FILE" });
  }
  return convertedContent(site, await readDocument(join(site.dir, file), file));
}
