// Sends "say" to the run argv[3] of the project argv[2], and prints what became of it. argv[4]: "honest"; "false PID", which
// says that it is another process; "daemon": from a process that its parent has left.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import process from "node:process";
import { sendControl, socketPaths } from "../../src/effects/journal/control-channel.ts";

const [project = "", run = "", how = "", file = ""] = process.argv.slice(2);
const command = { command: "say", text: how } as const;
if (how === "daemon") {
  const words = [import.meta.filename, project, run, "orphan", file];
  spawn(process.execPath, words, { detached: true, stdio: "ignore", env: { PPID: String(process.pid) } }).unref();
} else if (how === "orphan") {
  const parent = () => Number(readFileSync(`/proc/${process.pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1]);
  while (parent() === Number(process.env.PPID)) await Bun.sleep(5);
  writeFileSync(file, JSON.stringify(await sendControl(project, run, command, 5000)));
} else if (how === "honest") {
  console.log(JSON.stringify(await sendControl(project, run, command, 5000)));
} else {
  const socket = createConnection(socketPaths(project).at(-1) ?? "");
  socket.on("data", (chunk) => {
    const told = JSON.parse(String(chunk));
    if (told.prove === undefined) {
      console.log(JSON.stringify(told));
      process.exit(0);
    }
    writeFileSync(told.prove, "");
    socket.write(`${JSON.stringify({ run, pid: Number(how), command })}\n`);
  });
}
