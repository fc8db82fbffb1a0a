import { existsSync } from "node:fs";
import { win32 } from "node:path";
import process from "node:process";
import type { EnvVars } from "../../core/env-vars.ts";
import { readRegularText } from "../files/regular-file.ts";

/** The disk access that a look-up on Windows needs. */
export type ShimFiles = { exists(path: string): boolean; read(path: string): string };

export type WindowsCommand = { argv: string[]; verbatim: boolean } | { refused: string };

const disk: ShimFiles = { exists: existsSync, read: readRegularText };

/** The command that starts `argv` on this machine: `argv` itself, except on Windows, whose command files are not programs. */
export function resolveCommand(
  argv: readonly string[],
  env: EnvVars,
  platform: NodeJS.Platform = process.platform,
  files = disk,
): WindowsCommand {
  return platform === "win32" ? windowsCommand(argv, env, files) : { argv: [...argv], verbatim: false };
}

/**
 * The command that starts `argv` on Windows. There npm installs a program as a `.cmd` file, which only cmd.exe can run, and
 * cmd.exe reads arguments as code. So this starts the program behind the shim; if the shim is unreadable, it escapes every
 * special character for cmd.exe.
 * @param env environment of the child; PATH and PATHEXT are found in any case
 */
function windowsCommand(argv: readonly string[], env: EnvVars, files = disk): WindowsCommand {
  const [program = "", ...args] = argv;
  const path = findProgram(program, env, files);
  // Windows would search a bare name first in the working folder, where an agent can write.
  if (path === null && !isPath(program)) return { refused: "it was not found" };
  if (path === null || !/\.(cmd|bat)$/i.test(path)) return { argv: [path ?? program, ...args], verbatim: false };
  const target = shimTarget(path, env, files);
  if (target !== null) return { argv: [...target, ...args], verbatim: false };
  if (args.some((arg) => /[\r\n]/.test(arg))) {
    return { refused: `${path} is a command file, and an argument with a line end can't be passed to one` };
  }
  const line = [escapeMeta(win32.normalize(path)), ...args.map((arg) => escapeMeta(escapeMeta(quote(arg))))].join(" ");
  return { argv: [variable(env, "COMSPEC") ?? "cmd.exe", "/d", "/s", "/c", `"${line}"`], verbatim: true };
}

/** The path of a program, looked up on PATH if necessary, with the extensions that cmd.exe tries; null if there is none. */
export function findProgram(program: string, env: EnvVars, files = disk): string | null {
  const allowed = (variable(env, "PATHEXT") ?? ".COM;.EXE;.BAT;.CMD").toLowerCase().split(";");
  const extensions = allowed.filter((ext) => [".com", ".exe", ".bat", ".cmd"].includes(ext));
  // A bare name never matches as is: npm puts an `x` for other shells beside `x.cmd`.
  const names = [...(win32.extname(program) === "" ? [] : [program]), ...extensions.map((ext) => program + ext)];
  const candidates = isPath(program)
    ? names
    : pathFolders(env).flatMap((folder) => names.map((name) => win32.join(folder, name)));
  return candidates.find((path) => files.exists(path)) ?? null;
}

function isPath(program: string): boolean {
  return /[\\/]/.test(program);
}

/** Splits PATH; a folder whose name contains `;` is quoted there. */
function pathFolders(env: EnvVars): string[] {
  const parts = (variable(env, "PATH") ?? "").match(/(?:"[^"]*"?|[^;"])+/g) ?? [];
  return parts.map((part) => part.replaceAll('"', "")).filter((folder) => folder !== "");
}

/** The program that an npm, pnpm or yarn shim runs: an executable, or a script with its node. */
function shimTarget(shim: string, env: EnvVars, files: ShimFiles): string[] | null {
  const found = [...files.read(shim).matchAll(/"%(?:~dp0|dp0%)\\([^"%]+?\.(?:exe|[cm]?js))"\s+%\*/gi)].at(-1)?.[1];
  if (found === undefined) return null;
  const folder = win32.dirname(shim);
  const target = win32.join(folder, found);
  if (!files.exists(target)) return null;
  if (/\.exe$/i.test(target)) return [target];
  const ownNode = win32.join(folder, "node.exe");
  const node = files.exists(ownNode) ? ownNode : findProgram("node", env, files);
  return node === null ? null : [node, target];
}

/** Quotes an argument for the C runtime of Windows: escapes quotes, doubles backslashes before them. */
function quote(arg: string): string {
  return `"${arg.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}

/** Escapes for one command line of cmd.exe. A shim passes its arguments to a second one, so they are escaped twice. */
function escapeMeta(text: string): string {
  return text.replace(/[()\][%!^"`<>&|;, *?]/g, "^$&");
}

function variable(env: EnvVars, name: string): string | undefined {
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}
