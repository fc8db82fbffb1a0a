import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { root } from "../paths.ts";
import { run } from "../run-program.ts";

/**
 * Bundles ralph into one module, for `deno run`, `deno install` and Node.js 22 or newer.
 * @throws Error with the compiler's output
 */
export async function bundle(outfile: string): Promise<void> {
  mkdirSync(dirname(outfile), { recursive: true });
  const flags = ["--target=node", "--format=esm", "--minify", "--sourcemap=none"];
  const entry = join(root, "src", "main.ts");
  const { exitCode, output } = await run([process.execPath, "build", ...flags, entry, "--outfile", outfile], {
    cwd: dirname(entry),
  });
  if (exitCode !== 0) throw new Error(`${basename(outfile)}: ${output}`);
  const text = readFileSync(outfile, "utf8").replace(/^#!.*\n/, "");
  writeFileSync(outfile, `#!/usr/bin/env node\n${text}`);
  chmodSync(outfile, 0o755);
}
