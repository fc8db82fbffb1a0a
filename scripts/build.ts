/** `npm run build`: compiles `dist/ralph` for this machine unless it is up to date (`-- --force`). */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileHere } from "./lib/build/program.ts";
import { inputHash, isCurrent } from "./lib/build/stamp.ts";
import { binary, root } from "./lib/paths.ts";

const stampFile = join(root, "dist", ".stamp");
const hash = inputHash(root);

if (!process.argv.includes("--force") && isCurrent(binary, stampFile, hash)) {
  console.error(`${binary} is up to date`);
} else {
  rmSync(stampFile, { force: true });
  const start = performance.now();
  const problem = await compileHere(binary);
  if (problem === null) {
    writeFileSync(stampFile, `${hash}\n`);
    console.error(`built ${binary} in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  } else {
    console.error(problem.trimEnd());
    process.exitCode = 1;
  }
}
