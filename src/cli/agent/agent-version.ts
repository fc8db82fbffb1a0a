import type { Settings } from "../../core/settings/settings.ts";
import { stripAnsi } from "../../core/text/plain-text.ts";
import { splitLines } from "../../core/text/text-lines.ts";
import { clipCodePoints } from "../../core/text/truncate.ts";
import type { Driver, Host } from "../../driver.ts";
import { cachedAnswer } from "../../effects/user/user-cache.ts";

const ASK_TIMEOUT_MS = 5000;
const SAID_CHARS = 200;

export type VersionAnswer = {
  version: string | null;
  /** The program's output instead of a version; null if it gave one, or said nothing in time. */
  problem: string | null;
};

/** @param binary the program and leading arguments */
export async function askVersion(binary: readonly string[], host: Host): Promise<VersionAnswer> {
  const { exit_code, stdout, stderr } = await host.run([...binary, "--version"], ASK_TIMEOUT_MS);
  if (exit_code === 0) return { version: /\d+\.\d+\.\d+(?:[-+][\w.]+)?/.exec(stdout)?.[0] ?? null, problem: null };
  const lines = splitLines(stripAnsi(stderr)).filter((line) => line.trim() !== "");
  const output = lines.find((line) => /\berror\b/i.test(line)) ?? lines[0];
  if (exit_code === null) return { version: null, problem: output ?? null };
  const end = `${binary.join(" ")} --version ended with exit code ${exit_code}`;
  return {
    version: null,
    problem: output === undefined ? `${end}.` : `${end}: ${clipCodePoints(output.trim(), SAID_CHARS)}`,
  };
}

/**
 * The version that a program reports, or null.
 * @param binary the program and leading arguments
 */
export async function agentVersion(binary: readonly string[], host: Host): Promise<string | null> {
  return (await askVersion(binary, host)).version;
}

/**
 * The version, cached for a program without arguments. A program with arguments may launch anything, so its file
 * identifies nothing.
 */
export async function knownVersion(binary: readonly string[], host: Host): Promise<string | null> {
  const path = binary.length === 1 ? host.which(binary[0] ?? "") : null;
  const ask = () => agentVersion(binary, host);
  return path === null ? ask() : cachedAnswer(host, "agent-versions.json", path, ask);
}

/** The oldest version of an agent that ralph knows; null if its driver names none. The user may set that of Claude Code. */
export function minimumVersion(
  { name, minVersion }: Pick<Driver, "name" | "minVersion">,
  { CLAUDE_MIN_VERSION }: Pick<Settings, "CLAUDE_MIN_VERSION">,
): string | null {
  return name === "claude-code" ? CLAUDE_MIN_VERSION : (minVersion ?? null);
}

/** Why a version that is older than the oldest known one is told of. */
export function tooOldText({ displayName }: Pick<Driver, "displayName">, version: string, minimum: string): string {
  return `${displayName} ${version} is older than ${minimum}, the oldest version that ralph knows.`;
}

/** The driver of the version that is installed. Asks for it only where the driver depends on it: somebody waits for it. */
export async function driverOfVersion(driver: Driver, binary: readonly string[], host: Host): Promise<Driver> {
  if (driver.forVersion === undefined || host.which(binary[0] ?? "") === null) return driver;
  const version = await knownVersion(binary, host);
  return version === null ? driver : driver.forVersion(version);
}
