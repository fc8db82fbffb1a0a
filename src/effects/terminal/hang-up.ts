import process from "node:process";

/**
 * Takes the end of a terminal's input as the hang-up that it is. The kernel sends the signal only to a session of that
 * terminal; a program that was started without one would wait for keys for ever.
 * @returns ends the watch
 */
export function hangUpOnEnd(input: NodeJS.ReadStream): () => void {
  const gone = () => {
    // Windows knows no such signal, and refuses to send it.
    if (process.emit("SIGHUP", "SIGHUP")) return;
    process.kill(process.pid, process.platform === "win32" ? "SIGTERM" : "SIGHUP");
  };
  input.once("end", gone);
  input.once("error", gone);
  return () => {
    input.off("end", gone);
    input.off("error", gone);
  };
}
