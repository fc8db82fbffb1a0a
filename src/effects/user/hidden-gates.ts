import { accessSync, constants, existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { hiddenGateFile, requirementIn } from "../../core/gates/hidden-gate.ts";
import { reasonOf } from "../../core/system-error.ts";
import { singleQuoted } from "../../core/text/shell-words.ts";
import type { Host } from "../../driver.ts";
import { makePrivateFolder } from "../files/private.ts";
import { readRegularText } from "../files/regular-file.ts";
import { sha256Of } from "../files/sha256.ts";
import type { HiddenGate, HiddenGates } from "../ports.ts";
import { ownerOf } from "../worktrees/worktrees.ts";
import { containsFile } from "./driver-files.ts";
import { stateFolder, type User } from "./home.ts";

/** The hidden gates of a user, for one project. */
export function createHiddenGates(project: string, host: User): HiddenGates {
  return {
    // A worktree has those of the project that it belongs to, at the same places.
    open: (entries) => entries.map((entry) => openGate(entry, ownerOf(project), host)),
    outputFile(run, name) {
      const folder = join(hiddenOutputFolder(project, host), run);
      makePrivateFolder(folder);
      return join(folder, name);
    },
  };
}

/** Where the output of a project's hidden gates is kept: in the user's own folder, not in the project. */
export function hiddenOutputFolder(project: string, host: User): string {
  const id = sha256Of(project).slice(0, 16);
  return join(stateFolder(host), "hidden-gates", id);
}

/** The environment of everything that a run starts: what the agent finds there must not tell where its checks are. */
export function withoutHiddenGates(env: Readonly<Record<string, string>>): Record<string, string> {
  const { HIDDEN_GATES: _, ...rest } = env;
  return rest;
}

function openGate(entry: string, project: string, { platform, home }: Pick<Host, "platform" | "home">): HiddenGate {
  const place = (path: string) => resolve(project, path.replace(/^~(?=[\\/])/, home));
  // An entry that is a file needs no quotes.
  const whole = place(entry);
  const isFile = fileAt(whole);
  const named = isFile ? whole : hiddenGateFile(entry);
  const file = named === null ? null : place(named);
  if (file !== null && existsSync(file) && containsFile(project, file)) {
    throw new RalphError("environment", `The hidden gate ${file} lies inside the project, where the agent sees it.`, {
      hint: "Move it out of the project, and name its new place in HIDDEN_GATES.",
    });
  }
  if (file !== null && !fileAt(file)) {
    throw new RalphError("environment", `The hidden gate ${file} is not there.`, {
      hint: "See the paths in HIDDEN_GATES; relative ones begin at the project.",
    });
  }
  const requirement = file === null ? null : requirementIn(readHead(file));
  return { command: isFile ? commandFor(whole, platform) : entry, requirement };
}

/** Runs a file by itself if it is a program, else by the shell. */
function commandFor(file: string, platform: NodeJS.Platform): string {
  if (platform === "win32") return `"${file}"`;
  try {
    accessSync(file, constants.X_OK);
    return singleQuoted(file);
  } catch {
    return `sh ${singleQuoted(file)}`;
  }
}

function fileAt(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function readHead(file: string): string {
  try {
    return readRegularText(file);
  } catch (cause) {
    throw new RalphError("environment", `The hidden gate ${file} cannot be read: ${reasonOf(cause)}`, {
      hint: "Make it readable for you.",
      cause,
    });
  }
}
