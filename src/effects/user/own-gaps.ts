/** The commands of gaps that looks of this user's own runs named, in a file for each project: a line each. */
import { join } from "node:path";
import { makePrivateFolder } from "../files/private.ts";
import { appendLine, readRegularIfThere } from "../files/regular-file.ts";
import { sha256Of } from "../files/sha256.ts";
import type { OwnGaps } from "../ports.ts";
import { stateFolder, type User } from "./home.ts";

/** @param project absolute */
export function ownGaps(project: string, user: User): OwnGaps {
  const file = join(stateFolder(user), "gaps", sha256Of(project).slice(0, 16));
  // Not the words themselves: a command may hold a secret.
  const lineOf = (command: string) => sha256Of(JSON.stringify([project, command]));
  const named = new Set<string>();
  return {
    add(command) {
      named.add(command);
      try {
        makePrivateFolder(join(file, ".."));
        appendLine(file, `${lineOf(command)}\n`);
      } catch {
        // The next run goes without it: its own look may name the gap again.
      }
    },
    has(command) {
      if (named.has(command)) return true;
      try {
        return (readRegularIfThere(file)?.toString("utf8").split("\n") ?? []).includes(lineOf(command));
      } catch {
        return false;
      }
    },
  };
}
