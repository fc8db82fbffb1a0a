import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type AgentOutput, collect, emptyOutput } from "../core/agent-output.ts";
import { type CallJudgement, judgeCall } from "../core/call.ts";
import { classifyError } from "../core/limit-wording.ts";
import type { AgentEvent, CommandRequest, Driver, Host } from "../driver.ts";
import { decoderKit } from "../drivers/decode.ts";
import { textDecoder } from "../drivers/text-decoder.ts";
import { systemClock } from "../effects/clock.ts";
import { outputEnds } from "../effects/output-ends.ts";
import { createProcessPort } from "../effects/process.ts";
import { hookedSession } from "../run/session-chain.ts";

export type OneCall = CallJudgement & {
  output: AgentOutput;
  sessionId: string | null;
  /** Names of the tools that it used. */
  tools: string[];
  unknown: string[];
  ms: number;
};

const GRACE_MS = 5000;

/**
 * Calls an agent once, outside of any loop and journal.
 * @param folder for its output
 * @param timeoutMs of wall clock
 */
export async function callOnce(
  { driver, host, folder, timeoutMs, signal }: OneCallDeps,
  request: CommandRequest,
): Promise<OneCall> {
  const structured = request.format === "json" && driver.decoder !== undefined;
  const decoder = (structured ? driver.decoder?.(decoderKit) : undefined) ?? textDecoder();
  const events: AgentEvent[] = [];
  const plain: string[] = [];
  const id = randomUUID();
  const files = { stdoutFile: join(folder, `${id}.out`), stderrFile: join(folder, `${id}.err`) };
  const env = Object.fromEntries(
    Object.entries(host.env).filter((one): one is [string, string] => one[1] !== undefined),
  );
  const result = await createProcessPort(systemClock).run(driver.buildCommand(request), {
    ...files,
    cwd: request.cwd,
    env,
    timeoutMs,
    idleMs: 0,
    graceMs: GRACE_MS,
    signal,
    marker: `call-${id}`,
    onStart: () => {},
    onLines: (lines) => {
      for (const line of lines) {
        const found = decoder.line(line);
        if (found.length === 0 && line.trim() !== "") plain.push(line.slice(0, 1000));
        events.push(...found.filter(({ type }) => type !== "partial"));
      }
    },
    isFinished: () => events.some(({ type }) => type === "finished"),
  });
  events.push(...decoder.end());
  const output = events.reduce(collect, emptyOutput());
  const finished = events.some(({ type }) => type === "finished");
  const judgement = judgeCall(
    {
      outcome: result.outcome,
      exit_code: result.exitCode,
      spawn_error: result.spawnError,
      finished: output.finished,
      hasFinalEvent: structured && (driver.hasFinalEvent !== false || finished),
      error: output.error,
      limited: output.limit !== null,
      plainLines: [...plain.slice(-20), ...result.stderrTail],
      resumed: request.resume !== null,
    },
    classifyError,
  );
  const hooked =
    result.outcome === "spawn_failed"
      ? null
      : await hookedSession({ driver, host, ends: outputEnds }, files.stdoutFile, output.sessionId);
  return {
    ...judgement,
    output,
    sessionId: hooked ?? output.sessionId,
    tools: [
      ...new Set(
        events.flatMap((event) =>
          event.type === "tool_use" ? [event.tool === "Other" ? event.name : event.tool] : [],
        ),
      ),
    ],
    unknown: [...new Set(events.flatMap((event) => (event.type === "unknown" ? [event.name] : [])))],
    ms: result.ms,
  };
}

export type OneCallDeps = { driver: Driver; host: Host; folder: string; timeoutMs: number; signal: AbortSignal };
