import { existsSync, readFileSync } from "node:fs";
import { win32 } from "node:path";
import process from "node:process";

/** What a look-up on Windows may ask of the disk. */
export type ShimFiles = { exists(path: string): boolean; read(path: string): string };

export type WindowsCommand = { argv: string[]; verbatim: boolean } | { refused: string };

const disk: ShimFiles = { exists: existsSync, read: (path) => readFileSync(path, "utf8") };

/** What to start for `argv` on this machine: as it is, but for Windows, whose command files are no programs. */
export function resolveCommand(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
  files = disk,
): WindowsCommand {
  return platform === "win32" ? windowsCommand(argv, env, files) : { argv: [...argv], verbatim: false };
}

/**
 * What to start on Windows for `argv`. A program installed by npm is a `.cmd` file there, which only cmd.exe can run, and
 * cmd.exe reads its arguments as code. So the program behind the shim is started itself; where it can't be seen, cmd.exe
 * gets every special character escaped.
 * @param env environment of the child: PATH and PATHEXT are looked up in it, whatever their case
 */
function windowsCommand(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  files = disk,
): WindowsCommand {
  const [program = "", ...args] = argv;
  const path = findProgram(program, env, files);
  // By its bare name it would be looked for in the working folder first, which an agent writes to.
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

/** A program's path, or its full path on PATH, with the endings that cmd.exe would try; null if there is none. */
export function findProgram(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
  files = disk,
): string | null {
  const known = (variable(env, "PATHEXT") ?? ".COM;.EXE;.BAT;.CMD").toLowerCase().split(";");
  const extensions = known.filter((ext) => [".com", ".exe", ".bat", ".cmd"].includes(ext));
  // A bare name is never taken as it is: beside `x.cmd` npm puts an `x` for other shells.
  const names = [...(win32.extname(program) === "" ? [] : [program]), ...extensions.map((ext) => program + ext)];
  const candidates = isPath(program)
    ? names
    : pathFolders(env).flatMap((folder) => names.map((name) => win32.join(folder, name)));
  return candidates.find((path) => files.exists(path)) ?? null;
}

function isPath(program: string): boolean {
  return /[\\/]/.test(program);
}

/** A folder with a `;` in its name stands in quotes there. */
function pathFolders(env: Readonly<Record<string, string | undefined>>): string[] {
  const parts = (variable(env, "PATH") ?? "").match(/(?:"[^"]*"?|[^;"])+/g) ?? [];
  return parts.map((part) => part.replaceAll('"', "")).filter((folder) => folder !== "");
}

/** The program that a shim of npm, pnpm or yarn runs: an executable, or a script and the node that runs it. */
function shimTarget(
  shim: string,
  env: Readonly<Record<string, string | undefined>>,
  files: ShimFiles,
): string[] | null {
  const found = [...files.read(shim).matchAll(/"%(?:~dp0|dp0%)\\([^"%]+?\.(?:exe|[cm]?js))"\s+%\*/gi)].at(-1)?.[1];
  if (found === undefined) return null;
  const folder = win32.dirname(shim);
  const target = win32.join(folder, found);
  if (!files.exists(target)) return null;
  if (/\.exe$/i.test(target)) return [target];
  const besides = win32.join(folder, "node.exe");
  const node = files.exists(besides) ? besides : findProgram("node", env, files);
  return node === null ? null : [node, target];
}

/** An argument as the C runtime of Windows reads it back: quotes escaped, backslashes doubled where they precede one. */
function quote(arg: string): string {
  return `"${arg.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}

/** Shims hand their arguments to a second command line: what cmd.exe reads as code is escaped once for each. */
function escapeMeta(text: string): string {
  return text.replace(/[()\][%!^"`<>&|;, *?]/g, "^$&");
}

function variable(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}
