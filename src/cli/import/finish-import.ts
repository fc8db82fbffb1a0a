import { jsonFile } from "../../core/state-files/file-json.ts";
import { STOP_REASONS } from "../../core/stop/stop-reasons.ts";
import { decideAnswers, type FoundAgent, type SetupFlags } from "../../setup/decide-answers.ts";
import { documentReport } from "../../setup/import/document-report.ts";
import { differingSections } from "../../setup/import/merge-spec.ts";
import { namedStack } from "../../setup/import/read/named-stack.ts";
import { idsWithoutTask } from "../../setup/import/read/requirement-names.ts";
import { distinct } from "../../setup/plan/merge.ts";
import { boxText } from "../../setup/plan/task.ts";
import type { Content } from "../../setup/prepare.ts";
import { inlineCode } from "../../setup/sanitize-text.ts";
import type { FileAction } from "../../setup/scaffold.ts";
import { changesAnything } from "../../setup/scaffold.ts";
import { completenessOf } from "../../setup/tasks/completeness.ts";
import { style } from "../../view/text/style.ts";
import { openAsker } from "../ask/ask.ts";
import { isGone } from "../ask/asker.ts";
import type { CommandContext } from "../context.ts";
import type { ImportArgs } from "../definitions/import.ts";
import { actionLines } from "../setup/actions-text.ts";
import type { Site } from "../setup/inspect-site.ts";
import { askLastPage } from "../setup/last-page.ts";
import { nextCommandFor, planSite } from "../setup/plan-site.ts";
import { readSetupFlags } from "../setup/setup-flags.ts";
import { beginsRepository, writeProject } from "../setup/write-project.ts";
import { failedAs } from "./agent-import.ts";
import type { AgentReply, ImportAgent } from "./ask-agent.ts";
import { answeredContent, convertedContent, findMissing } from "./document-content.ts";
import type { ImportSource } from "./find-content.ts";
import {
  callSentence,
  complaints,
  firstTasks,
  type ImportOutcome,
  importResultJson,
  outcomeSentence,
  patchLines,
  roughSentence,
  sectionLines,
  tasksWord,
} from "./import-report.ts";
import { enteringFolder, shownFolder } from "./import-target.ts";
import { planMerge } from "./plan-merge.ts";

type Context = CommandContext<ImportArgs>;

export type FinishInput = {
  site: Site;
  agents: readonly FoundAgent[];
  agent: ImportAgent | null;
  source: ImportSource;
  /** The agent's answer; null for an import by rules. */
  reply: AgentReply | null;
  /** The user is asked to confirm. */
  confirms: boolean;
};

/**
 * Plans an import's changes, shows them, asks for consent, writes them and reports the outcome.
 * @param signal withdraws the question
 * @returns `starts`: the words of the first run, if the user wants it to begin
 * @throws RalphError `environment` if it cannot be written
 */
export async function finishImport(
  context: Context,
  { site, agents, agent, source, reply, confirms }: FinishInput,
  signal?: AbortSignal,
): Promise<"left" | { exit: number; isWritten: boolean; starts: readonly string[] | null }> {
  const { args, projectDir } = context;
  const content = importedContent(source, reply, site);
  const flags = readSetupFlags(context, {}, null);
  const preferred = context.env.PLATFORM_DRIVER ?? null;
  const decided = decideAnswers({
    ...site,
    flags: agent === null ? flags : { PLATFORM_DRIVER: agent.driver, ...flags },
    agents,
    preferred,
  }).answers;
  const answers = { ...decided, stack: decided.stack || wantedStack(source) };
  const kept = { force: false, migrate: false, shims: undefined, self: context.self };
  const planned = (changes: SetupFlags) =>
    planSite(site, { flags: { ...flags, ...changes }, content, answers, ...kept });
  const actions = planned({});
  const already = !changesAnything(actions);
  // The document is read already: to import it is no next step.
  const findings = { ...site.findings, prds: [] };
  const next = nextCommandFor({ projectDir: site.dir }, { ...site, findings }, { actions, agents, answers });
  const plan = planMerge(actions, content.tasks, site.files);
  const outcome: ImportOutcome = {
    actions,
    content,
    added: plan === null ? distinct(content.tasks).length : plan.added.length,
    // The agent is asked only for missing parts, so a task that it leaves out proves nothing.
    left: plan === null || reply !== null ? [] : plan.left,
    changedDone: plan?.doneBefore.map(boxText) ?? [],
    kept: plan?.kept.map(boxText) ?? [],
    edited: editedSpecs(content, actions, site),
    reply,
    gaps:
      "document" in source && reply !== null ? findMissing(source.document, reply.answer) : { missing: [], lacks: [] },
    unplanned: "document" in source ? idsWithoutTask(source.document.text, content.tasks) : [],
    issue: "document" in source ? source.issue : null,
    rough: "document" in source && reply === null ? roughSentence(source.document) : null,
    sections: "document" in source ? documentReport(source.document.text, content.tasks) : null,
    already,
    dryRun: args["dry-run"],
    folder: shownFolder(projectDir, site.dir),
    next: { ...next, command: `${enteringFolder(projectDir, site.dir)}${next.command}` },
  };
  for (const line of "warnings" in source ? source.warnings : []) context.log.warn(line);
  const writes = !args["dry-run"] && !already;
  const asks = { context, site, agents, plan: planned, canStart: next.words !== null };
  const answer = writes && confirms ? await askToWrite(asks, outcome, signal) : { starts: false, changes: {} };
  if (isGone(answer)) return "left";
  if (writes) await writeProject(context, site, planned(answer.changes), content);
  if (confirms) await printOutcome(context, outcome);
  else report(context, site, outcome);
  const exit = reply === null || reply.failure === null ? 0 : STOP_REASONS[failedAs(reply.failure.code)].exit;
  return { exit, isWritten: writes, starts: answer.starts ? next.words : null };
}

/** The stack that a document names, for a project that has none yet. */
function wantedStack(source: ImportSource): string {
  const named = "document" in source ? namedStack(source.document.text) : null;
  return named === null || !("document" in source) ? "" : `${named} (as ${inlineCode(source.document.name)} wants it)`;
}

function importedContent(source: ImportSource, reply: AgentReply | null, site: Site): Content {
  if ("content" in source) return source.content;
  return reply === null
    ? convertedContent(site, source.document)
    : answeredContent(site, source.document, reply.answer);
}

/** The specs edited by the user, each with the sections whose words differ from the document's. */
function editedSpecs(content: Content, actions: readonly FileAction[], { files }: Site): ImportOutcome["edited"] {
  const theirs = new Set(actions.filter(({ kind }) => kind === "merge" || kind === "keep").map(({ path }) => path));
  return content.files.flatMap(({ path, content: fresh, merge }) => {
    const sections = merge === undefined || !theirs.has(path) ? [] : differingSections(files.read(path) ?? "", fresh);
    return sections.length === 0 ? [] : [{ path, sections }];
  });
}

async function askToWrite(
  page: Parameters<typeof askLastPage>[1] & { context: Context },
  outcome: ImportOutcome,
  signal: AbortSignal | undefined,
): ReturnType<typeof askLastPage> {
  const { context } = page;
  const asker = await openAsker(context.env, signal === undefined ? {} : { signal });
  const { reply, content } = outcome;
  const tasks = distinct(content.tasks);
  const summary = [`${tasksWord(tasks.length)} planned`, ...(reply === null ? [] : [callSentence(reply)])].join(" · ");
  const width = Math.min(context.columns, 100) - 6;
  if (tasks.length > 0) asker.say("success", [summary, ...firstTasks(tasks, width)].join("\n"));
  const became = sectionLines(outcome.sections);
  if (became.length > 0) asker.say("info", became.join("\n"));
  for (const line of complaints(outcome)) asker.say("warn", line);
  return askLastPage(asker, page);
}

/** Reports the outcome after the user has seen the files and agreed. */
async function printOutcome(context: Context, outcome: ImportOutcome): Promise<void> {
  const asker = await openAsker(context.env);
  const { bold, dim } = style(context.color);
  const { reply, issue, next } = outcome;
  if (issue !== null) asker.say("info", issueSentence(issue));
  asker.say("success", [outcomeSentence(outcome), ...sessionOf(reply)].join("\n"));
  asker.end(`Next: ${bold(next.command)}  ${dim(next.why)}`);
}

function report(context: Context, site: Site, outcome: ImportOutcome): void {
  const { args } = context;
  if (args.json) {
    context.stdout(jsonFile(importResultJson(site, outcome)));
    return;
  }
  const styles = style(context.color);
  const { actions, reply, issue, dryRun, next } = outcome;
  const begins = beginsRepository(site);
  const shown = dryRun
    ? // In a pipe it is a patch, byte for byte.
      [...patchLines(site, actions, context.isTty.stdout ? styles : null), ""]
    : args.quiet
      ? []
      : [...actionLines(actions, { style: styles, width: context.columns, begins }), ""];
  const lines = [
    ...shown,
    ...(issue === null ? [] : [issueSentence(issue)]),
    ...(reply === null ? [] : [[callSentence(reply), ...sessionOf(reply)].join(" · ")]),
    ...sectionLines(outcome.sections),
    ...complaints(outcome).map(styles.yellow),
    `${outcomeSentence(outcome)} Next: ${styles.bold(next.command)}`,
  ];
  context.stdout(`${lines.join("\n")}\n`);
}

function sessionOf(reply: AgentReply | null): string[] {
  return reply === null || reply.sessionId === null ? [] : [`session ${reply.sessionId}`];
}

function issueSentence({ number, body }: NonNullable<ImportOutcome["issue"]>): string {
  return `Issue #${number} says ${completenessOf(body).score} % of what an issue can.`;
}
