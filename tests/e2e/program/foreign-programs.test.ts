/** Programs for other platforms that can run on this machine: arm64 under QEMU, musl with its loader. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { hostTarget, TARGETS } from "../../../scripts/lib/build/targets.ts";
import { compileFor } from "../../../scripts/lib/release/compile-for.ts";
import { VERSION } from "../../../src/version.ts";
import { testFolder } from "../../folders.ts";
import { done, works } from "../support/answers.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";

/** The paths of Debian's qemu-user-static, libc6-arm64-cross, musl and libstdc++6. */
const QEMU = Bun.which("qemu-aarch64-static");
const ARM64 = "/usr/aarch64-linux-gnu";
const MUSL_LOADER = "/lib/ld-musl-x86_64.so.1";
const GLIBC = "/usr/lib/x86_64-linux-gnu";
const LIBRARIES = ["libstdc++.so.6", "libgcc_s.so.1"];

const folder = testFolder("foreign");
const muslLibraries = join(folder, "lib");
afterAll(cleanUp);

/** Whether this system's C++ libraries, which are for glibc, can be made to serve a program for musl. */
function collectMuslLibraries(): boolean {
  if (Bun.which("cc") === null || ![MUSL_LOADER, ...LIBRARIES.map((name) => join(GLIBC, name))].every(existsSync))
    return false;
  mkdirSync(muslLibraries);
  for (const name of LIBRARIES) symlinkSync(join(GLIBC, name), join(muslLibraries, name));
  const source = join(import.meta.dirname, "foreign", "glibc-names.c");
  const missing = join(muslLibraries, "ld-linux-x86-64.so.2");
  const succeeds = (program: string, ...args: string[]) => spawnSync(program, args, { stdio: "ignore" }).status === 0;
  return (
    succeeds("cc", "-shared", "-fPIC", "-nostdlib", "-o", missing, source) &&
    succeeds(MUSL_LOADER, "--library-path", muslLibraries, "--list", join(muslLibraries, "libstdc++.so.6"))
  );
}

const isX64 = hostTarget()?.name === "linux-x64";
const canRun = {
  "linux-arm64": isX64 && QEMU !== null && existsSync(ARM64),
  "linux-x64-musl": isX64 && collectMuslLibraries(),
};

/** The command words that start another platform's program here. */
const emulator = { "linux-arm64": [QEMU ?? "", "-L", ARM64], "linux-x64-musl": [] };
/** Affects only musl's loader: glibc's finds its own files there. */
const environment = { "linux-arm64": {}, "linux-x64-musl": { LD_LIBRARY_PATH: muslLibraries } };

/** Replaces this machine's program, which the harness appends. */
function start(at: Project, name: keyof typeof canRun, ...argv: string[]) {
  const words = [...emulator[name], join(folder, name, "ralph")].map((word) => `'${word}'`).join(" ");
  return at.startUnder(["sh", "-c", `shift; exec ${words} "$@"`, "sh"], ...argv).ended;
}

describe.each(["linux-arm64", "linux-x64-musl"] as const)("the program for %s", (name) => {
  const target = TARGETS.find((one) => one.name === name);
  const onlyHere = test.skipIf(!canRun[name]);
  beforeAll(async () => {
    if (!canRun[name] || target === undefined) return;
    await compileFor(target, join(folder, name, "ralph"));
  });

  onlyHere("prints its version", async () => {
    const at = project({ env: environment[name] });
    expect(await start(at, name, "--version")).toEqual({ exit: 0, stdout: `${VERSION}\n`, stderr: "" });
  });

  onlyHere("sets a project up", async () => {
    const at = project({ files: {}, env: environment[name] });
    const { exit, stdout } = await start(at, name, "setup", "--yes", "--json");
    expect({ exit, ...JSON.parse(stdout) }).toMatchObject({ exit: 0, success: true, already: false });
    expect(at.has(".ralph/PROMPT.md")).toBe(true);
  });

  onlyHere("runs the loop to its end: agents, git, journal and report", async () => {
    const at = project({ steps: [works(1), done, done], env: environment[name] });
    const { exit, stderr } = await start(at, name, "run");
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "project_complete", calls: 3 });
    const report = await start(at, name, "report", "--json");
    expect(JSON.parse(report.stdout)).toMatchObject({ stop_reason: "project_complete" });
  });
});
