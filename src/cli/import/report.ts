import { diffLines } from "../../setup/import/diff.ts";
import type { Content } from "../../setup/prepare.ts";
import type { FileAction } from "../../setup/scaffold.ts";
import { completenessOf } from "../../setup/tasks/completeness.ts";
import type { Issue } from "../../setup/tasks/github-issue.ts";
import type { Style } from "../../view/style.ts";
import { plain } from "../../view/text.ts";
import type { Site } from "../setup/look-around.ts";
import type { Asked } from "./ask-agent.ts";

/** The changes of an import as a diff, for `--dry-run`. */
export function diffText(site: Site, actions: readonly FileAction[], style: Style): string {
  return actions
    .flatMap((action) => {
      if (!("content" in action) || /\.gitkeep$|\.setup\.json$/.test(action.path)) return [];
      const before = action.kind === "create" ? "" : (site.files.read(action.path) ?? "");
      const head = [`--- ${action.kind === "create" ? "/dev/null" : action.path}`, `+++ ${action.path}`].map(
        style.bold,
      );
      return [...head, ...diffLines(before, action.content).map((line) => painted(plain(line), style)), ""];
    })
    .join("\n");
}

function painted(line: string, style: Style): string {
  if (line.startsWith("+")) return style.green(line);
  if (line.startsWith("-")) return style.red(line);
  return line.startsWith("@@") ? style.cyan(line) : line;
}

export type ImportOutcome = {
  actions: readonly FileAction[];
  content: Content;
  asked: Asked | null;
  /** Names of the document that no file holds in other than the document's own words. */
  gaps: readonly string[];
  issue: Issue | null;
  dryRun: boolean;
  already: boolean;
  next: { command: string };
};

/** The document of `ralph import --json`. */
export function importDocument(
  site: Site,
  { actions, content, asked, gaps, issue, dryRun, already, next }: ImportOutcome,
): Record<string, unknown> {
  const paths = (...kinds: FileAction["kind"][]) =>
    actions.filter(({ kind }) => kinds.includes(kind)).map(({ path }) => path);
  return {
    success: asked === null || asked.failure === null,
    already,
    dry_run: dryRun,
    project_dir: site.dir,
    tasks_imported: content.tasks.length,
    files_created: paths("create"),
    files_changed: paths("update", "merge", "replace"),
    files_kept: paths("keep"),
    missing: gaps,
    agent:
      asked === null
        ? null
        : {
            driver: asked.driver,
            session_id: asked.sessionId,
            calls: asked.calls,
            run: asked.run,
            refused_files: asked.answer.refused,
            unfinished_files: asked.answer.unfinished,
            error: asked.failure,
          },
    completeness: issue === null ? null : completenessOf(issue.body),
    next: next.command,
  };
}
