import { singleQuoted } from "../core/text/shell-words.ts";
import type { ProjectFiles } from "./detect/files.ts";
import type { FileAction } from "./scaffold.ts";

/** The originals' scripts in `.ralph/`, and the command that replaces each. */
const COMMANDS = { "ralph_loop.sh": [], "ralph_monitor.sh": ["monitor"], "ralph_import.sh": ["import"] } as const;

/** Identifies a shim. */
const MARK = "# Written by `ralph setup --shims`; `ralph setup --no-shims` takes it away. The old name calls ralph.";

/** Each set-up keeps replaced files in a folder below, named after its time. */
const BACKUPS = ".ralph/backups";

/**
 * The actions that replace the originals' scripts by calls of this program, or remove these and restore the scripts from
 * the backups.
 * @param self the command that starts this program
 */
export function planShims(wanted: boolean, files: ProjectFiles, self: readonly string[]): FileAction[] {
  return Object.entries(COMMANDS).flatMap(([name, command]): FileAction[] => {
    const path = `.ralph/${name}`;
    const content = shim(self, command);
    const text = files.read(path);
    const isShim = text?.includes(MARK) === true;
    if (wanted) {
      const action = { path, content, backup: false, why: "calls ralph", executable: true };
      if (!files.exists(path)) return [{ ...action, kind: "create" }];
      if (text === content) return [{ kind: "keep", path, why: "calls ralph" }];
      if (isShim) return [{ ...action, kind: "update" }];
      return [{ ...action, kind: "replace", backup: true, why: "calls ralph; --no-shims puts the old one back" }];
    }
    if (!isShim) return [];
    const backup = text !== content;
    const from = backupOf(path, files);
    if (from === null) return [{ kind: "remove", path, backup, why: "--no-shims" }];
    return [{ kind: "restore", path, from, backup, why: "as it was before --shims" }];
  });
}

/** The newest backup of a script, shims apart. */
function backupOf(path: string, files: ProjectFiles): string | null {
  const backups = files.list(BACKUPS).map(({ name }) => `${BACKUPS}/${name}/${path}`);
  return backups.findLast((backup) => files.exists(backup) && !files.read(backup)?.includes(MARK)) ?? null;
}

/** A script that runs ralph. On a machine without this program, as in a shared project, it runs the `ralph` of the PATH. */
function shim(self: readonly string[], command: readonly string[]): string {
  const words = (program: readonly string[]) => [...program, ...command].map(singleQuoted).join(" ");
  return `#!/bin/sh
${MARK}
if [ -x ${singleQuoted(self[0] ?? "")} ]; then exec ${words(self)} "$@"; fi
exec ${words(["ralph"])} "$@"
`;
}
