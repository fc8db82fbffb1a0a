import { fileDiff } from "../../core/diff/unified-diff.ts";
import { totalTokens } from "../../core/journal/usage.ts";
import { count } from "../../core/text/count.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import type { DocumentReport } from "../../setup/import/document-report.ts";
import type { SourceDocument } from "../../setup/import/formats/convert-document.ts";
import { distinct } from "../../setup/plan/merge.ts";
import { boxText, type Task } from "../../setup/plan/task.ts";
import type { Content } from "../../setup/prepare.ts";
import { sanitizeLine } from "../../setup/sanitize-text.ts";
import type { FileAction } from "../../setup/scaffold.ts";
import { SCAFFOLD_RECORD_FILE } from "../../setup/scaffold-record.ts";
import { completenessOf } from "../../setup/tasks/completeness.ts";
import type { Issue } from "../../setup/tasks/github-issue.ts";
import { paintedDiff } from "../../view/diff-lines.ts";
import { cost, duration, tokenCount } from "../../view/text/figures.ts";
import type { Style } from "../../view/text/style.ts";
import { fit, plain } from "../../view/text/text.ts";
import { actionCounts } from "../setup/actions-text.ts";
import type { Site } from "../setup/inspect-site.ts";
import type { NextCommand } from "../setup/next-command.ts";
import { questionsSentence } from "../setup/plan-site.ts";
import type { AgentReply } from "./ask-agent.ts";

/**
 * The changes of an import as one patch, for `--dry-run`. Call it before anything is written.
 * @param style for a person's eyes: coloured, and without ralph's record of hashes, which a patch needs
 */
export function patchLines(
  site: { files: Pick<Site["files"], "read"> },
  actions: readonly FileAction[],
  style: Style | null,
): string[] {
  return actions.flatMap((action) => {
    if (!("content" in action) || (style !== null && action.path === SCAFFOLD_RECORD_FILE)) return [];
    const before = action.kind === "create" ? null : (site.files.read(action.path) ?? "");
    const lines = fileDiff({ path: action.path, before, after: action.content });
    return style === null ? lines : paintedDiff({ lines }, style, true);
  });
}

export type ImportOutcome = {
  actions: readonly FileAction[];
  content: Content;
  /** Number of tasks that are new to the plan. */
  added: number;
  reply: AgentReply | null;
  /** What none of the agent's files holds: parts of the document, and whole files. */
  gaps: { missing: readonly string[]; lacks: readonly string[] };
  /** Ids of the document that no task names; only the specs hold them. */
  unplanned: readonly string[];
  /** Open boxes that the document no longer names. */
  left: readonly string[];
  /** Ticked boxes whose text has changed in the document since. */
  changedDone: readonly string[];
  /** Open boxes that keep the user's words, though the document has changed. */
  kept: readonly string[];
  edited: readonly { path: string; sections: readonly string[] }[];
  issue: Issue | null;
  /** A warning that rules read the document roughly; null if they read it well, or an agent did. */
  rough: string | null;
  /** What became of the document's sections; null for content that already is tasks. */
  sections: DocumentReport | null;
  dryRun: boolean;
  already: boolean;
  /** The project's folder, as shown to the user. */
  folder: string;
  next: NextCommand;
};

/** The document of `ralph import --json`. */
export function importResultJson(site: Site, outcome: ImportOutcome): Record<string, unknown> {
  const { actions, added, reply, gaps, unplanned, issue, sections, dryRun, already, next } = outcome;
  const paths = (...kinds: FileAction["kind"][]) =>
    actions.filter(({ kind }) => kinds.includes(kind)).map(({ path }) => path);
  return {
    success: reply === null || reply.failure === null,
    already,
    dry_run: dryRun,
    project_dir: site.dir,
    tasks_imported: added,
    files_created: paths("create"),
    files_changed: paths("update", "merge", "replace"),
    files_kept: paths("keep"),
    missing: gaps.missing,
    without_task: unplanned,
    sections:
      sections === null ? null : { tasks: sections.tasks, specs_only: sections.specsOnly, empty: sections.empty },
    open_questions: sections?.questions ?? [],
    agent:
      reply === null
        ? null
        : {
            driver: reply.driver,
            session_id: reply.sessionId,
            calls: reply.calls,
            run: reply.run,
            missing_files: gaps.lacks,
            refused_files: reply.answer.refused,
            unfinished_files: reply.answer.unfinished,
            error: reply.failure === null ? null : errorDocument(reply.failure),
          },
    completeness: issue === null ? null : completenessOf(issue.body),
    warnings: [...(outcome.rough === null ? [] : [outcome.rough]), ...complaints(outcome)],
    next: next.command,
  };
}

function errorDocument({ code, message, resetsAt }: NonNullable<AgentReply["failure"]>): Record<string, unknown> {
  return { code, message, ...(resetsAt === null ? {} : { resets_at: resetsAt }) };
}

/** The outcome in one sentence. */
export function outcomeSentence({ actions, content, added, already, dryRun, folder }: ImportOutcome): string {
  const all = distinct(content.tasks).length;
  if (all === 0 && !already) {
    const counts = `${actionCounts(actions)}.`;
    return `Found no task in it${dryRun ? `, and changed nothing. It would make ${counts}` : `: ${counts}`} Write what is to be done into the plan.`;
  }
  if (already)
    return all === 0 ? "Found no task in it: nothing to do." : `Nothing to do: the plan has ${tasksWord(all)} already.`;
  const known = all - added;
  const where = folder === "." ? "" : ` into ${folder}`;
  const tasks =
    known <= 0
      ? `${tasksWord(added)}${where}`
      : `${added === 0 ? "no new task" : count(added, "new task")}${where}, ${known} ${known === 1 ? "was" : "were"} there`;
  return dryRun
    ? `Nothing was changed. It would import ${tasks}: ${actionCounts(actions)}.`
    : `Imported ${tasks}: ${actionCounts(actions)}.`;
}

/** The warning before rules read a document roughly: why, and what does better. Null where they read it well. */
export function roughSentence({ name, rough }: SourceDocument): string | null {
  if (rough === undefined || rough === null) return null;
  const better = /\.pdf$/i.test(name) ? "the .md or .docx that it was made from, or an agent" : "an agent";
  return `Rules read ${name} roughly: ${rough}. Better: ${better} (\`ralph import\` without --no-agent).`;
}

/** What became tasks, what only the specs hold, what is empty, and the open questions: a line each. */
export function sectionLines(sections: DocumentReport | null): string[] {
  if (sections === null) return [];
  const { tasks, specsOnly, empty, questions } = sections;
  const list = (title: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${title}: ${named(names, "and")}.`];
  return [
    ...list(
      "Became tasks",
      tasks.map(({ name, tasks: number }) => `${name} (${number})`),
    ),
    ...list("In the specs only", specsOnly),
    ...list("Empty in the document", empty),
    ...(questions.length === 0
      ? []
      : [
          questionsSentence(questions.length),
          ...questions.slice(0, MOST_NAMES).map((question) => `  ? ${sanitizeLine(plain(question), 200)}`),
          ...(questions.length > MOST_NAMES ? [`  … ${questions.length - MOST_NAMES} more, in the specs`] : []),
        ]),
  ];
}

/** `1 task`, `12 tasks`. */
export function tasksWord(number: number): string {
  return count(number, "task");
}

const SHOWN_TASKS = 5;

/**
 * The first tasks: they show the user whether the document was understood.
 * @param width columns of a line
 */
export function firstTasks(tasks: readonly Task[], width: number): string[] {
  const shown = tasks.slice(0, tasks.length > SHOWN_TASKS + 1 ? SHOWN_TASKS : tasks.length);
  const more = tasks.length - shown.length;
  return [
    ...shown.map((task) => fit(`- ${singleLine(boxText(task))}`, width)),
    ...(more > 0 ? [`… ${more} more`] : []),
  ];
}

/** Number, time and cost of an agent's calls. */
export function callSentence({ calls, displayName, ms, usage }: AgentReply): string {
  return [
    `${count(calls, "call")} of ${displayName}`,
    duration(ms),
    totalTokens(usage) === 0 ? null : tokenCount(totalTokens(usage)),
    cost(usage),
  ]
    .filter((part) => part !== null)
    .join(" · ");
}

const MOST_NAMES = 12;

/** What the user should know: parts without a task, edits that stay, and gaps in the answer. */
export function complaints({
  reply,
  gaps,
  unplanned,
  left,
  changedDone,
  kept,
  edited,
}: Pick<ImportOutcome, "reply" | "gaps" | "unplanned" | "left" | "changedDone" | "kept" | "edited">): string[] {
  const verb = unplanned.length === 1 ? "has no task of its own, and stands" : "have no task of their own, and stand";
  const without = unplanned.length === 0 ? [] : [`${named(unplanned, "and")} ${verb} in the specs.`];
  return [
    ...(reply === null ? [] : answerComplaints(reply, gaps)),
    ...without,
    ...(left.length === 0
      ? []
      : [`In the plan, and no longer in the document: ${named(left, "and")}. Their boxes stay.`]),
    ...(changedDone.length === 0
      ? []
      : [`Ticked, but changed in the document since: ${named(changedDone, "and")}. Untick what has to be done again.`]),
    ...(kept.length === 0
      ? []
      : [`The document has changed ${named(kept, "and")}. The plan keeps the words written there.`]),
    ...edited.map(
      ({ path, sections }) =>
        `${path} was edited: it keeps its own words for ${named(sections, "and")}, not the document's.`,
    ),
  ];
}

function answerComplaints(reply: AgentReply, gaps: ImportOutcome["gaps"]): string[] {
  const { missing, lacks } = gaps;
  const { refused, files } = reply.answer;
  const failed =
    reply.failure === null
      ? []
      : [`Its last call failed (${reply.failure.code}): ${withoutStop(reply.failure.message)}.`];
  if (files.size === 0) {
    const said = reply.firstLine === "" ? "It said nothing." : `It said: ${plain(reply.firstLine)}`;
    return [...failed, `It gave no usable file: ralph made all of them by rules. ${said}`];
  }
  return [
    ...failed,
    ...(lacks.length === 0 ? [] : [`It gave no usable ${named(lacks, "or")}: ralph made it by rules.`]),
    ...(missing.length === 0
      ? []
      : [`It left out ${named(missing, "and")}: taken over from the document, word for word.`]),
    ...(refused.length === 0 ? [] : [`It named files that an import does not write: ${named(refused, "and")}.`]),
  ];
}

function named(names: readonly string[], last: string): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => withoutStop(plain(name)));
  const more = names.length - shown.length;
  const all = more > 0 ? [...shown, `${more} more`] : shown;
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} ${last} ${all.at(-1)}`;
}

/** Other people's words without their full stop, for a sentence of ours. */
export function withoutStop(words: string): string {
  return words.replace(/[.\s]+$/, "");
}
