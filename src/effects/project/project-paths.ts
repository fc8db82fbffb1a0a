import { isUtf8 } from "node:buffer";
import { existsSync, lstatSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { codeOf, reasonOf, toUserError, UnfitFile, writeHint } from "../../core/system-error.ts";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { containsPath } from "../files/contains-path.ts";
import { isFolderAt } from "../files/path-kind.ts";
import { SHARED_FILE } from "../files/private.ts";
import { MAX_TEXT_BYTES, readRegular, readRegularText } from "../files/regular-file.ts";
import { statThere } from "../files/stat-there.ts";

/** Of a prompt or plan that cannot be read. */
export const READ_HINT = "See that it is a file that you may read.";

/** The folder of ralph's files in a project. */
export const RALPH_DIR = ".ralph";

/** The project files that the loop reads, as absolute paths; null if a file does not exist. */
export type ProjectPaths = {
  project: string;
  ralph: string;
  prompt: string;
  plan: string | null;
  agent: string | null;
  settings: string | null;
};

/**
 * The project folder with links resolved.
 * @throws RalphError `environment` if it is not a folder or not accessible
 */
export function canonicalProject(dir: string): string {
  const path = resolve(dir);
  try {
    if (!statSync(path).isDirectory())
      throw new RalphError("environment", `${path} is not a folder.`, { hint: "Name the project's folder with -C." });
    return realpathSync(path);
  } catch (cause) {
    if (cause instanceof RalphError) throw cause;
    const why = isAbsent(cause) ? "does not exist." : `cannot be accessed: ${reasonOf(cause)}`;
    const hint = isAbsent(cause) ? "Name an existing folder with -C." : "Name a folder with -C that you may read.";
    throw new RalphError("environment", `${path} ${why}`, { hint, cause });
  }
}

function isAbsent(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(codeOf(error));
}

/**
 * Checks that `.ralph` is a folder inside the project.
 * @throws RalphError `environment` if it is a file or leads outside (product.md "Links")
 */
export function checkRalphDir(project: string): string {
  const path = join(project, RALPH_DIR);
  const own = lstatSync(path, { throwIfNoEntry: false });
  // A folder that is no link lies where it stands.
  if (own?.isDirectory() === true) return path;
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined && own !== undefined) {
    throw new RalphError("environment", `${path} is a link that leads nowhere.`, {
      hint: "Replace it with a real folder.",
    });
  }
  if (stat === undefined) return path;
  if (!stat.isDirectory()) {
    throw new RalphError("environment", `${path} is a file, and ralph needs a folder of that name.`, {
      hint: `Move it away: mv ${RALPH_DIR} ${RALPH_DIR}.old`,
    });
  }
  const real = realpathSync(path);
  if (containsPath(real, project) || !containsPath(project, real)) {
    throw new RalphError("environment", `${path} is a link that leads outside the project, to ${real}.`, {
      hint: "Replace it with a real folder.",
    });
  }
  return path;
}

/**
 * Creates `.ralph` with a `.gitignore` that keeps run-time files out of the project's history; keeps an existing one.
 * @throws RalphError `environment` if the folder is not writable
 */
export function prepareRalphDir(ralph: string, ignored: string): void {
  const path = join(ralph, ".gitignore");
  try {
    mkdirSync(ralph, { recursive: true });
    if (!existsSync(path)) writeFileAtomic(path, ignored, SHARED_FILE);
  } catch (cause) {
    throw new RalphError("environment", `${ralph} cannot be written: ${reasonOf(cause)}`, {
      hint: writeHint(cause, "Make the folder writable for you, and run ralph again."),
      cause,
    });
  }
}

/** Whether a folder is a Ralph project: it has a prompt, `.ralph` with runs, or the old flat layout. */
export function isRalphProject(project: string): boolean {
  return (
    existsSync(join(project, RALPH_DIR, "PROMPT.md")) ||
    existsSync(join(project, RALPH_DIR, "runs")) ||
    existsSync(join(project, "PROMPT.md"))
  );
}

/**
 * The prompt, plan, agent and settings file of a project, in the layouts of all three originals.
 * @param promptFile as the user named it (relative to the project); null for the prompt of the mode or the default
 */
export function projectPaths(project: string, promptFile: string | null, mode: string | null): ProjectPaths {
  const ralph = join(project, RALPH_DIR);
  return {
    project,
    ralph,
    prompt: promptFile === null ? promptPath(project, mode) : resolve(project, promptFile),
    plan: firstFile(...planPlaces(project)),
    agent: firstFile(join(ralph, "@AGENT.md"), join(ralph, "AGENT.md"), join(project, "@AGENT.md")),
    settings: firstFile(join(ralph, ".ralphrc"), join(project, ".ralphrc")),
  };
}

function planPlaces(project: string): string[] {
  return [RALPH_DIR, "."].flatMap((folder) =>
    ["@fix_plan.md", "fix_plan.md"].map((name) => join(project, folder, name)),
  );
}

/** What stands in the place of the plan of a project without one: a folder, a pipe, a link that leads nowhere; null for nothing. */
export function noFileAsPlan({ project, plan }: Pick<ProjectPaths, "project" | "plan">): string | null {
  if (plan !== null) return null;
  return planPlaces(project).find((path) => statThere(path, lstatSync) !== null) ?? null;
}

function promptPath(project: string, mode: string | null): string {
  const ralph = join(project, RALPH_DIR);
  if (mode !== null) {
    const name = `PROMPT-${mode}.md`;
    return firstFile(join(project, name), join(ralph, name)) ?? join(ralph, name);
  }
  return firstFile(join(ralph, "PROMPT.md"), join(project, "PROMPT.md")) ?? join(ralph, "PROMPT.md");
}

/** Whether a project has the prompt of that mode. */
export function hasMode(project: string, mode: string): boolean {
  return isFile(promptPath(project, mode));
}

/**
 * Whether `path` is a file; also false if one of its parents is a file.
 * @throws the file system's error if that cannot be seen: a run without its plan would take other words for "done"
 */
export function isFile(path: string): boolean {
  return statThere(path)?.isFile() === true;
}

function firstFile(...paths: string[]): string | null {
  return paths.find(isFile) ?? null;
}

/**
 * The text of a required file.
 * @throws RalphError `environment` with `hint` if it is missing or unreadable
 */
export function readRequired(path: string, what: string, hint: string): string {
  return bytesRequired(path, what, hint).toString("utf8");
}

/**
 * The text of a required file that people write. Some shells write UTF-16: an agent could not read such a prompt, and such a
 * plan would have no boxes.
 * @throws RalphError `environment` if it is missing, unreadable or not UTF-8
 */
export function requireText(path: string, what: string, hint: string): string {
  const bytes = bytesRequired(path, what, hint);
  if (!isUtf8(bytes) || bytes.includes(0)) throw notUtf8(path, what);
  return bytes.toString("utf8");
}

function notUtf8(path: string, what: string): RalphError {
  return new RalphError("environment", `${what} ${path} is not UTF-8 text.`, { hint: "Save it as UTF-8." });
}

function bytesRequired(path: string, what: string, hint: string): Buffer {
  try {
    return readRegular(path, MAX_TEXT_BYTES);
  } catch (cause) {
    throw unreadable(path, what, hint, cause);
  }
}

/** The error to throw for a required file that is missing or unreadable. */
export function unreadable(path: string, what: string, hint: string, cause: unknown): RalphError {
  const own = cause instanceof UnfitFile ? toUserError(cause)?.hint : undefined;
  return new RalphError("environment", `${what} ${path} ${whyUnreadable(path, cause)}`, { hint: own ?? hint, cause });
}

function whyUnreadable(path: string, cause: unknown): string {
  if (codeOf(cause) === "ENOENT")
    return statThere(path, lstatSync) === null ? "is missing." : "is a link that leads nowhere.";
  // Checked first because platforms word this error differently; some call it a lack of permission.
  if (isFolderAt(path)) return "is a folder, not a file.";
  return `cannot be read: ${reasonOf(cause)}`;
}

/** The text of a file, or null if it is missing or unreadable right now. */
export function readOptional(path: string | null): string | null {
  if (path === null) return null;
  try {
    return readRegularText(path);
  } catch (cause) {
    return absent(cause);
  }
}

/** An agent may be writing or moving the file: absence is a value here. @throws RalphError for one that is too large */
function absent(cause: unknown): null {
  if (cause instanceof UnfitFile && cause.code === "ETOOLARGE") throw toUserError(cause) ?? cause;
  return null;
}

/** What no moment mends: who may read the file, and its disk. */
const LASTING: ReadonlySet<string> = new Set(["EACCES", "EIO"]);

/**
 * The plan's text during a run; null if it is missing, or unreadable right now.
 * @throws RalphError `environment` if it stays unreadable, or is no text any more: without its boxes the run would take other words for "done"
 */
export function readPlan(path: string | null): string | null {
  if (path === null) return null;
  let text: string;
  try {
    text = readRegularText(path);
  } catch (cause) {
    if (LASTING.has(codeOf(cause) ?? "")) throw unreadable(path, "The plan", READ_HINT, cause);
    return absent(cause);
  }
  // UTF-16, whose boxes nobody sees. In an encoding of single bytes they are there: that is no reason to end a run.
  if (text.includes("\0")) throw notUtf8(path, "The plan");
  return text;
}
