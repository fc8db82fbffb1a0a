import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AGENT } from "./agent.ts";

/** What probes need besides busybox. */
const PROGRAMS = ["perl", "git", "socat", "getent"];

const output = (...argv: string[]) => Bun.spawnSync(argv).stdout.toString();

/**
 * An image of this machine's own programs, since tests fetch nothing from a registry: busybox, what probes need, and the agent.
 * It is made once for them as they are: each file of tests in a sandbox would else make it again.
 * @returns its name; null if that cannot be done here
 */
export function probeImage(engine: string): string | null {
  const busybox = Bun.which("busybox");
  const found = PROGRAMS.map((program) => Bun.which(program, { PATH: "/usr/bin:/bin" }));
  const programs = [...found, busybox].flatMap((path) => path ?? []);
  if (busybox === null || programs.length <= found.length) return null;
  const told = [AGENT, readFileSync(import.meta.filename), ...programs.flatMap((path) => [path, readFileSync(path)])];
  const hash = createHash("sha256");
  for (const part of told) hash.update(part);
  const name = `localhost/ralph-probes:${hash.digest("hex").slice(0, 16)}`;
  const isThere = Bun.spawnSync([engine, "image", "exists", name]).exitCode === 0;
  return isThere || makeProbeImage(engine, name, busybox, programs) ? name : null;
}

/** Whether a container of that image starts. */
export function starts(engine: string, name: string, env: Record<string, string>): boolean {
  const bounds = ["--network", "none", "--memory", "512m", "--pids-limit", "64"];
  const run = [engine, "run", "--rm", ...bounds, name, "/bin/true"];
  return Bun.spawnSync(run, { env: { ...process.env, ...env } }).exitCode === 0;
}

function makeProbeImage(engine: string, name: string, busybox: string, programs: readonly string[]): boolean {
  const root = mkdtempSync(join(tmpdir(), "ralph-image-"));
  try {
    for (const folder of ["bin", "usr/bin", "etc", "tmp", "proc", "dev", "sys", "run"])
      mkdirSync(join(root, folder), { recursive: true });
    copyFileSync(busybox, join(root, "bin/busybox"));
    for (const applet of output(busybox, "--list").split("\n"))
      if (applet !== "" && applet !== "busybox") symlinkSync("busybox", join(root, "bin", applet));
    for (const program of programs) {
      const real = realpathSync(program);
      if (program !== busybox) copyFileSync(real, join(root, "usr/bin", program.replace(/.*\//, "")));
      for (const library of output("ldd", real).match(/\/\S+\.so\S*/g) ?? []) {
        mkdirSync(dirname(join(root, library)), { recursive: true });
        copyFileSync(realpathSync(library), join(root, library));
      }
    }
    const modules = output("perl", "-e", 'print grep { -e "$_/Socket.pm" } @INC');
    if (existsSync(modules)) cpSync(modules, join(root, modules), { recursive: true, dereference: true });
    writeFileSync(join(root, "usr/bin/claude"), AGENT);
    chmodSync(join(root, "usr/bin/claude"), 0o755);
    writeFileSync(join(root, "etc/passwd"), "root:x:0:0::/root:/bin/sh\n");
    const tar = join(root, "image.tar");
    Bun.spawnSync(["tar", "-C", root, "--exclude=./image.tar", "-cf", tar, "."]);
    return Bun.spawnSync([engine, "import", tar, name]).exitCode === 0;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
