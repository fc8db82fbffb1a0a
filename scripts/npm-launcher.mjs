#!/usr/bin/env node
// @ts-check
/** Starts this platform's program, which npm installed beside this package. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";

const require = createRequire(import.meta.url);
/** @type {{ name: string }} */
const { name } = JSON.parse(readFileSync(new URL("./package.json", import.meta.url), "utf8"));

/**
 * The platform packages that may run here, the best one first. Some package managers install those of both C libraries.
 */
function candidates() {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const plain = `${name}-${system}-${process.arch}`;
  if (system !== "linux") return [plain];
  const report = /** @type {{ header?: { glibcVersionRuntime?: string } }} */ (process.report?.getReport() ?? {});
  const isGlibc = report.header?.glibcVersionRuntime !== undefined;
  return isGlibc ? [plain, `${plain}-musl`] : [`${plain}-musl`, plain];
}

/** Null if npm installed none of them. */
function findProgram() {
  const file = process.platform === "win32" ? "ralph.exe" : "ralph";
  for (const candidate of candidates()) {
    try {
      return require.resolve(`${candidate}/${file}`);
    } catch {
      // not installed
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
// The program receives Ctrl+C directly and handles it.
process.on("SIGINT", () => {});
for (const signal of /** @type {const} */ (["SIGTERM", "SIGHUP"])) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`ralph: ${program}: ${error.message}`);
  process.exit(7);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
