/** Owner and name of a repository. */
export type GithubRepository = { owner: string; repo: string };

const PART = /^[\w.-]{1,100}$/;

/** The GitHub repository that a remote's URL names; null for every other host. */
export function githubRepository(url: string | null): GithubRepository | null {
  const match =
    /^(?:https?:\/\/(?:[^@/\s]+@)?|ssh:\/\/(?:[^@/\s]+@)?|git:\/\/|[\w.-]+@)([\w.-]+)(?::\d+)?[/:]([^/\s]+)\/([^/\s]+?)(?:\.git)?\/?$/.exec(
      url ?? "",
    );
  const [, where, owner, repo] = match ?? [];
  if (where === undefined || owner === undefined || repo === undefined) return null;
  const isGithub = ["github.com", "ssh.github.com"].includes(where.toLowerCase());
  return isGithub && PART.test(owner) && PART.test(repo) && !/^\.+$/.test(repo) ? { owner, repo } : null;
}
