import { existsSync, readdirSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import type { Host } from "../../driver.ts";
import { type RepositoryFacts, readRepositoryFacts } from "../../effects/git/facts.ts";
import { createHost } from "../../effects/host.ts";
import { openProjectFiles } from "../../effects/project/open-project-files.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import { hasUncommitted } from "../../effects/project/uncommitted.ts";
import { readUserSettings } from "../../effects/user/user-settings.ts";
import type { FoundAgent } from "../../setup/decide-answers.ts";
import type { ProjectFiles } from "../../setup/detect/files.ts";
import { detect, type Findings } from "../../setup/detect/findings.ts";
import { findAgents, ownCommand, readableSettings } from "../agent/find-agents.ts";
import type { CommandContext } from "../context.ts";
import { isImportRemnant } from "./import-remnant.ts";

/** A folder that is to become a Ralph project, in its present state. */
export type Site = {
  /** Absolute path; it need not exist. */
  dir: string;
  /** Name of the folder, for a project without a name of its own. */
  folder: string;
  /** A name was given, and nothing is there yet. */
  isNew: boolean;
  files: ProjectFiles;
  findings: Findings;
  git: RepositoryFacts;
  host: Host;
  /** The values in its settings file, by public name. */
  settings: Readonly<Record<string, string>>;
  /** The user's values for all projects, by public name. */
  defaults: Readonly<Record<string, string>>;
};

/**
 * Inspects a folder. Runs nothing in it, and follows no link out of it.
 * @param name a folder below, or null for this one
 */
export function inspectSite(context: Pick<CommandContext, "projectDir" | "env">, name: string | null): Site {
  const dir = name === null || name === "." ? context.projectDir : join(context.projectDir, name);
  const isThere = existsSync(dir);
  if (isThere) checkRalphDir(realpathSync(dir));
  const files = openProjectFiles(dir);
  const git = readRepositoryFacts(
    isThere ? realpathSync(dir) : context.projectDir,
    context.env,
    process.platform === "win32",
  );
  const findings = detect(files, git.remote);
  return {
    dir,
    folder: basename(dir),
    isNew: name !== null && (!isThere || holdsNothingBut(dir, [])),
    files,
    findings,
    git,
    host: createHost(isThere ? dir : context.projectDir, context.env),
    settings: readableSettings(findings.layout.settings === null ? null : files.read(findings.layout.settings)),
    defaults: readableSettings(readUserSettings(context.env)?.text ?? null),
  };
}

/** Whether a folder holds only the named entries, apart from a repository and the remains of a killed import. */
export function holdsNothingBut(dir: string, entries: readonly string[]): boolean {
  return readdirSync(dir).every(
    (entry) => entry === ".git" || entries.includes(entry) || (entry === ".ralph" && isImportRemnant(join(dir, entry))),
  );
}

/** Facts that take a moment to find. */
export type SetupFacts = { agents: readonly FoundAgent[]; uncommitted: boolean };

/** The agents of this machine, and whether the folder has uncommitted work. @param driver that a flag names */
export async function findSetupFacts(
  site: Site,
  env: CommandContext["env"],
  driver: string | undefined,
): Promise<SetupFacts> {
  const { dir, isNew } = site;
  const [agents, uncommitted] = await Promise.all([
    agentsAt(site, env, driver),
    isNew ? false : hasUncommitted(dir, env),
  ]);
  return { agents, uncommitted };
}

/** The agents of this machine, as runs in this folder would start them. */
export function agentsAt(
  { host, settings, defaults }: Site,
  env: CommandContext["env"],
  driver: string | undefined,
): Promise<FoundAgent[]> {
  return findAgents(host, ownCommand(env, driver ?? null, settings, defaults));
}
