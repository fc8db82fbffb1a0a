/**
 * An agent CLI that no driver of ralph knows: `own-cli.ts FOLDER ARGS…`. Its words: `run [--session ID] [--model M]
 * [--prompt-file FILE] [--jsonl]`, `last-session`, `--version`. The prompt comes on stdin unless a file is named. Each
 * call of `run` is appended to `calls.jsonl` in FOLDER, changes a file in the project, and says how far it is; the
 * second one says that all is done, and so do the ones after it.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

export type OwnCall = { argv: string[]; prompt: string; stdin: string; token: string | null };

const [folder = "", ...argv] = process.argv.slice(2);
const SESSION = "conversation-7";

if (argv[0] === "--version") {
  console.log("own-cli 2.1.0");
} else if (argv[0] === "last-session") {
  console.log(SESSION);
} else {
  const log = join(folder, "calls.jsonl");
  const nth = existsSync(log) ? readFileSync(log, "utf8").split("\n").length : 1;
  const file = wordAfter("--prompt-file");
  const stdin = readFileSync(0, "utf8");
  const prompt = file === null ? stdin : readFileSync(file, "utf8");
  const call: OwnCall = { argv, prompt, stdin, token: process.env.OWN_CLI_TOKEN ?? null };
  appendFileSync(log, `${JSON.stringify(call)}\n`);
  writeFileSync(`work-${nth}.txt`, `${nth}\n`);
  const complete = nth >= 2;
  const text = `Step ${nth} is done.\n${block(complete ? "COMPLETE" : "IN_PROGRESS", complete)}`;
  if (argv.includes("--jsonl")) speak(nth, text);
  else print(`${text}\n`);
}

function speak(nth: number, text: string): void {
  const half = Math.floor(text.length / 2);
  const events: unknown[] = [
    ...(process.env.OWN_CLI_SILENT === "1" ? [] : [{ kind: "begin", conversation: SESSION }]),
    { kind: "tool", id: "t1", name: "shell", args: { command: `echo ${nth}` } },
    { kind: "tool_end", id: "t1", output: String(nth), failed: false },
    { kind: "say", text: text.slice(0, half) },
    { kind: "say", text: text.slice(half) },
    { kind: "end", ok: true, input_tokens: 10, output_tokens: 5 },
  ];
  for (const event of events) print(`${JSON.stringify(event)}\n`);
}

function block(status: string, exit: boolean): string {
  return ["---RALPH_STATUS---", `STATUS: ${status}`, `EXIT_SIGNAL: ${exit}`, "---END_RALPH_STATUS---"].join("\n");
}

function wordAfter(flag: string): string | null {
  const at = argv.indexOf(flag);
  return at === -1 ? null : (argv[at + 1] ?? null);
}

function print(text: string): void {
  writeSync(1, text);
}
