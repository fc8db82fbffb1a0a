/** Compiles ralph from copies of the source, with other versions and with keys of our own. */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileHere } from "../../../scripts/lib/build/program.ts";
import { programName, root } from "../../../scripts/lib/paths.ts";
import { publicHalf } from "../../../scripts/lib/release/sign.ts";

/** A key pair for these tests. */
export function newKey(): { key: KeyObject; publicKey: string } {
  const { privateKey } = generateKeyPairSync("ed25519");
  return { key: privateKey, publicKey: publicHalf(privateKey) };
}

/** The source in another folder. @param manifest changes to package.json */
export function copyOfSource(manifest: Record<string, unknown> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "ralph-copy-"));
  for (const name of ["src", "drivers", "templates", "tsconfig.json", "bunfig.toml"])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  const own = readFileSync(join(root, "package.json"), "utf8");
  const text = Object.keys(manifest).length === 0 ? own : JSON.stringify({ ...JSON.parse(own), ...manifest });
  writeFileSync(join(folder, "package.json"), text);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  return folder;
}

/** The program of a copy; throws if it does not compile. */
export async function compileCopy(folder: string, publicKey: string): Promise<string> {
  const outfile = join(folder, "dist", programName(process.platform));
  const problem = await compileHere(outfile, folder, { RALPH_PUBLIC_KEY: publicKey });
  if (problem !== null) throw new Error(problem);
  return outfile;
}
