import process from "node:process";
import { readKernelText } from "../files/regular-file.ts";

/** SIGHUP in a mask of signals, as the last hexadecimal digit has it. */
const HANG_UP = 1;

/**
 * Whether this process was started to outlive its terminal, as `nohup` does by having SIGHUP ignored. Ask before listening to that
 * signal, which ends the ignoring. False where the system does not tell.
 */
export function isHangUpIgnored(): boolean {
  if (process.platform !== "linux") return false;
  try {
    const last = /^SigIgn:\t[0-9a-f]*([0-9a-f])$/m.exec(readKernelText("/proc/self/status"))?.[1] ?? "0";
    return (Number.parseInt(last, 16) & HANG_UP) !== 0;
  } catch {
    return false; // no /proc
  }
}

/** Whether the terminal went away earlier, while nobody listened to its hang-up. */
export function hasHungUp(input: NodeJS.ReadStream): boolean {
  return input.readableEnded || input.destroyed;
}

/**
 * Treats the end of a terminal's input as a hang-up. The kernel sends SIGHUP only to a session of that terminal; a program
 * without one would wait for keys forever.
 * @returns a function that stops watching
 */
export function hangUpOnEnd(input: NodeJS.ReadStream): () => void {
  const hangUp = () => {
    // Windows has no SIGHUP and refuses to send it.
    if (process.emit("SIGHUP", "SIGHUP")) return;
    process.kill(process.pid, process.platform === "win32" ? "SIGTERM" : "SIGHUP");
  };
  input.once("end", hangUp);
  input.once("error", hangUp);
  return () => {
    input.off("end", hangUp);
    input.off("error", hangUp);
  };
}
