import { isOlder } from "../../core/release/version-order.ts";
import { clipCodePoints, splitLines, withoutColour } from "../../core/text/text-lines.ts";
import type { Driver, Host } from "../../driver.ts";
import { cachedAnswer } from "../../effects/user/user-cache.ts";
import type { EventSubscriber } from "../../run/recorder.ts";

const ASK_TIMEOUT_MS = 5000;
const SAID_CHARS = 200;

export type VersionAnswer = {
  version: string | null;
  /** What the program said instead of an answer; null where it gave one, or nothing at all in time. */
  problem: string | null;
};

/** @param binary the program and leading arguments */
export async function askVersion(binary: readonly string[], host: Host): Promise<VersionAnswer> {
  const { exit_code, stdout, stderr } = await host.run([...binary, "--version"], ASK_TIMEOUT_MS);
  if (exit_code === 0) return { version: /\d+\.\d+\.\d+(?:[-+][\w.]+)?/.exec(stdout)?.[0] ?? null, problem: null };
  const lines = splitLines(withoutColour(stderr)).filter((line) => line.trim() !== "");
  const said = lines.find((line) => /\berror\b/i.test(line)) ?? lines[0];
  if (exit_code === null) return { version: null, problem: said ?? null };
  const end = `${binary.join(" ")} --version ended with exit code ${exit_code}`;
  return {
    version: null,
    problem: said === undefined ? `${end}.` : `${end}: ${clipCodePoints(said.trim(), SAID_CHARS)}`,
  };
}

/**
 * The version that a program tells, or null.
 * @param binary the program and leading arguments
 */
export async function agentVersion(binary: readonly string[], host: Host): Promise<string | null> {
  return (await askVersion(binary, host)).version;
}

export type VersionCheck = {
  driver: Driver;
  binary: readonly string[];
  host: Host;
  /** The oldest version that will do; null for any. */
  minimum: string | null;
  warn(text: string): void;
};

/**
 * Warns of an agent that is older than its driver knows. It is asked beside the first call, never before it, so that
 * nobody waits for the answer (product.md "Agent version").
 * @returns the reader that waits for that call, and what ends the check with the run
 */
export function versionCheck({ driver, binary, host, minimum, warn }: VersionCheck): {
  reader: EventSubscriber;
  end(): void;
} {
  let pending = minimum !== null;
  let ended = false;
  const check = async (least: string) => {
    const version = await cachedVersion(binary, host);
    if (ended || version === null || !isOlder(version, least)) return;
    const mend = driver.installCommand === undefined ? "" : ` Update it with: ${driver.installCommand}`;
    warn(`${driver.displayName} ${version} is older than ${least}, the oldest version that ralph knows.${mend}`);
  };
  return {
    reader: {
      name: "the version check",
      onEvents(steps) {
        if (!pending || minimum === null || !steps.some(({ event }) => event.type === "agent_started")) return;
        pending = false;
        // Only the journal can fail here, and then the loop finds out by itself.
        check(minimum).catch(() => {});
      },
    },
    end() {
      ended = true;
    },
  };
}

/** A program with arguments may be a launcher of anything: its file says nothing about what it starts. */
async function cachedVersion(binary: readonly string[], host: Host): Promise<string | null> {
  const path = binary.length === 1 ? host.which(binary[0] ?? "") : null;
  const ask = () => agentVersion(binary, host);
  return path === null ? ask() : cachedAnswer(host, "agent-versions.json", path, ask);
}
