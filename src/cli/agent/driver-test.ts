import { randomUUID } from "node:crypto";
import { MINUTE_MS } from "../../core/durations.ts";
import { RalphError } from "../../core/errors.ts";
import { isOlder } from "../../core/release/version-order.ts";
import { type CheckResult, failed, passed, warned } from "../../core/report/check-result.ts";
import type { Settings } from "../../core/settings/settings.ts";
import type { CommandRequest, Host } from "../../driver.ts";
import { type AgentChoice, requireAgent } from "./agent-choice.ts";
import { agentVersion } from "./agent-version.ts";
import { callOnce, type OneCall } from "./one-call.ts";

export type DriverTest = {
  agent: AgentChoice;
  settings: Settings;
  /** The machine, with an empty folder as the one to work in. */
  host: Host;
  /** Another folder, for the output. */
  output: string;
  /** A word that stands in NOTE_FILE of the working folder and nowhere else. */
  word: string;
  signal: AbortSignal;
  /** Told as each check ends. */
  onResult(result: CheckResult): void;
};

/** The file that the agent is asked to read. */
export const NOTE_FILE = "note.txt";

const TIMEOUT_MS = 5 * MINUTE_MS;

/** Tries one driver on the real agent: one call, and a second one in the same session if there is one. */
export async function testDriver(test: DriverTest): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  const tell = (...more: CheckResult[]) => {
    for (const result of more) test.onResult(result);
    results.push(...more);
    return more.every((result) => result.passed || !result.required);
  };
  if (!tell(...(await found(test)))) return results;
  const prompt = `Read the file ${NOTE_FILE} in this folder with your tools, and answer with the word that stands in it. Do nothing else.`;
  const first = await call(test, prompt, null);
  if (!tell(...answered(test, first))) return results;
  if (test.agent.driver.supportsSessions === false || first.sessionId === null) return results;
  const question = "Which word did you read? Answer with that word alone, and use no tools.";
  tell(resumed(test, first.sessionId, await call(test, question, first.sessionId)));
  return results;
}

async function found({ agent, host }: DriverTest): Promise<CheckResult[]> {
  const { driver, binary, source } = agent;
  try {
    await requireAgent(agent, host);
  } catch (error) {
    if (error instanceof RalphError) return [failed("found", error.message, error.hint)];
    throw error;
  }
  const [program = ""] = binary;
  const version = await agentVersion(binary, host);
  const minimum = driver.minVersion ?? null;
  const old = version !== null && minimum !== null && isOlder(version, minimum);
  return [
    passed("found", `${host.which(program) ?? program}, by the driver ${driver.name} (${source})`),
    old
      ? warned("version", `${version} is older than ${minimum}`, driver.installCommand ?? null)
      : passed("version", `${version ?? "it does not tell"}${minimum === null ? "" : `, at least ${minimum}`}`),
  ];
}

async function call({ agent, settings, host, output, signal }: DriverTest, prompt: string, resume: string | null) {
  const { driver, binary } = agent;
  const request: CommandRequest = {
    binary,
    prompt,
    context: null,
    resume,
    newSessionId: randomUUID(),
    format: settings.CLAUDE_OUTPUT_FORMAT,
    partial: false,
    model: settings.CLAUDE_MODEL,
    effort: settings.CLAUDE_EFFORT,
    allowedTools: driver.supportsToolAllowlist === true ? settings.ALLOWED_TOOLS : null,
    permissionMode: settings.CLAUDE_PERMISSION_MODE,
    readOnly: false,
    cwd: host.cwd,
    isGitRepository: false,
  };
  const refusal = driver.preflight?.(host, request) ?? null;
  if (refusal !== null) throw new RalphError("environment", refusal);
  return callOnce({ driver, host, folder: output, timeoutMs: TIMEOUT_MS, signal }, request);
}

function answered({ agent, word }: DriverTest, first: OneCall): CheckResult[] {
  const { driver } = agent;
  if (!first.ok) {
    const error = first.error;
    const hint = error?.class === "auth" ? (driver.loginCommand ?? null) : null;
    return [failed("answered", error?.message ?? "The call was stopped.", hint)];
  }
  const text = first.output.finished?.text ?? first.output.trailingText;
  const spent = first.output.usage.cost_usd;
  const cost = spent === null ? "" : `, ${spent.toFixed(4)} USD`;
  const figures = `(${(first.ms / 1000).toFixed(1)} s${cost})`;
  return [
    text.trim() === ""
      ? failed("answered", "It ended well and said nothing that the driver understands.", "Look at its decoder.")
      : text.includes(word)
        ? passed("answered", `the right word ${figures}`)
        : warned("answered", `not the word of the file: ${shortLine(text)} ${figures}`, null),
    first.tools.length > 0
      ? passed("tools", first.tools.join(", "))
      : warned("tools", "No use of a tool was seen in its output.", null),
    ...(first.unknown.length === 0
      ? []
      : [warned("events", `unknown to the driver: ${first.unknown.join(", ")}`, null)]),
    sessionCheck(driver.supportsSessions !== false, first.sessionId),
  ];
}

function sessionCheck(supported: boolean, id: string | null): CheckResult {
  if (!supported) return passed("session", "the driver has none");
  if (id !== null) return passed("session", id);
  return warned("session", "No session id was found: every iteration begins anew.", null);
}

function resumed({ word }: DriverTest, sessionId: string, second: OneCall): CheckResult {
  if (!second.ok) return failed("resumed", second.error?.message ?? "The call was stopped.", null);
  const text = second.output.finished?.text ?? second.output.trailingText;
  if (text.includes(word)) return passed("resumed", "it remembers the word");
  if (second.sessionId === sessionId)
    return warned("resumed", `The same session, but it does not know the word: ${shortLine(text)}`, null);
  return warned("resumed", `It went on in another session (${second.sessionId ?? "unknown"}).`, null);
}

function shortLine(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
