import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The paths of the Windows libraries and programs in Debian's wine64 and libwine. */
const LIBRARIES = "/usr/lib/x86_64-linux-gnu/wine/x86_64-windows";
const POWERSHELL = String.raw`C:\windows\system32\WindowsPowerShell\v1.0\powershell.exe`;
const COMPILER = "x86_64-w64-mingw32-gcc";

/** Variables that Windows sets for every program; a Wine prefix lacks the search path. */
const REGISTRY = String.raw`WINE REGISTRY Version 2

#arch=win64

[System\\CurrentControlSet\\Control\\Session Manager\\Environment]
"ComSpec"="C:\\windows\\system32\\cmd.exe"
"Path"="C:\\bin;C:\\windows\\system32;C:\\windows\\system32\\WindowsPowerShell\\v1.0"
"PATHEXT"=".COM;.EXE;.BAT;.CMD"
"TEMP"="C:\\windows\\temp"
"TMP"="C:\\windows\\temp"
`;

/** A Windows system on Wine. */
export type Wine = {
  env: Record<string, string>;
  /** The folder that is its drive C. */
  driveC: string;
  /** The Windows pids of a program that runs there. */
  pids(program: string): Promise<number[]>;
  /** Ends all processes there. */
  end(): void;
};

/**
 * Whether Wine and a compiler for its missing libraries are here and work; in a container Wine may not be allowed to
 * run.
 */
export function canPlayWindows(prefix: string): boolean {
  if (["wine", "wineserver", COMPILER].some((program) => Bun.which(program) === null) || !existsSync(LIBRARIES))
    return false;
  const { env, end } = playWindows(prefix);
  const probe = Bun.spawnSync(["wine", POWERSHELL], { env: { ...process.env, ...env }, timeout: 20_000 });
  end();
  return probe.success && probe.stdout.length > 0;
}

/**
 * Makes a Windows system in a folder, with links. Wine itself would copy 700 MB into a new one, in 5 s.
 * @throws Error if a missing library does not compile
 */
export function playWindows(prefix: string): Wine {
  const driveC = join(prefix, "drive_c");
  const system = join(driveC, "windows", "system32");
  const bin = join(driveC, "bin");
  const shell = join(system, "WindowsPowerShell", "v1.0");
  for (const folder of [shell, bin, join(driveC, "windows", "temp")]) mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(LIBRARIES)) symlinkSync(join(LIBRARIES, name), join(system, name));
  writeFileSync(join(prefix, "system.reg"), REGISTRY);
  writeFileSync(join(prefix, ".update-timestamp"), "disable\n");
  if (!existsSync(join(system, "bcryptprimitives.dll")))
    compileC("bcryptprimitives.c", join(system, "bcryptprimitives.dll"), "-shared", "-ladvapi32");
  compileC("powershell.c", join(shell, "powershell.exe"));
  const env = { WINEPREFIX: prefix, WINEDEBUG: "-all" };
  const here = { env: { ...process.env, ...env } };
  return {
    env,
    driveC,
    async pids(program) {
      const asked = Bun.spawn(["wine", POWERSHELL], { ...here, stderr: "ignore" });
      const rows = (await new Response(asked.stdout).text()).split(/\r?\n/).map((line) => line.split(" "));
      return rows.flatMap(([pid, , , , name]) => (name === program ? [Number(pid)] : []));
    },
    end() {
      Bun.spawnSync(["wineserver", "-k"], here);
      Bun.spawnSync(["wineserver", "-w"], { ...here, timeout: 5000 });
    },
  };
}

/** Compiles a C file beside this one for Windows. */
export function compileC(source: string, outfile: string, ...flags: string[]): void {
  const words = ["-O1", "-s", "-o", outfile, join(import.meta.dirname, source), ...flags];
  const { status, stderr } = spawnSync(COMPILER, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${source} does not compile: ${stderr}`);
}
