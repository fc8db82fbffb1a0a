import { type ResolvedSettings, resolveSettings } from "../../core/settings/resolve-settings.ts";
import type { FoundAgent, SetupFlags } from "../../setup/decide-answers.ts";
import type { FileAction } from "../../setup/scaffold.ts";
import { rightsAndBounds } from "../../view/live/start-card.ts";
import { style } from "../../view/text/style.ts";
import { hanging, plain, wrap } from "../../view/text/text.ts";
import { type Asker, BACK, type Choice, type Gone, isGone, LEFT } from "../ask/asker.ts";
import type { CommandContext } from "../context.ts";
import { actionLines } from "./actions-text.ts";
import type { Site } from "./inspect-site.ts";
import { askSettings, RIGHTS } from "./settings-screen.ts";
import { beginsRepository } from "./write-project.ts";

export type LastPage = {
  context: Pick<CommandContext, "columns" | "color">;
  site: Site;
  agents: readonly FoundAgent[];
  /** What will be written, with settings changed on this page. */
  plan(changes: SetupFlags): FileAction[];
  /** Whether there is work that a run can begin with. */
  canStart: boolean;
};

type Answer = "start" | "write" | "change" | "show" | "leave";

/** The columns that clack's note takes of each line: its frame and padding. */
const FRAME = 8;
const MOST_COLUMNS = 100;
const LABEL = 9;

/** Columns of a line in a note, now: the terminal may be resized while a question is open. */
export function noteColumns({ columns }: Pick<CommandContext, "columns">): number {
  return Math.min(columns, MOST_COLUMNS) - FRAME;
}

/**
 * The last question of set-up and import: shows rights, bounds and every file, and on demand one file's content, until the
 * user decides. To decline is to leave.
 */
export async function askLastPage(
  asker: Asker,
  { context, site, agents, plan, canStart }: LastPage,
): Promise<{ starts: boolean; changes: SetupFlags } | Gone> {
  const begins = beginsRepository(site);
  for (let changes: SetupFlags = {}; ; ) {
    const actions = plan(changes);
    const width = noteColumns(context);
    const resolved = newSettings(actions);
    if (resolved !== null)
      asker.note(
        "What a run may do, by .ralphrc",
        rightsLines(resolved, site.git.isRepository || begins).flatMap(([label, text]) =>
          hanging(label.padEnd(LABEL), text, width),
        ),
      );
    asker.note("What will be written", actionLines(actions, { style: style(context.color), width, begins }));
    const chosen = await choose(asker, actions, { canStart, canChange: resolved !== null, width });
    if (isGone(chosen)) return chosen;
    if (chosen !== "change" || resolved === null) return { starts: chosen === "start", changes };
    const changed = await askSettings(asker, { resolved, names: RIGHTS, agents });
    if (changed === LEFT) return LEFT;
    if (!isGone(changed)) changes = { ...changes, ...changed.changes };
  }
}

async function choose(
  asker: Asker,
  actions: readonly FileAction[],
  { canStart, canChange, width }: { canStart: boolean; canChange: boolean; width: number },
): Promise<"start" | "write" | "change" | Gone> {
  const written = actions.filter((action) => "content" in action);
  const files = written.length === 1 ? "this file" : "these files";
  const choices: readonly (Choice<Answer> | false)[] = [
    canStart && { value: "start", label: "yes: the first iteration begins" },
    { value: "write", label: canStart ? "write, and start later" : "yes" },
    canChange && { value: "change", label: "change what a run may do and spend" },
    { value: "show", label: "look into one first" },
    { value: "leave", label: "no, leave everything as it is" },
  ];
  for (;;) {
    const chosen = await asker.select(
      canStart ? `Write ${files} and start now?` : `Write ${files}?`,
      choices.filter((one) => one !== false),
    );
    if (chosen === "leave") return LEFT;
    if (chosen !== "show") return chosen;
    if ((await showOne(asker, written, width)) === LEFT) return LEFT;
  }
}

/** The settings that will be written; null where none are. */
function newSettings(actions: readonly FileAction[]): ResolvedSettings | null {
  const made = actions.find((action) => "content" in action && action.path.endsWith(".ralphrc"));
  if (made === undefined || !("content" in made)) return null;
  return resolveSettings({ flags: {}, env: {}, file: { path: made.path, text: made.content } });
}

/** What the new settings allow: the agent's rights, and the bounds of a run. */
function rightsLines({ settings }: ResolvedSettings, isGitRepository: boolean): (readonly [string, string])[] {
  const rows = rightsAndBounds({ settings, isGitRepository });
  return settings.MAX_COST_USD === null ? [...rows, ["cost", "no bound"]] : rows;
}

/** Shows one file. */
async function showOne(
  asker: Asker,
  written: readonly { path: string; content: string }[],
  width: number,
): Promise<Gone | undefined> {
  const chosen = await asker.select("Which one?", [
    ...written.map((file) => ({ value: file, label: plain(file.path) })),
    { value: null, label: "back" },
  ]);
  if (chosen === null || isGone(chosen)) return chosen ?? BACK;
  asker.note(plain(chosen.path), wrap(plain(chosen.content).trimEnd() || "(empty)", width));
  return undefined;
}
