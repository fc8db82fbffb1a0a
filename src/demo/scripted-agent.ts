import type { DemoIteration, DemoScript } from "../core/demo-script.ts";
import { parsePlan } from "../core/plan/fix-plan.ts";
import { messageOf } from "../core/system-error.ts";
import type { OutputFormat } from "../driver.ts";

/** One call of the scripted agent. */
export type DemoCall = {
  /** Index of the call in the script, from 0. */
  index: number;
  sessionId: string;
  format: OutputFormat;
  /** Stream the answer while it is being written. */
  partial: boolean;
  /** A review: writes, ticks and commits nothing. */
  readOnly: boolean;
};

/** The effects that the scripted agent may have; paths are relative to its working folder. */
export type DemoIo = {
  print(line: string): void;
  read(path: string): Promise<string | null>;
  write(path: string, content: string): Promise<void>;
  /** @throws when there is no repository */
  commit(message: string, paths: readonly string[]): Promise<void>;
  sleep(ms: number): Promise<void>;
  /** Starts a process that lives for `ms`, even after the agent has ended. */
  startBackground(ms: number): void;
  /** Epoch ms. */
  now(): number;
};

type Say = (event: { type: string } & Record<string, unknown>) => void;

const PLANS = [".ralph/@fix_plan.md", ".ralph/fix_plan.md", "@fix_plan.md", "fix_plan.md"];
const TYPING_STEPS = 8;

/**
 * Plays one entry of a script: its effects, and its output in the dialect of `drivers/demo.ts` (or plain text).
 * @returns the exit code of the agent
 */
export async function demoAgent(script: DemoScript, call: DemoCall, io: DemoIo): Promise<number> {
  const entry = script.iterations[Math.min(call.index, script.iterations.length - 1)] ?? {};
  const structured = call.format === "json" && entry.stream === undefined;
  const say: Say = (event) => {
    if (structured) io.print(JSON.stringify(event));
  };
  const started = io.now();
  const delay = (entry.delay_ms ?? 0) / (call.partial ? 2 : 1);

  say({ type: "session", session_id: call.sessionId });
  await io.sleep(delay);
  if (!call.readOnly) await work(entry, say, io);
  for (const [n, command] of (entry.denied ?? []).entries()) deny(`denied_${n + 1}`, command, say);
  if (entry.background_child !== undefined) io.startBackground(entry.background_child);
  if (entry.hang_ms !== undefined) await io.sleep(entry.hang_ms);
  for (const line of entry.stream ?? []) io.print(line);

  const answer = answerOf(entry);
  const failed = sayFailure(entry, say, io.now());
  if (!failed && answer !== "") {
    if (call.partial) await typeOut(answer, delay, say, io);
    say({ type: "text", text: answer });
    if (call.format === "text" && entry.stream === undefined) io.print(answer);
  }
  const exitCode = entry.exit_code ?? (failed ? 1 : 0);
  const { cost_usd = 0, input_tokens = 1000, output_tokens = Math.ceil(answer.length / 4) } = entry.usage ?? {};
  say({ type: "usage", input_tokens, output_tokens, cost_usd, turns: 1, model: "demo" });
  const text = failed ? null : answer;
  say({ type: "finished", ok: exitCode === 0, text, duration_ms: io.now() - started, cost_usd });
  return exitCode;
}

async function work(entry: DemoIteration, say: Say, io: DemoIo): Promise<void> {
  const changed: string[] = [];
  for (const [path, content] of Object.entries(entry.write ?? {})) {
    await useTool({ id: `write_${changed.length + 1}`, name: "Write", input: { file_path: path, content } }, say, () =>
      io.write(path, content),
    );
    changed.push(path);
  }
  if (entry.tick !== undefined) changed.push(...(await tick(entry.tick, say, io)));
  const { commit } = entry;
  if (commit === undefined) return;
  const input = { command: `git commit -m ${JSON.stringify(commit)}`, description: "Commit the work" };
  await useTool({ id: "commit", name: "Bash", input }, say, () => io.commit(commit, changed));
}

async function tick(wanted: number, say: Say, io: DemoIo): Promise<string[]> {
  for (const path of PLANS) {
    const plan = await io.read(path);
    if (plan === null) continue;
    const content = tickBoxes(plan, wanted);
    await useTool({ id: "tick", name: "Write", input: { file_path: path, content } }, say, () =>
      io.write(path, content),
    );
    return [path];
  }
  return [];
}

/** Ticks the first `wanted` open boxes of a plan. Everything else, including the line ends, stays unchanged. */
export function tickBoxes(plan: string, wanted: number): string {
  const open = new Set(
    parsePlan(plan, [])
      .tasks.map(({ line }) => line)
      .slice(0, wanted),
  );
  // Every other part is a line end.
  return plan
    .split(/(\r\n|\n|\r)/)
    .map((part, at) => (open.has(at / 2 + 1) ? part.replace(/\[[ \t\u00a0]\]/, "[x]") : part))
    .join("");
}

/**
 * Makes a tool call and prints its result. As with real agents, a failure is reported to the model and does not end the
 * run.
 */
async function useTool(
  tool: { id: string; name: string; input: Record<string, unknown> },
  say: Say,
  effect: () => Promise<void>,
): Promise<void> {
  say({ type: "tool", ...tool });
  const failure = await effect().then(() => null, messageOf);
  say({ type: "tool_result", id: tool.id, content: failure ?? "ok", is_error: failure !== null });
}

function deny(id: string, command: string, say: Say): void {
  say({ type: "tool", id, name: "Bash", input: { command, description: null } });
  say({ type: "tool_result", id, content: "Permission to run this command was denied.", is_error: true });
  say({ type: "denied", id, tool: "Bash", command });
}

function sayFailure({ limit, error }: DemoIteration, say: Say, now: number): boolean {
  if (limit !== undefined) {
    const message = limit.message ?? "The usage limit of the demo is reached.";
    const resets_at = limit.resets_in_ms === undefined ? null : new Date(now + limit.resets_in_ms).toISOString();
    say({ type: "limit", kind: "usage_limit", message, resets_at });
    say({ type: "error", class: "limit", message });
  }
  if (error !== undefined) say({ type: "error", ...error });
  return limit !== undefined || error !== undefined;
}

async function typeOut(answer: string, ms: number, say: Say, io: DemoIo): Promise<void> {
  for (let step = 1; step < TYPING_STEPS; step++) {
    say({ type: "partial", text: answer.slice(0, Math.ceil((answer.length * step) / TYPING_STEPS)) });
    await io.sleep(ms / TYPING_STEPS);
  }
}

/** The answer: its text, and the status block that the prompt asks for. */
function answerOf({ text = "", status }: DemoIteration): string {
  if (status === undefined) return text;
  const fields = Object.entries(status).map(([key, value]) => `${key.toUpperCase()}: ${value}`);
  const block = ["---RALPH_STATUS---", ...fields, "---END_RALPH_STATUS---"].join("\n");
  return text === "" ? block : `${text}\n\n${block}`;
}
