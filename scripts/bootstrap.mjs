// @ts-check
/**
 * The entry of every npm script: `node scripts/bootstrap.mjs <name> [arguments]` installs the dependencies if they are
 * missing or differ from package-lock.json, then runs `scripts/<name>.ts` with the project's own Bun.
 *
 * Plain JavaScript without dependencies, because it runs before there are any: under Node >= 20 (`npm test`), or under
 * Bun, which stands in for `node` in scripts when a machine has nothing else (`bun run test`).
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const EXE = process.platform === "win32" ? ".exe" : "";

/** Until its install script has run, the `bun` package holds a small text file instead of the program. */
const SMALLEST_PROGRAM = 1_000_000;

/** A failed step: a message for the user, and the exit code. */
class StepFailed extends Error {
  /** @param {string} message @param {number} exitCode */
  constructor(message, exitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The state that node_modules has to match: the lock file on this platform. @param {string} root */
function stampOf(root) {
  const lock = readFileSync(join(root, "package-lock.json"));
  return `${createHash("sha256").update(lock).digest("hex")} ${process.platform}-${process.arch}\n`;
}

/** @param {string} file @returns {string | null} */
function readIfThere(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

/**
 * The first package of the lock file that is not installed in the locked version; null if all are. A missing optional
 * package belongs to another platform.
 * @param {string} root @returns {string | null}
 */
function firstMissing(root) {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  for (const [path, locked] of Object.entries(lock.packages ?? {})) {
    if (path === "") continue;
    const manifest = readIfThere(join(root, path, "package.json"));
    if (manifest === null && locked.optional) continue;
    if (manifest === null || (locked.version && JSON.parse(manifest).version !== locked.version)) return path;
  }
  return null;
}

/**
 * The project's Bun, however it was installed: the package's program, the platform package's (if install scripts were
 * skipped), or the Bun that runs this file.
 * @param {string} root @returns {string | null}
 */
function findBun(root) {
  const linked = join(root, "node_modules", "bun", "bin", "bun.exe");
  if (existsSync(linked) && statSync(linked).size > SMALLEST_PROGRAM) return linked;
  const platforms = join(root, "node_modules", "@oven");
  for (const name of existsSync(platforms) ? readdirSync(platforms) : []) {
    const program = join(platforms, name, "bin", `bun${EXE}`);
    if (spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0) return program;
  }
  return process.versions.bun ? process.execPath : null;
}

/**
 * Runs a program in this terminal until it ends. It receives Ctrl+C directly; other signals are passed on.
 * @param {string} program @param {readonly string[]} args
 * @param {{ cwd?: string, shell?: boolean, stdout?: "inherit" | 2 }} [options]
 * @returns {Promise<number>} its exit code, 128 + the signal's number, or 127 if there is no such program
 */
function run(program, args, options = {}) {
  return new Promise((resolve) => {
    const { cwd, shell = false, stdout = "inherit" } = options;
    /** @type {import("node:child_process").ChildProcess | null} */
    let child = null;
    const pass = (/** @type {NodeJS.Signals} */ signal) => void child?.kill(signal);
    const ignore = () => {};
    // Registered before the start, since the program itself may send the signal.
    process.on("SIGINT", ignore).on("SIGTERM", pass).on("SIGHUP", pass);
    const end = (/** @type {number} */ code) => {
      process.off("SIGINT", ignore).off("SIGTERM", pass).off("SIGHUP", pass);
      resolve(code);
    };
    child = spawn(program, [...args], { cwd, shell, stdio: ["inherit", stdout, "inherit"] });
    child.on("error", () => end(127));
    child.on("exit", (code, signal) => end(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/**
 * The ways to install the locked dependencies on this machine, best first.
 * @returns {{ name: string, program: string, args: string[], shell?: boolean }[]}
 */
function installers() {
  const bun = { name: "bun install", args: ["install", "--frozen-lockfile"] };
  if (process.versions.bun) return [{ ...bun, program: process.execPath }];
  // NODE_ENV=production would leave out the development dependencies, and there are no others.
  // The PDF reader asks for a newer Node.js than these scripts need. Bun runs it and is new enough, so npm's warning
  // would mislead.
  const npm = { name: "npm ci", args: ["ci", "--include=dev", "--loglevel=error"] };
  const script = process.env.npm_execpath ?? "";
  if (script.endsWith("npm-cli.js")) {
    return [{ name: npm.name, program: process.execPath, args: [script, ...npm.args] }];
  }
  // On Windows npm is a .cmd file, which needs a shell.
  return [
    { ...npm, program: "npm", shell: process.platform === "win32" },
    { ...bun, program: `bun${EXE}` },
  ];
}

/** @param {string} root */
async function install(root) {
  for (const { name, program, args, shell } of installers()) {
    process.stderr.write(`installing the dependencies (${name})\n`);
    const code = await run(program, args, { cwd: root, stdout: 2, ...(shell ? { shell } : {}) });
    if (code === 0) return;
    if (code === 127) continue;
    throw new StepFailed(
      `${name} failed with exit code ${code}: see above; check the network, then run it again`,
      code,
    );
  }
  throw new StepFailed("neither npm nor bun was found: install Node.js 20 or newer, or Bun, then run it again", 127);
}

/**
 * Makes node_modules match package-lock.json; instant if the stamp says that it already does.
 * @param {string} root @returns {Promise<string>} the Bun to use
 */
async function prepare(root) {
  const stampFile = join(root, "node_modules", ".ralph-stamp");
  const stamp = stampOf(root);
  const found = findBun(root);
  if (found !== null && readIfThere(stampFile) === stamp) return found;

  if (found === null || firstMissing(root) !== null) await install(root);
  const missing = firstMissing(root);
  if (missing !== null)
    throw new StepFailed(`${missing} is missing after the install: delete node_modules and try again`, 1);
  const bun = findBun(root);
  if (bun === null)
    throw new StepFailed("the package bun has no program for this machine: install Bun from bun.com", 1);
  writeFileSync(stampFile, stamp);
  return bun;
}

/**
 * `npm start`: the demo, or another ralph command, as in `npm start -- status`.
 * @param {string} root @param {string} bun @param {readonly string[]} args
 */
async function start(root, bun, args) {
  const code = await run(bun, [join(root, "scripts", "build.ts")], { cwd: root, stdout: 2 });
  if (code !== 0) throw new StepFailed(`the build failed with exit code ${code}: see above`, code);
  const command = args[0] === undefined || args[0].startsWith("-") ? ["demo", ...args] : args;
  return run(join(root, "dist", `ralph${EXE}`), command);
}

/** @param {string} root @param {readonly string[]} argv */
async function main(root, argv) {
  const [name = "", ...args] = argv;
  const script = join(root, "scripts", `${name.replaceAll(":", "-")}.ts`);
  if (name !== "start" && !(/^[a-z:-]+$/.test(name) && existsSync(script))) {
    const self = relative(root, fileURLToPath(import.meta.url)).replaceAll("\\", "/");
    throw new StepFailed(
      `unknown script "${name}": use "node ${self} start|test|test:agents|check:fast|build|build:all|release|man|profile|bench|proof|mutants|docs"`,
      2,
    );
  }
  const bun = await prepare(root);
  return name === "start" ? start(root, bun, args) : run(bun, [script, ...args], { cwd: root });
}

const root = dirname(dirname(realpathSync(fileURLToPath(import.meta.url))));
try {
  process.exitCode = await main(root, process.argv.slice(2));
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  process.stderr.write(`bootstrap: ${error.message}\n`);
  process.exitCode = error.exitCode;
}
