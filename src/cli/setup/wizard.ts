import type { Readable, Writable } from "node:stream";
import * as clack from "@clack/prompts";
import { RalphError } from "../../core/errors.ts";
import { resolveSettings } from "../../core/settings/resolve-settings.ts";
import { count } from "../../core/text/count.ts";
import { decideAnswers, type FoundAgent, type SetupDecision, type SetupFlags } from "../../setup/decide-answers.ts";
import { type Content, NO_CONTENT } from "../../setup/prepare.ts";
import { changesAnything, type FileAction } from "../../setup/scaffold.ts";
import { rightsAndBounds } from "../../view/live/start-card.ts";
import { style } from "../../view/text/style.ts";
import { plain, wrap } from "../../view/text/text.ts";
import type { CommandContext } from "../context.ts";
import type { SetupArgs } from "../definitions/setup.ts";
import { actionCounts, actionLines } from "./actions-text.ts";
import { findingsLines } from "./findings-text.ts";
import { findSetupFacts, inspectSite, type Site } from "./inspect-site.ts";
import { importedTasks, nextCommandFor, planSite, warnings } from "./plan-site.ts";
import { settingsWarning } from "./settings-warning.ts";
import type { TaskSource } from "./setup-flags.ts";
import { contentFrom } from "./task-content.ts";
import { beginsRepository, writeProject } from "./write-project.ts";

/** Input and output of the wizard: the terminal by default; tests pass their own. */
export type WizardIo = { input?: Readable; output?: Writable; signal?: AbortSignal };

export type WizardStart = {
  context: CommandContext<SetupArgs>;
  flags: SetupFlags;
  /** The folder to make, or null for this one. */
  name: string | null;
  /** The task source named by a flag; null to ask for it. */
  source: TaskSource | null;
};

/** What a clack prompt returns when the user cancels. */
type Cancelled = typeof clack.CANCEL_SYMBOL;

/** The exit code after the user cancels, the same as for any interrupted program. */
const CANCELLED_EXIT_CODE = 130;
/** The columns that clack's note takes of each line: its frame and padding. */
const FRAME = 8;

/**
 * Inspects, shows the findings, asks what is still open, shows every file, then writes. Nothing is touched before that,
 * so Ctrl+C at any question leaves the folder unchanged.
 * @returns the exit code
 */
export async function runWizard({ context, flags, name, source }: WizardStart, io: WizardIo = {}): Promise<number> {
  clack.intro("ralph setup", io);
  const site = inspectSite(context, name);
  const facts = await findSetupFacts(site, context.env);
  const { agents } = facts;
  // Read each time: the terminal may be resized while a question is open.
  const width = () => Math.min(context.columns, 100) - FRAME;
  clack.note(findingsLines(site, facts, width()).join("\n"), "What is here", { ...io, format: (line) => line });
  const decision = decideAnswers({ ...site, flags, agents, preferred: context.env.PLATFORM_DRIVER ?? null });
  const chosen = await ask(site, { context, flags, source, agents, decision }, io);
  if (chosen === null) return leave(io);
  const { answers, content, migrate } = chosen;
  const { force, shims } = context.args;
  const actions = planSite(site, { flags, content, answers, force, migrate, shims, self: context.self });
  const next = nextCommandFor(context, site, { actions, agents, answers });
  const { bold, dim } = style(context.color);
  const ending = `${bold(next.command)}  ${dim(next.why)}`;
  if (!changesAnything(actions)) {
    for (const note of settingsWarning(context, site.dir)) clack.log.warn(note, io);
    clack.outro(`Nothing to do here. Next: ${ending}`, io);
    return 0;
  }
  const rights = rightsLines(site, actions).flatMap((line) => wrap(line, width()));
  const about = "What a run may do, by .ralphrc";
  if (rights.length > 0) clack.note(rights.join("\n"), about, { ...io, format: (line) => line });
  if (!(await confirmActions(actions, { width: width(), color: context.color, begins: beginsRepository(site) }, io)))
    return leave(io);
  const notes = warnings(site, actions);
  await writeProject(site, actions, new Date());
  const tasks = importedTasks(actions, content);
  clack.log.success(`${actionCounts(actions)}${tasks === 0 ? "" : ` · ${count(tasks, "task")} in the plan`}`, io);
  for (const note of [...notes, ...settingsWarning(context, site.dir)]) clack.log.warn(note, io);
  clack.outro(`Next: ${ending}`, io);
  return 0;
}

/** What the new settings allow: the agent's rights, and the bounds of a run. Empty where no settings are written. */
function rightsLines(site: Site, actions: readonly FileAction[]): string[] {
  const made = actions.find((action) => "content" in action && action.path.endsWith(".ralphrc"));
  if (made === undefined || !("content" in made)) return [];
  const { settings } = resolveSettings({ flags: {}, env: {}, file: { path: made.path, text: made.content } });
  return rightsAndBounds({ settings, isGitRepository: site.git.isRepository || beginsRepository(site) }).map(
    ([label, text]) => `${label.padEnd(9)}${text}`,
  );
}

type WizardInput = Pick<WizardStart, "context" | "flags" | "source"> & {
  agents: readonly FoundAgent[];
  decision: SetupDecision;
};
type WizardAnswers = { answers: SetupDecision["answers"]; content: Content; migrate: boolean };

/** Asks what the flags leave open. Null if the user cancels. */
async function ask(
  site: Site,
  { context, flags, agents, decision, ...start }: WizardInput,
  io: WizardIo,
): Promise<WizardAnswers | null> {
  const answers = { ...decision.answers };
  if (decision.open.includes("driver")) {
    const driver = await askDriver(agents, io);
    if (clack.isCancel(driver)) return null;
    answers.driver = driver;
  }
  if (decision.open.includes("test_command")) {
    const message = "Which command runs the tests? It must pass before ralph believes in done. (Enter: none yet)";
    const command = await clack.text({ ...io, message, placeholder: "none yet" });
    if (clack.isCancel(command)) return null;
    answers.testCommand = (command ?? "").trim() === "" ? null : command.trim();
  }
  const source = start.source ?? (await askSource(site, io));
  if (clack.isCancel(source)) return null;
  let content = NO_CONTENT;
  try {
    if (source.from !== "none") content = await contentFrom(site, source.from, { label: flags.label, prd: source.prd });
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    clack.log.warn([error.message, error.hint].filter((line) => line !== null).join("\n"), io);
  }
  let migrate = context.args.migrate;
  if (!migrate && site.findings.layout.kind === "flat") {
    const message = "Ralph's files are at the root, the old layout. Move them into .ralph/? A backup is kept.";
    const move = await clack.confirm({ ...io, message, initialValue: true });
    if (clack.isCancel(move)) return null;
    migrate = move;
  }
  return { answers, content, migrate };
}

function askDriver(agents: readonly FoundAgent[], io: WizardIo): Promise<string | Cancelled> {
  const found = agents.filter(({ available }) => available);
  const others = agents.filter(({ available }) => !available);
  return clack.select({
    ...io,
    message: found.length === 0 ? "Which agent will you use? None is installed yet." : "Which agent will work here?",
    // clack shows a hint only at the selected option, so the label holds what tells the options apart.
    options: [
      ...found.map(({ name, displayName, version }) => ({
        value: name,
        label: `${displayName} ${version ?? ""}`.trim(),
      })),
      ...others.map(({ name, displayName }) => ({
        value: name,
        label: found.length === 0 ? displayName : `${displayName}, not installed`,
      })),
    ],
    showInstructions: false,
  });
}

const NO_SOURCE: TaskSource = { from: "none", prd: null };

/** Task sources are offered, never taken without a question (product.md "Setup"). */
async function askSource({ findings, isNew }: Site, io: WizardIo): Promise<TaskSource | Cancelled> {
  const offers: { label: string; source: TaskSource }[] = [
    ...findings.prds.slice(0, 5).map((prd) => ({ label: plain(prd), source: { from: "prd", prd } })),
    ...(findings.layout.bmad === null
      ? []
      : [{ label: `BMAD planning in ${plain(findings.layout.bmad)}`, source: { from: "bmad", prd: null } }]),
    ...(findings.layout.beads ? [{ label: "beads", source: { from: "beads", prd: null } }] : []),
    ...(findings.github === null
      ? []
      : [
          {
            label: `open issues of ${findings.github.owner}/${findings.github.repo}`,
            source: { from: "github", prd: null },
          },
        ]),
  ];
  if (offers.length === 0 || isNew) return NO_SOURCE;
  const chosen = await clack.select({
    ...io,
    message: "Take tasks from somewhere?",
    // What is there says what is to be done: without it the plan would be empty.
    options: [
      ...offers.map(({ label }, value) => ({ value, label })),
      { value: -1, label: "no, I write the plan myself" },
    ],
    showInstructions: false,
  });
  return clack.isCancel(chosen) ? chosen : (offers[chosen]?.source ?? NO_SOURCE);
}

/** Shows every file, and on demand one file's content, until the user decides. */
export async function confirmActions(
  actions: readonly FileAction[],
  { color, ...look }: { width: number; color: boolean; begins?: boolean },
  io: WizardIo,
): Promise<boolean> {
  const lines = actionLines(actions, { style: style(color), ...look });
  clack.note(lines.join("\n"), "What will be written", { ...io, format: (line) => line });
  const written = actions.filter((action) => "content" in action);
  for (;;) {
    const choice = await clack.select({
      ...io,
      message: `Write ${written.length === 1 ? "this file" : "these files"}?`,
      options: [
        { value: "write", label: "yes" },
        { value: "show", label: "look into one first" },
        { value: "leave", label: "no, leave everything as it is" },
      ],
      showInstructions: false,
    });
    if (choice !== "show") return choice === "write";
    if (!(await showOne(written, look.width, io))) return false;
  }
}

/** Shows one file. False if the user cancels. */
async function showOne(
  written: readonly { path: string; content: string }[],
  width: number,
  io: WizardIo,
): Promise<boolean> {
  const chosen = await clack.select({
    ...io,
    message: "Which one?",
    options: [...written.map(({ path }, value) => ({ value, label: plain(path) })), { value: -1, label: "back" }],
    maxItems: 8,
    showInstructions: false,
  });
  if (clack.isCancel(chosen)) return false;
  const file = written[chosen];
  if (file === undefined) return true;
  const lines = wrap(plain(file.content).trimEnd() || "(empty)", width);
  clack.note(lines.join("\n"), plain(file.path), { ...io, format: (line) => line });
  return true;
}

function leave(io: WizardIo): number {
  clack.cancel("Nothing was written.", io);
  return CANCELLED_EXIT_CODE;
}
