/** The environment of a process. */
export type EnvVars = Readonly<Record<string, string | undefined>>;

/** An environment for a child process, without undefined variables. */
export function definedOnly(env: EnvVars): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
