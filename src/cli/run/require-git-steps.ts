import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { isMainBranch, parsePush, pushToMainHint } from "../../core/publish/push-target.ts";
import { placeOf, type ResolvedSettings } from "../../core/settings/resolve-settings.ts";
import { firstNames } from "../../core/text/first-names.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { createPublisher } from "../../effects/git/publisher.ts";
import { discoverRepository } from "../../effects/git/repository.ts";
import { foldNewestRun } from "../../effects/journal/journal-fold.ts";
import type { Checkout, Publisher } from "../../effects/ports.ts";
import type { CommandContext } from "../context.ts";

/** Files in the warning about what is not committed. */
const MOST_NAMED = 3;

type Resolved = Pick<ResolvedSettings, "settings" | "sources">;

/**
 * Sees that the git steps of a run can be done at all, before it begins; the network is not asked.
 * @throws RalphError `environment` without git, a repository, a branch, or what a setting names
 */
export async function requireGitSteps(
  { projectDir, env, log }: Pick<CommandContext, "projectDir" | "env" | "log">,
  resolved: Resolved,
  ralphDir: string,
): Promise<void> {
  const publisher = createPublisher(projectDir, env);
  const found = await publisher.checkout();
  if ("failed" in found)
    throw new RalphError("environment", `The git steps (--commit, --push …) cannot be done here: ${found.failed}`, {
      hint: `${discoverRepository(projectDir) === null ? "Make a repository with: git init" : "Mend that"}, or run without them.`,
    });
  const { branch, busy } = found.value;
  if (busy !== null && (await isOurRebase(publisher, join(ralphDir, "runs"), projectDir))) return;
  if (busy !== null)
    throw new RalphError("environment", `A git ${busy} is under way in the repository. ralph leaves it alone.`, {
      hint: `Finish it, or leave it with: git ${busy} --abort`,
    });
  if (branch === null)
    throw new RalphError("environment", "HEAD is detached: the git steps work on a branch.", {
      hint: "Begin one with: git switch -c NAME",
    });
  await requireBase(publisher, resolved, branch);
  await requireRemote(publisher, resolved, branch);
  if (resolved.settings.COMMIT) await tellUncommitted(publisher, log);
}

/** A file that nobody meant to commit, such as one with a secret, is seen before it is pushed. */
async function tellUncommitted(publisher: Publisher, log: CommandContext["log"]): Promise<void> {
  const found = await publisher.uncommitted();
  const isOwn = (path: string) => /(?:^|\/)\.ralph\//.test(path);
  const paths = "value" in found ? found.value.sort((a, b) => Number(isOwn(a)) - Number(isOwn(b))) : [];
  if (paths.length === 0) return;
  const named = firstNames(paths.map(singleLine), MOST_NAMED);
  log.warn(`What is changed or new and not committed now goes into the first commit of the run (--commit): ${named}.`);
}

/** The run gives it up when it begins. */
async function isOurRebase(publisher: Publisher, runsDir: string, project: string): Promise<boolean> {
  const ours = foldNewestRun(runsDir, project)?.state.publish.rebase ?? null;
  return ours !== null && (await publisher.rebasedFrom()) === ours.from;
}

async function requireBase(
  publisher: Publisher,
  { settings: { REBASE_ON }, sources }: Resolved,
  branch: NonNullable<Checkout["branch"]>,
): Promise<void> {
  if (REBASE_ON === null) return;
  const place = placeOf(sources.REBASE_ON);
  const base = await publisher.base(REBASE_ON);
  const known = "value" in base ? base.value : null;
  if (known === null || (known.remote === null && known.commit === null))
    throw new RalphError("environment", `${place}There is no branch ${REBASE_ON} to rebase on (REBASE_ON).`, {
      hint: "See what there is with: git branch --all",
    });
  if (known.remote === null && REBASE_ON.replace(/^(?:refs\/)?heads\//, "") === branch)
    throw new RalphError("environment", `${place}${branch} cannot be rebased on itself (REBASE_ON).`, {
      hint: `Work on a branch of its own: git switch -c NAME`,
    });
}

async function requireRemote(
  publisher: Publisher,
  { settings: { PUSH }, sources }: Resolved,
  branch: NonNullable<Checkout["branch"]>,
): Promise<void> {
  const target = PUSH === null ? null : parsePush(PUSH);
  if (target === null) return;
  const place = placeOf(sources.PUSH);
  const remotes = await publisher.remotes();
  const name = target.remote ?? (await publisher.remoteOf(branch));
  const remote = remotes.find((one) => one.name === name);
  if (remote === undefined)
    throw new RalphError(
      "environment",
      `${place}There is no remote ${name === null ? "" : `${name} `}to push to (PUSH).`,
      { hint: "See what there is with: git remote --verbose" },
    );
  if (target.branch === null && isMainBranch(branch, remote.main))
    throw new RalphError(
      "environment",
      `${place}${branch} is the main branch: ralph pushes to it only when told to (PUSH).`,
      {
        hint: pushToMainHint(remote.name, branch),
      },
    );
}
