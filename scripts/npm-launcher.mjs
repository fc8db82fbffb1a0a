#!/usr/bin/env node
// @ts-check
/** Starts this platform's program, which npm installed beside this package. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { basename } from "node:path";

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

/**
 * Whether the program was started to outlive its terminal. Node has undone by now what `nohup` does, so that only its traces tell: the
 * name of the last command, which shells put into the environment, and a script under `nohup`, which still ignores the hang-up.
 */
function isHangUpIgnored() {
  if (process.platform !== "linux") return false;
  if (basename(process.env._ ?? "") === "nohup") return true;
  try {
    const status = readFileSync(`/proc/${process.ppid}/status`, "utf8");
    return (Number.parseInt(/^SigIgn:\s*[0-9a-f]*([0-9a-f])$/m.exec(status)?.[1] ?? "0", 16) & 1) !== 0;
  } catch {
    return false; // no /proc
  }
}

const outlives = isHangUpIgnored();
// Node starts a program with no signal ignored; a shell can have one ignored, and then becomes the program.
const [file = program, ...words] = outlives ? ["/bin/sh", "-c", `trap '' HUP; exec "$0" "$@"`, program] : [program];
const child = spawn(file, [...words, ...process.argv.slice(2)], { stdio: "inherit" });
// The program receives Ctrl+C directly and handles it.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));
process.on("SIGHUP", () => outlives || child.kill("SIGHUP"));
child.on("error", (error) => {
  console.error(`ralph: ${program} does not start: ${error.message}\n  Install it again: npm install -g ${name}`);
  process.exit(7);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
