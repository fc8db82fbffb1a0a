import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
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
 * Makes an image of this machine's own programs, since tests fetch nothing from a registry: busybox, what probes need, and the
 * agent.
 * @returns false if that cannot be done here
 */
export function makeProbeImage(engine: string, name: string, env: Record<string, string | undefined>): boolean {
  const busybox = Bun.which("busybox");
  const found = PROGRAMS.map((program) => Bun.which(program, { PATH: "/usr/bin:/bin" }));
  if (busybox === null || found.includes(null)) return false;
  const root = mkdtempSync(join(tmpdir(), "ralph-image-"));
  try {
    for (const folder of ["bin", "usr/bin", "etc", "tmp", "proc", "dev", "sys", "run"])
      mkdirSync(join(root, folder), { recursive: true });
    copyFileSync(busybox, join(root, "bin/busybox"));
    for (const applet of output(busybox, "--list").split("\n"))
      if (applet !== "" && applet !== "busybox") symlinkSync("busybox", join(root, "bin", applet));
    for (const program of [...found, busybox]) {
      if (program === null) continue;
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
    const made = Bun.spawnSync([engine, "import", tar, name], { env });
    if (made.exitCode !== 0) return false;
    const run = [
      engine,
      "run",
      "--rm",
      "--network",
      "none",
      "--memory",
      "512m",
      "--pids-limit",
      "64",
      name,
      "/bin/true",
    ];
    return Bun.spawnSync(run, { env }).exitCode === 0;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
