import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import type { ResolvedSettings } from "../../core/settings/resolve-settings.ts";
import { type Claim, settingClaims } from "../../core/settings/setting-claims.ts";
import { settingNamed, settingSpec } from "../../core/settings/settings.ts";
import { visibleText } from "../../core/text/plain-text.ts";
import { splitShellWords } from "../../core/text/shell-words.ts";
import type { Host } from "../../driver.ts";
import { containsPath } from "../../effects/files/contains-path.ts";
import { realPath } from "../../effects/files/path-kind.ts";
import { sha256Of } from "../../effects/files/sha256.ts";
import { slashPath } from "../../effects/files/slash-path.ts";
import { createHost } from "../../effects/host.ts";
import { type ProjectPaths, RALPH_DIR } from "../../effects/project/project-paths.ts";
import { readSettingsFile } from "../../effects/project/read-settings.ts";
import { type Agreed, readAgreed, writeAgreed } from "../../effects/user/agreed.ts";
import { codeClosure } from "../../effects/user/code-closure.ts";
import { existingFile } from "../../effects/user/driver-files.ts";
import { readUserSettings } from "../../effects/user/user-settings.ts";
import { ownerOf } from "../../effects/worktrees/worktrees.ts";
import type { CommandContext } from "../context.ts";
import { loadSettings } from "../load-settings.ts";

/** Something that a project makes run or reach, and what identifies it by content. */
export type TrustItem = Claim & { digest: string };

/** An item beside what this user agreed to. */
export type JudgedItem = TrustItem & { state: "agreed" | "new" | "changed"; was: string | null };

/**
 * What the settings and the links of a project make run or reach, drivers apart (product.md "Trust"). Runs and asks nothing.
 * @param anyRun also what it would in a run that is started with `--sandbox`
 * @throws RalphError `config` for a settings file that cannot be read
 */
export function projectItems(
  resolved: ResolvedSettings,
  paths: ProjectPaths,
  { env }: Pick<Host, "env">,
  anyRun = false,
): TrustItem[] {
  const files = { file: readSettingsFile(paths.project), user: readUserSettings(env), env };
  // The set-up of a worktree was agreed to in its project, and runs no more.
  const isWorktree = ownerOf(paths.project) !== paths.project;
  const claims = settingClaims(resolved, files, anyRun).filter(({ key }) => !(isWorktree && key === "WORKTREE_SETUP"));
  return [...claims.map((claim) => settingItem(claim, resolved, paths.project)), ...linkItems(resolved, paths)];
}

/** A driver in the project, with all that it imports or sources. */
export function driverItem(path: string, project: string): TrustItem {
  const { files, digest } = codeClosure(path, project);
  const more = files.length === 1 ? "" : `, with ${files.length - 1} more ${files.length === 2 ? "file" : "files"}`;
  const shown = shownPath(path, project);
  return { key: `driver ${shown}`, value: `runs ${shown}${more}`, where: null, digest };
}

/** A command's own files in the project count by content; those of a check do not: the work itself changes them. */
function settingItem(claim: Claim, { settings }: ResolvedSettings, project: string): TrustItem {
  const name = settingNamed(claim.key);
  const command = name !== null && settingSpec(name).trust === "program" ? settings[name] : null;
  const files = (splitShellWords(String(command ?? "")) ?? []).flatMap((word) => {
    const file = existingFile(word, project);
    return file === null || !containsPath(project, file) ? [] : [codeClosure(file, project).digest];
  });
  return { ...claim, digest: sha256Of([claim.value, ...files].join("\n")) };
}

/** The files that ralph sends or writes, where they lie outside the project: by a link, or by PROMPT_FILE. */
function linkItems(
  { sources }: ResolvedSettings,
  { project, ralph, prompt, plan, agent, settings }: ProjectPaths,
): TrustItem[] {
  const isNamed = !["file", "default"].includes(sources.PROMPT_FILE.source);
  const places = [
    isNamed ? null : prompt,
    plan,
    agent,
    settings,
    join(ralph, "REVIEW_PROMPT.md"),
    join(ralph, "specs"),
    runsOf(ralph),
  ];
  return outsideItems(places, project);
}

function runsOf(ralph: string): string {
  return join(ralph, "runs");
}

function outsideItems(places: readonly (string | null)[], project: string): TrustItem[] {
  return places.flatMap((place) => {
    const real = place === null ? null : realPath(place);
    if (place === null || real === null || containsPath(project, real)) return [];
    const value = `leads outside the project, to ${real}`;
    return [{ key: shownPath(place, project), value, where: null, digest: sha256Of(value) }];
  });
}

function shownPath(path: string, project: string): string {
  return containsPath(project, path) ? slashPath(project, path) : path;
}

/** The items beside what this user agreed to for the project. */
export function judgeItems(items: readonly TrustItem[], host: Host): JudgedItem[] {
  const agreed = readAgreed(host.cwd, host);
  return items.map((item) => {
    const known = Object.hasOwn(agreed, item.key) ? agreed[item.key] : undefined;
    const state = known === undefined ? "new" : known.digest === item.digest ? "agreed" : "changed";
    return { ...item, state, was: known?.value ?? null };
  });
}

/** Those that this user has not agreed to as they are. */
export function openItems(items: readonly TrustItem[], host: Host): JudgedItem[] {
  return judgeItems(items, host).filter(({ state }) => state !== "agreed");
}

/** Remembers that this user agrees to these items; with another content ralph asks again. */
export function agreeTo(items: readonly TrustItem[], host: Host): void {
  const fresh: Agreed = Object.fromEntries(items.map(({ key, value, digest }) => [key, { value, digest }]));
  writeAgreed(host.cwd, { ...readAgreed(host.cwd, host), ...fresh }, host);
}

/**
 * Sees that the user agreed to what is about to run: asks once on a terminal, for what is new or has changed.
 * @param ask shows what is asked for; null if the user cannot be asked
 * @throws RalphError `environment` if the user refuses or cannot be asked
 */
export async function requireTrust(
  items: readonly TrustItem[],
  { host, ask }: { host: Host; ask: { show(text: string): void } | null },
): Promise<void> {
  const open = openItems(items, host);
  if (open.length === 0) return;
  if (ask === null) throw notAgreed(open);
  // Above the question, which is drawn again and again: a long list would not fit into it.
  ask.show(`${headOf(open)}\n${itemLines(open).join("\n")}\n`);
  const { confirm } = await import("../ask/ask.ts");
  if (!(await confirm("May this project do so?", true)))
    throw new RalphError("environment", "Nothing was run.", {
      hint: "Change it in the project, or overrule it by flags. To see it again: ralph trust",
    });
  agreeTo(open, host);
}

/** Refuses what the user has not agreed to, without asking: for commands that only look. */
export function requireAgreed(items: readonly TrustItem[], host: Host): void {
  const open = openItems(items, host);
  if (open.length > 0) throw notAgreed(open);
}

/**
 * Sees that the user agreed to where the project keeps its runs, for whoever records or deletes something there and runs nothing.
 * @throws RalphError `environment` if a link has it outside the project, and the user did not
 */
export function requireAgreedRuns(context: Pick<CommandContext, "projectDir" | "env">): void {
  requireAgreedPlace(context, runsOf(join(context.projectDir, RALPH_DIR)));
}

/**
 * Sees that the user agreed to where a file or folder of the project lies, for whoever writes it and runs nothing.
 * @throws RalphError `environment` if a link has it outside the project, and the user did not
 */
export function requireAgreedPlace(
  { projectDir, env }: Pick<CommandContext, "projectDir" | "env">,
  place: string,
): void {
  const items = outsideItems([place], projectDir);
  if (items.length === 0 || loadSettings({ settings: {}, env, projectDir }).settings.RALPH_TRUST) return;
  requireAgreed(items, createHost(projectDir, env));
}

function notAgreed(open: readonly JudgedItem[]): RalphError {
  return new RalphError("environment", `${headOf(open)}\n${itemLines(open).join("\n")}`, {
    hint: "Look at it, and agree with: ralph trust. Where nobody looks, as in CI: --trust, or RALPH_TRUST=true",
  });
}

function headOf(open: readonly JudgedItem[]): string {
  return open.every(({ state }) => state === "changed")
    ? "This changed in the project since you agreed to it:"
    : "This project makes ralph run or reach what you have not agreed to yet:";
}

/** The items, each with its value as it is, and with what it was. */
export function itemLines(items: readonly JudgedItem[]): string[] {
  const width = Math.max(...items.map(({ key }) => visibleText(key).length));
  return items.flatMap(({ key, value, where, state, was }) => {
    const place = where === null ? "" : `  (${visibleText(where)})`;
    const change = was === value ? "the same words, but its files changed" : `was: ${visibleText(was ?? "")}`;
    const before = state !== "changed" ? [] : [`  ${" ".repeat(width)}  ${change}`];
    return [`  ${visibleText(key).padEnd(width)}  ${visibleText(value)}${place}`, ...before];
  });
}
