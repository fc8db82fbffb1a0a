#!/usr/bin/env node
// @ts-check
/** Starts the program of this platform, which npm put beside this package. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";

const require = createRequire(import.meta.url);
const { optionalDependencies } = JSON.parse(readFileSync(new URL("./package.json", import.meta.url), "utf8"));
const EXE = process.platform === "win32" ? ".exe" : "";

/** The program of the one platform package that npm installed; null if it installed none. */
function findProgram() {
  for (const name of Object.keys(optionalDependencies)) {
    try {
      return require.resolve(`${name}/ralph${EXE}`);
    } catch {
      // for another platform
    }
  }
  return null;
}

const program = findProgram();
if (program === null) {
  console.error("ralph: npm installed no program for this machine: install it again, without --omit=optional");
  process.exit(7);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// Ctrl+C reaches the program by itself, which decides what it means.
process.on("SIGINT", () => {});
for (const signal of /** @type {const} */ (["SIGTERM", "SIGHUP"])) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`ralph: ${program}: ${error.message}`);
  process.exit(7);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
