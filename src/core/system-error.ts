import { RalphError } from "./errors.ts";

const FREE = "Free some space and run ralph again; it goes on where it was.";
const OWNER = "Let this user read and write it, or run ralph as its owner.";
const FILES = "Raise the limit (ulimit -n 4096), or close the programs that hold them open.";

/** Refusals of the operating system that the user can fix. */
const SYSTEM_ERRORS = {
  ENOSPC: ["The disk is full", FREE],
  EDQUOT: ["The disk quota is used up", FREE],
  EACCES: ["Permission is denied", OWNER],
  EPERM: ["Permission is denied", OWNER],
  EROFS: ["The file system is read-only", "Work in a writable folder."],
  ENOTDIR: ["A file stands where a folder is needed", "Move it away."],
  EISDIR: ["A folder stands where a file is needed", "Move it away."],
  ELOOP: ["Symbolic links form a circle", "Remove one of them."],
  ENAMETOOLONG: ["A path is too long", "Work in a folder with a shorter path."],
  EMFILE: ["Too many files are open", FILES],
  ENFILE: ["Too many files are open", FILES],
  EBUSY: ["Another program has it open", "Close that program and try again."],
  ENOTREGULAR: ["No file stands where one is needed", "Move it away."],
  ETOOLARGE: ["A file is too large", "Move it away, or make it shorter."],
  EIO: ["The disk fails to read or write", "Check the disk and its connection."],
} as const satisfies Record<string, readonly [problem: string, hint: string]>;

/**
 * What stands at a path is not what ralph reads: it would wait for a pipe's other end, or fill the memory. The message says
 * why, without the path.
 */
export class UnfitFile extends Error {
  override readonly name = "UnfitFile";
  readonly code: "ENOTREGULAR" | "ETOOLARGE";
  readonly path: string;

  constructor(code: "ENOTREGULAR" | "ETOOLARGE", path: string, why: string) {
    super(why);
    this.code = code;
    this.path = path;
  }
}

/** The code of an error of the system, such as ENOENT; "" for any other. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** What an error says; anything may be thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Converts an error to one for the user: ralph's own, or a refusal of the system; null for an unexpected one. */
export function toUserError(error: unknown): RalphError | null {
  if (error instanceof RalphError) return error;
  const refused = findSystemError(error);
  if (refused === null) return null;
  const [problem, hint] = SYSTEM_ERRORS[refused.code];
  if (refused instanceof UnfitFile)
    return new RalphError("environment", `${refused.path} cannot be read: ${refused.message}.`, { hint, cause: error });
  return new RalphError("environment", `${problem}: ${refused.path ?? refused.message}`, { hint, cause: error });
}

/** Why something failed, for the end of a message: in words for what a user can mend, else as the system says it. */
export function reasonOf(error: unknown): string {
  const refused = findSystemError(error);
  if (refused === null && codeOf(error) === "ENOENT") return "there is no such file or folder (ENOENT)";
  if (refused === null || refused instanceof UnfitFile) return messageOf(error);
  const [problem] = SYSTEM_ERRORS[refused.code];
  return `${problem.charAt(0).toLowerCase()}${problem.slice(1)} (${refused.code})`;
}

/** What to do about a failed write; `otherwise` where the system's reason does not tell. */
export function writeHint(error: unknown, otherwise: string): string {
  const code = findSystemError(error)?.code;
  return code === "EROFS" || isDiskFull(error) ? SYSTEM_ERRORS[code ?? "ENOSPC"][1] : otherwise;
}

/** Whether an error or its cause is a write without room (file system full, or the user's quota). */
export function isDiskFull(error: unknown): boolean {
  const code = findSystemError(error)?.code;
  return code === "ENOSPC" || code === "EDQUOT";
}

type SystemError = Error & { code: keyof typeof SYSTEM_ERRORS; path?: string };

/** The first refusal among an error and its causes. */
function findSystemError(error: unknown): SystemError | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1)
    if ("code" in at && typeof at.code === "string" && Object.hasOwn(SYSTEM_ERRORS, at.code)) return at as SystemError;
  return null;
}
