import process from "node:process";

/** Bun reads it when it starts, and only then: JavaScript is interpreted, and never compiled. */
const INTERPRETED = "BUN_JSC_useJIT";
/** That it was set here, and not by the user. */
const OURS = "RALPH_LEAN";
/** Says that this process answers one question of a page, and ends. Speed counts there. */
export const ANSWERS = "RALPH_UI_ANSWER";

/**
 * Goes on as the same process with a third of the memory, for one that lives long and does little: compiled code and the memory of
 * its compilers are never given back. Does nothing where that cannot be, nor in the process that it made; the sooner it is called, the
 * less is loaded twice.
 * @param self the words that start this ralph
 */
export function restartLean([program = "", ...words]: readonly string[]): void {
  if (process.env[OURS] !== undefined) {
    // Whatever this process starts is none of it.
    delete process.env[OURS];
    delete process.env[INTERPRETED];
    return;
  }
  if (!("bun" in process.versions) || process.platform === "win32") return;
  if (process.execve === undefined || process.env[INTERPRETED] !== undefined || process.env[ANSWERS] !== undefined)
    return;
  const env = { ...process.env, [OURS]: "1", [INTERPRETED]: "0" };
  try {
    process.execve(program, [program, ...words, ...process.argv.slice(2)], env);
  } catch {
    // It only costs memory.
  }
}
