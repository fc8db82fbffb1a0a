/** Owner and name of a repository. */
export type GithubRepository = { owner: string; repo: string };

const PART = /^[\w.-]{1,100}$/;

/**
 * The GitHub repository that a remote's URL names; null for every other host.
 * @param host of a GitHub Enterprise server; github.com if absent
 */
export function githubRepository(url: string | null, host = "github.com"): GithubRepository | null {
  const match =
    /^(?:https?:\/\/(?:[^@/\s]+@)?|ssh:\/\/(?:[^@/\s]+@)?|git:\/\/|[\w.-]+@)([\w.-]+)(?::\d+)?[/:]([^/\s]+)\/([^/\s]+?)(?:\.git)?\/?$/.exec(
      url ?? "",
    );
  const [, where, owner, repo] = match ?? [];
  if (where === undefined || owner === undefined || repo === undefined) return null;
  const isGithub = where.toLowerCase() === host || where.toLowerCase() === `ssh.${host}`;
  return isGithub && PART.test(owner) && PART.test(repo) && !/^\.+$/.test(repo) ? { owner, repo } : null;
}
