/**
 * The `claude` that loops call in a side-by-side run: `stand-in.ts STATE [the CLI's arguments]`. It behaves as the persona in
 * the file STATE says, on real files, and speaks the CLI's text, JSON and stream formats.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { isTrulyDone } from "../project.ts";
import { look } from "../stranger.ts";
import { printed } from "./output.ts";
import { putFiles } from "./real-project.ts";
import { agentOf, readState, type State, writeState } from "./state.ts";

const [file = "", ...argv] = process.argv.slice(2);
if (argv.includes("--version")) {
  process.stdout.write("2.1.328 (Claude Code)\n");
} else process.exitCode = answer(file, argv);

function answer(stateFile: string, flags: readonly string[]): number {
  const state = readState(stateFile);
  const prompt = failuresIn(after(flags, ["-p", "--print"]) ?? readFileSync(0, "utf8"));
  if (isTrulyDone(state.project)) state.callsAfterTruth += 1;
  const resume = after(flags, ["--resume", "-r"]) ?? (flags.some(isContinue) ? state.lastSession : null);
  const result = prompt.includes("---RALPH_GAP---") ? lookAt(state) : agentOf(state).call({ prompt, resume });
  // Loops know the conversation by the id that they gave, or by one that looks like the CLI's own.
  const session = resume ?? after(flags, ["--session-id"]) ?? randomUUID();
  const { contexts } = state.memory;
  contexts.set(session, contexts.get(result.session) ?? 0);
  state.lastSession = session;
  for (const event of result.events) if (event.type === "usage") state.cost += event.cost_usd ?? 0;
  putFiles(state);
  writeState(stateFile, state);
  process.stdout.write(printed({ ...result, session }, after(flags, ["--output-format"]) ?? "text", state.marker));
  return result.exit;
}

function lookAt(state: State) {
  state.looks += 1;
  return look(state.project, state.looks);
}

/** The failures that Node's test runner prints, in the words of the simulated gate. */
function failuresIn(prompt: string): string {
  return prompt.replace(/(?:not ok \d+ - |✖ )(?:.*task-(\d+)\.test\.js|task (\d+)\b)/g, "not ok: task $1$2");
}

function isContinue(flag: string): boolean {
  return flag === "--continue" || flag === "-c";
}

/** The value of the first of these flags; null without one, or if another flag follows. */
function after(flags: readonly string[], names: readonly string[]): string | null {
  const at = flags.findIndex((flag) => names.includes(flag));
  const value = at < 0 ? undefined : flags[at + 1];
  return value === undefined || value.startsWith("--") ? null : value;
}
