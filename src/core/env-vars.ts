/** The environment of a process. */
export type EnvVars = Readonly<Record<string, string | undefined>>;

/** An environment for a child process, without undefined variables. */
export function definedOnly(env: EnvVars): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** What git sets for its hooks, and reads before it looks where it is. */
const OF_A_REPOSITORY = new Set([
  ...["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"],
  ...["GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_PREFIX"],
]);

/** The same for what works in a folder: git takes the repository there, and none that the environment names. */
export function withoutRepository(env: EnvVars): Record<string, string> {
  return definedOnly(Object.fromEntries(Object.entries(env).filter(([name]) => !OF_A_REPOSITORY.has(name))));
}
