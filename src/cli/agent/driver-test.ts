import { finalText } from "../../core/answer/collected-output.ts";
import { describeTokens, totalTokens } from "../../core/journal/usage.ts";
import { isOlder } from "../../core/release/semver.ts";
import { type CheckResult, failed, failedBy, passed, warned } from "../../core/report/check-result.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { truncate } from "../../core/text/truncate.ts";
import type { Driver, Host } from "../../driver.ts";
import { projectPaths } from "../../effects/project/project-paths.ts";
import { createWorld } from "../../effects/world.ts";
import { type CallResult, callAgent } from "../../run/call.ts";
import { composeRequest, requestBase } from "../../run/compose-request.ts";
import { type Run, withRun } from "../../run/run.ts";
import { VERSION } from "../../version.ts";
import { refused } from "../run/preflight.ts";
import { onSignals } from "../run/signals.ts";
import { type AgentChoice, requireAgent } from "./agent-choice.ts";
import { agentVersion } from "./agent-version.ts";

/** Characters shown of an unexpected answer. */
const SAID_CHARS = 60;

export type DriverTest = {
  agent: AgentChoice;
  settings: Settings;
  /** The machine, with an empty working folder. */
  host: Host;
  /** A word that stands only in NOTE_FILE of the working folder. */
  word: string;
  /** Called as each check ends. */
  onResult(result: CheckResult): void;
};

/** The file that the agent is asked to read. */
export const NOTE_FILE = "note.txt";

const TIMEOUT_MINUTES = 5;

/**
 * Tries one driver on the real agent: one call, then a second in the same session if there is one. Each call belongs to
 * a run in the agent's working folder.
 */
export async function testDriver(test: DriverTest): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  const report = (...more: CheckResult[]) => {
    for (const result of more) test.onResult(result);
    results.push(...more);
    return more.every((result) => result.passed || !result.required);
  };
  if (!report(...(await checkFound(test)))) return results;
  const { agent, settings, host } = test;
  const world = createWorld({
    paths: projectPaths(host.cwd, null, null),
    host,
    use: { kind: "read", files: [] },
  });
  const spec = {
    driver: agent.driver,
    settings: { ...settings, CLAUDE_TIMEOUT_MINUTES: TIMEOUT_MINUTES, IDLE_TIMEOUT_MINUTES: 0 },
    version: VERSION,
    startedBy: "test",
    subscribers: [],
    recordIn: "new run",
    takesCommands: false,
  } as const;
  await withRun(world, spec, async (run) => {
    const release = onSignals((signal) => run.stops.request(signal, "now"));
    try {
      await askTwice(run, test, report);
      run.finish("stopped_by_user", "The driver was tried.");
    } finally {
      release();
    }
  });
  return results;
}

async function askTwice(run: Run, test: DriverTest, report: (...results: CheckResult[]) => boolean): Promise<void> {
  const { driver } = test.agent;
  const tools = collectTools(run);
  const prompt = `Read the file ${NOTE_FILE} in this folder with your tools, and answer with the word that stands in it. Do nothing else.`;
  const first = await ask(run, test, { call: 1, prompt, resume: null });
  if (!report(...answered(test, first, [...tools]))) return;
  if (driver.supportsSessions === false || first.sessionId === null) return;
  const question = "Which word did you read? Answer with that word alone, and use no tools.";
  report(resumed(test, first.sessionId, await ask(run, test, { call: 2, prompt: question, resume: first.sessionId })));
}

/** Collects the names of the tools that the agent uses, as it uses them. */
function collectTools({ subscribe }: Run): ReadonlySet<string> {
  const tools = new Set<string>();
  subscribe({
    name: "the driver test",
    onEvents(steps) {
      for (const { event } of steps)
        if (event.type === "agent_tool_started") tools.add(event.tool === "Other" ? event.name : event.tool);
    },
  });
  return tools;
}

async function checkFound({ agent, host }: DriverTest): Promise<CheckResult[]> {
  const { driver, binary, source } = agent;
  try {
    await requireAgent(agent, host);
  } catch (error) {
    return [failedBy("found", error)];
  }
  const [program = ""] = binary;
  const version = await agentVersion(binary, host);
  const minimum = driver.minVersion ?? null;
  const old = version !== null && minimum !== null && isOlder(version, minimum);
  return [
    passed("found", `${host.which(program) ?? program}, by the driver ${driver.name} (${source})`),
    old
      ? warned("version", `${version} is older than ${minimum}`, driver.installCommand ?? null)
      : passed("version", `${version ?? "not reported"}${minimum === null ? "" : `, at least ${minimum}`}`),
  ];
}

type Question = { call: number; prompt: string; resume: string | null };

async function ask(run: Run, { agent }: DriverTest, { call, prompt, resume }: Question): Promise<CallResult> {
  const caller = { ...agent, onPartial: () => {}, live: false };
  const request = composeRequest({ ...requestBase(run, caller), prompt, resume, readOnly: false });
  const refusal = agent.driver.preflight?.(run.world.host, request) ?? null;
  if (refusal !== null) throw refused(refusal);
  return callAgent(run, caller, { purpose: "test", iteration: 0, call, request });
}

function answered({ agent, word, host }: DriverTest, first: CallResult, tools: readonly string[]): CheckResult[] {
  const { driver } = agent;
  if (!first.ok) {
    const error = first.error;
    const hint = error?.class === "auth" ? (driver.loginCommand ?? null) : null;
    return [failed("answered", error?.message ?? "The call was stopped.", hint)];
  }
  const text = finalText(first.output);
  const spent = first.output.usage.cost_usd;
  const cost = spent === null ? "" : `, ${spent.toFixed(4)} USD`;
  const figures = `(${(first.ms / 1000).toFixed(1)} s${cost})`;
  return [
    text.trim() === ""
      ? failed("answered", "It ended well but said nothing that the driver understands.", "Look at its decoder.")
      : text.includes(word)
        ? passed("answered", `the right word ${figures}`)
        : warned("answered", `not the word of the file: ${truncate(singleLine(text), SAID_CHARS)} ${figures}`, null),
    tools.length > 0 ? passed("tools", tools.join(", ")) : warned("tools", "Its output shows no use of a tool.", null),
    ...(first.unknownEvents.length === 0
      ? []
      : [warned("events", `unknown to the driver: ${first.unknownEvents.join(", ")}`, null)]),
    sessionCheck(driver.supportsSessions !== false, first.sessionId),
    ...(driver.usageFiles === undefined ? [] : [usageCheck(driver, host, first)]),
  ];
}

function usageCheck(driver: Driver, host: Host, { output, sessionId }: CallResult): CheckResult {
  if (totalTokens(output.usage) > 0) return passed("usage", `${describeTokens(output.usage)} tokens`);
  const files = sessionId === null ? [] : (driver.usageFiles?.(host, sessionId) ?? []);
  return warned(
    "usage",
    `No tokens were told, nor found in ${files.length === 0 ? "a file of the session" : files.join(" or ")}.`,
    "Look at the driver's usageFiles, and at what its decoder makes of a line there.",
  );
}

function sessionCheck(supported: boolean, id: string | null): CheckResult {
  if (!supported) return passed("session", "the driver has none");
  if (id !== null) return passed("session", id);
  return warned("session", "No session id was found: every iteration starts over.", null);
}

function resumed({ word }: DriverTest, sessionId: string, second: CallResult): CheckResult {
  if (!second.ok) return failed("resumed", second.error?.message ?? "The call was stopped.", null);
  const text = finalText(second.output);
  if (text.includes(word)) return passed("resumed", "it remembers the word");
  if (second.sessionId === sessionId)
    return warned(
      "resumed",
      `It resumed the session, but does not know the word: ${truncate(singleLine(text), SAID_CHARS)}`,
      null,
    );
  return warned("resumed", `It went on in another session (${second.sessionId ?? "unknown"}).`, null);
}
