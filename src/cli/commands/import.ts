import { basename, extname } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { isRalphProject } from "../../effects/project-files.ts";
import { decideAnswers } from "../../setup/decide.ts";
import { folderNameFrom } from "../../setup/folder-name.ts";
import { changesAnything } from "../../setup/scaffold.ts";
import { completenessOf } from "../../setup/tasks/completeness.ts";
import { style } from "../../view/style.ts";
import { canAsk } from "../ask.ts";
import type { CommandContext } from "../context.ts";
import type { IMPORT } from "../definitions.ts";
import { type Asked, readyAgent } from "../import/ask-agent.ts";
import { answeredContent, convertedContent, lacksOf } from "../import/document-content.ts";
import { type Found, findBeads, findIssues, findSource, saysEnough } from "../import/find-content.ts";
import { issueFilter, threshold } from "../import/import-flags.ts";
import { diffText, type ImportOutcome, importDocument } from "../import/report.ts";
import { actionCounts, actionLines } from "../setup/actions-text.ts";
import { bmadContent } from "../setup/bmad-content.ts";
import { findAgents, lookAtSite, type Site } from "../setup/look-around.ts";
import { nextFor, planSite } from "../setup/plan-site.ts";
import { givenByFlags, requireFolderName } from "../setup/setup-flags.ts";
import { writeProject } from "../setup/write-project.ts";

type Context = CommandContext<typeof IMPORT.args>;

const WENT_AWAY = 130;

/**
 * `ralph import FILE|FOLDER|ISSUE [NAME]`: turns what describes a project into its plan and specs, through the agent or by
 * rules alone; without FILE from the project's task sources. Outside a Ralph project it makes one.
 * @throws RalphError if the source or the agent cannot be used; nothing is written then
 */
export async function run(context: Context): Promise<number> {
  const { args } = context;
  const site = lookAtSite(context, siteName(context));
  const found = await find(context, site);
  if (found === null) return WENT_AWAY;
  const agents = await findAgents(site.host);
  const issue = "document" in found ? found.issue : null;
  const byAgent = "document" in found && (args.agent ?? !saysEnough(issue, threshold(args.threshold)));
  const ready = byAgent ? await readyAgent(context, site, found.document, agents) : null;
  if (ready !== null && asks(context) && !(await agreedToCall(ready.displayName, found))) return leave(context);

  const asked = ready === null ? null : await ready.ask();
  if (asked?.stopped === true) return leave(context);
  if (asked !== null && asked.failure !== null && asked.answer.files.size === 0) throw agentFailed(asked);
  const content = contentOf(found, asked, site);
  const gaps = "document" in found && asked !== null ? lacksOf(found.document, asked.answer).missing : [];
  const given = givenByFlags(context, {}, null);
  const { answers } = decideAnswers({
    ...site,
    given: { ...given, driver: given.driver ?? ready?.driver ?? null },
    agents,
    preferred: context.env.PLATFORM_DRIVER ?? null,
  });
  const actions = planSite(site, { given, content, answers, force: false, migrate: false });
  const already = !changesAnything(actions);
  const outcome: ImportOutcome = {
    actions,
    content,
    asked,
    gaps,
    issue,
    already,
    dryRun: args["dry-run"],
    next: nextFor(context, site, { actions, agents, answers }),
  };
  for (const line of "said" in found ? found.said : []) context.stderr(`${line}\n`);
  if (!args["dry-run"] && !already) {
    if (asks(context) && !(await agreedToWrite(context, outcome))) return leave(context);
    await writeProject(site, actions, new Date());
  }
  report(context, site, outcome);
  return asked !== null && asked.failure !== null ? 1 : 0;
}

/** The folder that is meant: the one named, this project, or a new one after the document; null is this folder. */
function siteName({ args, projectDir }: Context): string | null {
  if (args.folder !== undefined) return requireFolderName(args.folder);
  if (args.source === undefined || isRalphProject(projectDir)) return null;
  const stem = basename(args.source, extname(args.source));
  return /^#?\d+$|#\d+$/.test(args.source) || /^https?:/.test(args.source) ? null : folderNameFrom(stem);
}

async function find(context: Context, site: Site): Promise<Found | null> {
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
    return { content, said: complaints.map(({ code, text }) => `${code}: ${text}`) };
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
  if (!canAsk(context.isTty)) {
    throw new RalphError("usage", "--select interactive needs a terminal.", {
      hint: "Use --select first or --select priority.",
    });
  }
  const clack = await import("@clack/prompts");
  const chosen = await clack.select({
    message: "Which issue?",
    options: issues.map((issue, value) => ({
      value,
      label: `#${issue.number} ${issue.title}`.slice(0, 70),
      hint: `says ${completenessOf(issue.body).score} %`,
    })),
    maxItems: 12,
  });
  return clack.isCancel(chosen) ? null : (issues[chosen] ?? null);
}

function contentOf(found: Found, asked: Asked | null, site: Site) {
  if ("content" in found) return found.content;
  return asked === null ? convertedContent(site, found.document) : answeredContent(site, found.document, asked.answer);
}

function asks({ args, isTty }: Context): boolean {
  return canAsk(isTty) && !args.yes && !args.json && !args["dry-run"];
}

/** A call costs; the person at the keyboard says yes once. */
async function agreedToCall(agent: string, found: Found): Promise<boolean> {
  const clack = await import("@clack/prompts");
  const name = "document" in found ? found.document.name : "";
  clack.intro("ralph import");
  const answer = await clack.confirm({
    message: `Let ${agent} read ${name} and plan the work? It takes one call, two at most.`,
    initialValue: true,
  });
  return answer === true;
}

async function agreedToWrite(context: Context, { actions }: ImportOutcome): Promise<boolean> {
  const { agreed } = await import("../setup/wizard.ts");
  return agreed(actions, { width: Math.min(context.columns, 100) - 8, color: context.color }, {});
}

function agentFailed({ failure, run, sessionId }: Asked): RalphError {
  const session = sessionId === null ? "" : ` Its session is ${sessionId}.`;
  return new RalphError("internal", `The agent failed (${failure?.code}): ${failure?.message}.${session}`, {
    hint: `See what it did: ralph logs ${run}. Or import by rules alone: --no-agent`,
  });
}

function leave(context: Context): number {
  context.stderr("Nothing was written.\n");
  return WENT_AWAY;
}

function report(context: Context, site: Site, outcome: ImportOutcome): void {
  const { args } = context;
  if (args.json) {
    context.stdout(`${JSON.stringify(importDocument(site, outcome), null, 2)}\n`);
    return;
  }
  const styles = style(context.color);
  const { actions, asked, gaps, content, issue, already, dryRun, next } = outcome;
  const lines = dryRun
    ? [diffText(site, actions, styles).trimEnd(), ""]
    : args.quiet
      ? []
      : [...actionLines(actions, { style: styles, width: context.columns }), ""];
  if (issue !== null)
    lines.push(`Issue #${issue.number} says ${completenessOf(issue.body).score} % of what an issue can.`);
  if (asked !== null)
    lines.push(
      `${asked.calls} call${asked.calls === 1 ? "" : "s"} of ${asked.driver}${asked.sessionId === null ? "" : `, session ${asked.sessionId}`}.`,
    );
  if (asked !== null && asked.failure !== null)
    lines.push(styles.yellow(`Its last call failed (${asked.failure.code}): ${asked.failure.message}`));
  if (gaps.length > 0)
    lines.push(
      styles.yellow(
        `It left out ${gaps.slice(0, 12).join(", ")}${gaps.length > 12 ? ` and ${gaps.length - 12} more` : ""}: they are in the specs in the document's own words.`,
      ),
    );
  const tasks = `${content.tasks.length} task${content.tasks.length === 1 ? "" : "s"}`;
  const done = dryRun
    ? "Nothing was changed."
    : already
      ? "Nothing was to do."
      : `Imported ${tasks}: ${actionCounts(actions)}.`;
  context.stdout(`${[...lines, `${done} Next: ${styles.bold(next.command)}`].join("\n")}\n`);
}
