import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import type { Host } from "../../driver.ts";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { configFolder } from "./home.ts";

type TrustedDriver = { path: string; sha256: string };

const FILE = "trusted-drivers.json";

/** Whether the user has trusted this file with exactly this content. */
export function isTrusted(host: Host, path: string): boolean {
  const sha256 = hashOf(path);
  return read(host).some((one) => one.path === path && one.sha256 === sha256);
}

/**
 * Remembers that the user trusts this file; with other content ralph asks again.
 * @throws RalphError `environment` if the user's folder is not writable
 */
export function rememberTrust(host: Host, path: string): void {
  const folder = configFolder(host);
  const rows = [...read(host).filter((one) => one.path !== path), { path, sha256: hashOf(path) }];
  try {
    mkdirSync(folder, { recursive: true });
    writeFileAtomic(join(folder, FILE), `${JSON.stringify(rows, null, 2)}\n`);
  } catch (cause) {
    throw new RalphError("environment", `${join(folder, FILE)} cannot be written: ${(cause as Error).message}`, {
      hint: "Make the folder writable, or pass --trust-driver each time.",
      cause,
    });
  }
}

function hashOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

function read(host: Host): TrustedDriver[] {
  try {
    const json: unknown = JSON.parse(readFileSync(join(configFolder(host), FILE), "utf8"));
    return Array.isArray(json) ? json.filter(isRow) : [];
  } catch {
    return []; // missing or unreadable: nothing is trusted
  }
}

function isRow(value: unknown): value is TrustedDriver {
  const row = value as Partial<TrustedDriver> | null;
  return typeof row === "object" && typeof row?.path === "string" && typeof row.sha256 === "string";
}
