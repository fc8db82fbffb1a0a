import { delimiter } from "node:path";

/** The variables that any program needs to run; the rest of the user's environment stays out. */
const kept = ["PATH", "TMPDIR", "TEMP", "TMP", "SystemRoot", "SystemDrive", "ComSpec", "PATHEXT", "windir"];

/**
 * The environment of all tests: the same on every machine, with an empty home and no user settings.
 * @param home an empty folder
 * @param path folders to put before the user's PATH
 */
export function cleanEnvironment(home: string, path: readonly string[] = []): Record<string, string> {
  const machine = kept.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(machine),
    PATH: [...path, process.env.PATH ?? ""].join(delimiter),
    HOME: home,
    USERPROFILE: home,
    APPDATA: home,
    LOCALAPPDATA: home,
    CI: "true",
    LC_ALL: "C.UTF-8",
    TZ: "UTC",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Test",
    GIT_AUTHOR_EMAIL: "test@example.invalid",
    GIT_COMMITTER_NAME: "Test",
    GIT_COMMITTER_EMAIL: "test@example.invalid",
  };
}
