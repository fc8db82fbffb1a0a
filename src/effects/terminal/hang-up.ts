import process from "node:process";

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
