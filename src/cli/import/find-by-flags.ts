import { RalphError } from "../../core/errors.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { truncate } from "../../core/text/truncate.ts";
import { completenessOf } from "../../setup/tasks/completeness.ts";
import { openAsker } from "../ask/ask.ts";
import { isGone } from "../ask/asker.ts";
import type { CommandContext } from "../context.ts";
import type { ImportArgs } from "../definitions/import.ts";
import { bmadContent } from "../setup/bmad-content.ts";
import type { Site } from "../setup/inspect-site.ts";
import { canAsk } from "../terminal.ts";
import { findBeads, findIssues, findSource, type ImportSource } from "./find-content.ts";
import { issueFilter } from "./import-flags.ts";

type Context = CommandContext<ImportArgs>;

/** Characters shown of an issue's title. */
const LABEL_CHARS = 70;

/**
 * The source to import: the named one, else one of `--from` or of the project's task sources. Null if the user cancels.
 * @throws RalphError if it is missing or cannot be read
 */
export async function findByFlags(context: Context, site: Site): Promise<ImportSource | null> {
  const { args, projectDir } = context;
  if (args.source !== undefined) return findSource(args.source, { from: projectDir, site, force: args.force });
  const sources =
    args.from === undefined ? (site.settings.TASK_SOURCES ?? "").split(",").map((word) => word.trim()) : [args.from];
  if (sources.includes("github"))
    return findIssues(site, issueFilter(args, site.settings.GITHUB_TASK_LABEL ?? null), (issues) =>
      choose(context, issues),
    );
  if (sources.includes("beads")) return findBeads(site);
  if (sources.includes("bmad")) {
    const { complaints, ...content } = bmadContent(site, site.findings.layout.bmad, args.force);
    return { content, warnings: complaints.map(({ code, text }) => `${code}: ${text}`) };
  }
  const [prd] = site.findings.prds;
  if (sources.includes("prd") && prd !== undefined) return findSource(prd, { from: site.dir, site, force: args.force });
  throw new RalphError("usage", "Import what?", {
    hint: "Name a file, a folder or an issue, or say --from prd, github, beads or bmad (TASK_SOURCES of .ralphrc).",
  });
}

async function choose(context: Context, issues: Parameters<Parameters<typeof findIssues>[2]>[0]) {
  const how = context.args.select ?? "all";
  if (how === "all" || how === "first" || how === "priority") return how;
  if (!canAsk(context)) {
    throw new RalphError("usage", "--select interactive needs a terminal.", {
      hint: "Use --select first or --select priority.",
    });
  }
  const asker = await openAsker(context.env);
  const options = issues.map((issue) => {
    const label = truncate(singleLine(`#${issue.number} ${issue.title}`), LABEL_CHARS);
    return { value: issue, label: `${label} (says ${completenessOf(issue.body).score} %)` };
  });
  const chosen = await asker.select("Which issue?", options);
  return isGone(chosen) ? null : chosen;
}
