/**
 * `npm run build:all`: compiles ralph for every target to `dist/<target>/`, with the bundle for Deno and Node.js and
 * the man page.
 * `-- --target NAME` (repeatable) makes only some; `-- --verify` makes each twice, in two folders, and compares them.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { manPage } from "../src/cli/args/man-page.ts";
import { COMMANDS } from "../src/cli/command-table.ts";
import { bundle } from "./lib/build/bundle.ts";
import { programPath } from "./lib/build/program.ts";
import { TARGETS, type Target } from "./lib/build/targets.ts";
import { root } from "./lib/paths.ts";
import { checkProgram } from "./lib/release/check-program.ts";
import { compileFor } from "./lib/release/compile-for.ts";

const { values } = parseArgs({
  options: { target: { type: "string", multiple: true }, verify: { type: "boolean", default: false } },
});
const wanted = values.target ?? TARGETS.map(({ name }) => name);
const unknown = wanted.find((name) => TARGETS.every((target) => target.name !== name));
if (unknown !== undefined) {
  console.error(`there is no target ${unknown}: use ${TARGETS.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}

const digest = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");

async function make(target: Target): Promise<string | null> {
  const file = programPath(target);
  await compileFor(target, file);
  const problem = checkProgram(readFileSync(file), target);
  if (problem !== null || !values.verify) return problem;
  const folder = mkdtempSync(join(root, "dist", ".verify-"));
  try {
    const again = programPath(target, folder);
    await compileFor(target, again);
    return digest(again) === digest(file) ? null : "a second build gave other bytes";
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const target of TARGETS.filter(({ name }) => wanted.includes(name))) {
  const start = performance.now();
  const problem = await make(target).catch((error: unknown) => String(error));
  const file = programPath(target);
  const seconds = `${((performance.now() - start) / 1000).toFixed(1)} s`;
  if (problem === null) console.log(`${digest(file)}  ${target.name.padEnd(17)} ${seconds}`);
  else {
    console.error(`${target.name}: ${problem}`);
    process.exitCode = 1;
  }
}
await bundle(join(root, "dist", "ralph.mjs"));
writeFileSync(join(root, "dist", "ralph.1"), manPage(COMMANDS));
