import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { isTodoList } from "../../setup/detect/prd-candidates.ts";
import { goalText, tasksOfPlan } from "../../setup/import/agent-answer.ts";
import { type Content, NO_CONTENT } from "../../setup/prepare.ts";
import { sanitizeLine } from "../../setup/sanitize-text.ts";
import { convertedContent } from "../import/document-content.ts";
import { beadsTasks, githubTasks } from "./gather-tasks.ts";
import type { Site } from "./inspect-site.ts";
import { documentName, readDocument } from "./read-document.ts";
import type { TaskSource } from "./setup-flags.ts";

/** Longest title of a task, and most lines of details: the rest of the words stands in the goal. */
const TITLE_CHARS = 300;
const MOST_DETAILS = 20;

/**
 * The tasks, and what else a task source gives to a project.
 * @throws RalphError if the source is missing or cannot be read
 */
export async function contentFrom(site: Site, { from, what }: TaskSource, label: string | null): Promise<Content> {
  if (from === "none") return NO_CONTENT;
  if (from === "task") return wordsContent(what ?? "");
  if (from === "beads") return { ...NO_CONTENT, tasks: beadsTasks(site, site.settings.BEADS_FILTER ?? null) };
  if (from === "github")
    return { ...NO_CONTENT, tasks: await githubTasks(site, label ?? site.settings.GITHUB_TASK_LABEL ?? null) };
  if (from === "bmad") return (await import("./bmad-content.ts")).bmadContent(site, site.findings.layout.bmad).content;
  const file = what ?? site.findings.prds[0];
  if (file === undefined) {
    throw new RalphError("usage", "No document here looks like a PRD.", { hint: "Name it: --from FILE" });
  }
  const path = join(site.dir, file);
  const document = { ...(await readDocument(path, file)), name: documentName(site.dir, path) };
  const boxes = isTodoList(file) ? tasksOfPlan(document.text).filter(({ done }) => !done) : [];
  // The boxes of such a list are tasks already; one without boxes is a document like any other.
  return boxes.length > 0 ? { ...NO_CONTENT, tasks: boxes } : convertedContent(site, document);
}

/** What the user typed: the goal in the prompt, and the plan's first task. */
function wordsContent(text: string): Content {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const [title = "", ...details] = lines.map((line) =>
    sanitizeLine(line.replace(/^\s*(?:#+|[-*+](?=\s))\s*/, ""), TITLE_CHARS),
  );
  const boxes = tasksOfPlan(text).filter(({ done }) => !done);
  const task = { id: null, title, priority: "high", done: false, details: details.slice(0, MOST_DETAILS) } as const;
  return {
    ...NO_CONTENT,
    tasks: boxes.length > 0 ? boxes : [task],
    objective: `What is to be done:\n\n${goalText(text)}`,
  };
}
