import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Lock } from "../package-lock.ts";
import { root } from "../paths.ts";
import { run } from "../run-program.ts";
import { readTgz } from "./tar.ts";
import type { Target } from "./targets.ts";

/** Downloaded runtime packages, unchanged; the checksum is verified at every use. */
const cache = join(root, "node_modules", ".cache", "ralph-runtimes");

/**
 * The runtime of a platform: the program of its npm package, in the version and with the checksum of package-lock.json.
 * @throws Error if it is unavailable, or not the one that the lock file names
 */
export async function loadRuntime(target: Target): Promise<Buffer> {
  const { version, integrity } = lockedRuntime(target);
  const file = join(cache, `${target.runtime.replaceAll("/", "-")}-${version}.tgz`);
  if (!existsSync(file)) await download(`${target.runtime}@${version}`, file);
  const tgz = readFileSync(file);
  if (!matches(tgz, integrity)) {
    rmSync(file);
    throw new Error(`${target.runtime}@${version} is not the package that package-lock.json names: run it again`);
  }
  const name = `package/bin/bun${target.os === "win32" ? ".exe" : ""}`;
  const program = readTgz(tgz).get(name);
  if (program === undefined) throw new Error(`${target.runtime}@${version} holds no ${name}`);
  return program;
}

/** Whether bytes have the checksum of the lock file (`sha512-…`). */
export function matches(bytes: Uint8Array, integrity: string): boolean {
  const [algorithm = "", expected] = integrity.split("-", 2);
  return algorithm === "sha512" && createHash(algorithm).update(bytes).digest("base64") === expected;
}

/** @throws Error if the lock file has no version or checksum for it */
export function lockedRuntime({ runtime }: Pick<Target, "runtime">) {
  const lock: Lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const { version, integrity } = lock.packages[`node_modules/${runtime}`] ?? {};
  if (version === undefined || integrity === undefined)
    throw new Error(`package-lock.json has no version and checksum of ${runtime}`);
  return { version, integrity };
}

async function download(spec: string, file: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, ".download-"));
  try {
    const npm = Bun.which("npm");
    if (npm === null) throw new Error(`npm is needed to download ${spec}`);
    const { exitCode, output } = await run([npm, "pack", spec, "--silent", "--pack-destination", folder]);
    const [packed] = readdirSync(folder);
    if (exitCode !== 0 || packed === undefined) throw new Error(`npm pack ${spec} failed:\n${output}`);
    renameSync(join(folder, packed), file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
