// Starts a process in a session of its own, prints its pid, and exits, or stays if told so.
// Arguments: `stay` to stay, `bare` to hide the environment from the daemon.
import { spawn } from "node:child_process";
import process from "node:process";

const daemon = spawn("/bin/sh", ["-c", "exec sleep 300"], {
  detached: true,
  stdio: "ignore",
  ...(process.argv.includes("bare") ? { env: {} } : {}),
});
daemon.unref();
process.stdout.write(`${daemon.pid}\n`);
if (process.argv.includes("stay")) setTimeout(() => {}, 300_000);
