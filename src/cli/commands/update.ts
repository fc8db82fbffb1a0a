import { RalphError } from "../../core/errors.ts";
import { updateCommand } from "../../core/release/installation.ts";
import { compareToRunning, type Release, type Standing } from "../../core/release/release.ts";
import { fetchProgram, fetchRelease } from "../../effects/network/releases.ts";
import { replaceProgram } from "../../effects/network/replace-program.ts";
import { programFiles, programVersion } from "../../effects/process/program-files.ts";
import { isAlive } from "../../effects/process-tree/process-tree.ts";
import { plain } from "../../view/text/text.ts";
import type { CommandContext } from "../context.ts";
import type { UpdateArgs } from "../definitions/update.ts";
import type { Log } from "../log.ts";
import { howToUpdate, type UpdateFacts, updateFacts } from "../update/release-source.ts";

const ASK_MS = 20_000;

/**
 * `ralph update [--check]`: looks for a newer release, and replaces this program with it.
 * @throws RalphError `environment` if the release can't be downloaded, verified or put in place
 */
export async function run(context: CommandContext<UpdateArgs>): Promise<number> {
  const { args, env, self, stdout, log } = context;
  const facts = updateFacts(env, self);
  const release = await fetchRelease(sourceOf(facts), { timeoutMs: ASK_MS });
  const { version } = facts.build;
  const standing = compareToRunning(release.version, version);
  const installs = standing === "newer" && !args.check;
  if (installs) await install(facts, release, log);
  if (args.json) {
    const { date, notes } = release;
    const result = { current: version, latest: release.version, standing, installed: installs, date, notes };
    stdout(`${JSON.stringify({ ...result, how: standing === "newer" && !installs ? howToUpdate(facts) : null })}\n`);
  } else if (installs) stdout(`ralph ${release.version} is installed; it was ${version}.\n${notesOf(release)}`);
  else stdout(`${sentence(standing, release.version, version)}\n${standing === "newer" ? rest(facts, release) : ""}`);
  return 0;
}

async function install(facts: UpdateFacts, release: Release, log: Log): Promise<void> {
  const { build, program, keeper } = facts;
  if (program === null || build.target === null) {
    throw new RalphError("environment", "This ralph runs from its source or as a bundle, and can't replace itself.", {
      hint: `Get ${release.version} from ${howToUpdate(facts)}`,
    });
  }
  if (keeper !== "own") {
    throw new RalphError("environment", `${program} was installed by ${keeper}, which keeps it up to date.`, {
      hint: updateCommand(keeper),
    });
  }
  if (build.publicKey === null) {
    throw new RalphError(
      "environment",
      "This ralph was built without a key, and can't tell whether an update is genuine.",
      {
        hint: `Get ${release.version} from ${howToUpdate(facts)}`,
      },
    );
  }
  const { target, publicKey } = build;
  log.info(`downloading ralph ${release.version}`);
  const content = await fetchProgram(release, { source: sourceOf(facts), target, publicKey });
  replaceProgram({
    path: program,
    content,
    version: release.version,
    platform: process.platform,
    pid: process.pid,
    files: programFiles,
    ask: programVersion,
    isAlive: (pid) => isAlive(pid, null),
  });
}

function sourceOf({ source }: UpdateFacts): string {
  if (source !== null) return source;
  throw new RalphError("environment", "This ralph does not know where its releases are.", {
    hint: "Set RALPH_UPDATE_URL to the address of a folder that holds latest.json.",
  });
}

function sentence(standing: Standing, offered: string, running: string): string {
  switch (standing) {
    case "newer":
      return `ralph ${offered} is available; this is ${running}.`;
    case "same":
      return `ralph ${running} is the newest.`;
    case "older":
      return `The newest release is ${offered}, and this is ${running}: nothing to do.`;
    case "pre-release":
      return `ralph ${running} is the newest; ${offered} is a pre-release.`;
  }
}

const rest = (facts: UpdateFacts, release: Release) => `  Get it: ${howToUpdate(facts)}\n${notesOf(release)}`;

/** Notes come from the network and are not signed, so control characters are removed. */
function notesOf({ notes }: Release): string {
  const text = plain(notes).trim();
  return text === "" ? "" : `\n${text}\n`;
}
