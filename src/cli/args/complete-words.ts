import { join, resolve } from "node:path";
import type { EnvVars } from "../../core/env-vars.ts";
import { BUILT_IN_NAMES } from "../../driver-host/registry.ts";
import { listRuns } from "../../effects/journal/journal-read.ts";
import { listModes } from "../../effects/project/modes.ts";
import { RALPH_DIR } from "../../effects/project/project-paths.ts";
import { driversFolder, listFiles } from "../../effects/user/driver-files.ts";
import { configFolder, homeFolder } from "../../effects/user/home.ts";
import { complete, type Things } from "./complete.ts";
import { namedProject } from "./named-project.ts";

/** A name with one of these would become several offers, or commands to the terminal. */
const CONTROLS = /\p{Cc}/u;

/**
 * Answers the scripts of `ralph completions`: `__complete =CURRENT WORD...`. The `=` keeps an empty current word, which
 * old PowerShells would drop. Each line of the answer is an offer: value, tab, meaning. `:files` and `:folders` leave
 * the search to the shell.
 */
export function completeWords([current = "=", ...words]: readonly string[], cwd: string, env: EnvVars): string {
  try {
    const offers = complete(words, current.slice(1), thingsOf(words, cwd, env));
    if (offers.kind !== "words") return `:${offers.kind}`;
    const offered = offers.words.filter(({ value }) => !CONTROLS.test(value));
    return offered.map(({ value, says }) => `${value}\t${says}`).join("\n");
  } catch {
    return ""; // an error message in the middle of a command line would help nobody
  }
}

/** The folder that `-C` names, or this one. The shell has not expanded its `~` yet. */
function projectOf(words: readonly string[], cwd: string, home: string): string {
  return resolve(
    cwd,
    namedProject(words).replace(/^~(?=$|[\\/])/, () => home),
  );
}

function thingsOf(words: readonly string[], cwd: string, env: EnvVars): Things {
  const home = { platform: process.platform, env, home: homeFolder(env) };
  const project = projectOf(words, cwd, home.home);
  const ralph = join(project, RALPH_DIR);
  return {
    drivers: () => {
      const files = [ralph, configFolder(home)].flatMap((parent) => listFiles(driversFolder(parent)));
      const own = files.flatMap((file) => /^(.+)\.(?:ts|js|sh)$/.exec(file)?.[1] ?? []);
      return [...new Set([...BUILT_IN_NAMES, ...own])];
    },
    // Newest first: the likeliest one to be wanted.
    runs: () => listRuns(join(ralph, "runs")).reverse(),
    modes: () => listModes(project),
  };
}
