import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The inputs of the compiled program, besides the Bun that compiles it. */
const inputs = [
  "src/**/*",
  "drivers/**/*",
  "templates/**/*",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "bunfig.toml",
  "scripts/build.ts",
  "scripts/lib/build/{compile,lazy-segmenter,split,parts,packed-module,program,start-up-order,targets}.ts",
  "scripts/lib/build/start-up.order",
];

/** One hash over the names and contents of all inputs, the compiler and the key. @param folder the project */
export function inputHash(folder: string): string {
  const made = [Bun.version, Bun.revision, `${process.platform}-${process.arch}`, process.env.RALPH_PUBLIC_KEY ?? ""];
  const hash = createHash("sha256").update(`${made.join(" ")}\n`);
  const files = new Set(inputs.flatMap((glob) => [...new Bun.Glob(glob).scanSync({ cwd: folder, dot: true })]));
  for (const file of [...files].sort()) {
    const content = readFileSync(join(folder, file));
    hash.update(`${file.replaceAll("\\", "/")} ${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}

/** Whether the program exists and was built from these inputs. */
export function isCurrent(program: string, stampFile: string, hash: string): boolean {
  return existsSync(program) && existsSync(stampFile) && readFileSync(stampFile, "utf8") === `${hash}\n`;
}
