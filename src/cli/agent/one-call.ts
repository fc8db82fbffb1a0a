import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { CollectedOutput } from "../../core/answer/collected-output.ts";
import type { CallAssessment } from "../../core/decide/call-assessment.ts";
import { definedOnly } from "../../core/defined-only.ts";
import { GRACE_MS } from "../../core/durations.ts";
import type { EventBody } from "../../core/journal/event.ts";
import { noUsage } from "../../core/journal/usage.ts";
import type { CommandRequest, Driver, Host } from "../../driver.ts";
import { decoderKit } from "../../driver-host/decoder-kit.ts";
import { textDecoder } from "../../driver-host/text-decoder.ts";
import { steadyClock } from "../../effects/clock.ts";
import { outputEnds } from "../../effects/process/output-ends.ts";
import { createProcessPort } from "../../effects/process/run-process.ts";
import { createListener } from "../../run/listener.ts";
import { hookedSession } from "../../run/session-chain.ts";

export type OneCall = CallAssessment & {
  output: CollectedOutput;
  sessionId: string | null;
  /** Names of the tools that it used. */
  tools: string[];
  unknown: string[];
  ms: number;
};

export type OneCallDeps = {
  driver: Driver;
  host: Host;
  /** For its output. */
  folder: string;
  /** ms of running time. */
  timeoutMs: number;
  signal: AbortSignal;
};

/** Calls an agent once, outside of any loop and journal. */
export async function callOnce(
  { driver, host, folder, timeoutMs, signal }: OneCallDeps,
  request: CommandRequest,
): Promise<OneCall> {
  const decoders = { kit: decoderKit, text: textDecoder };
  const listener = createListener({ driver, request, decoders, used: noUsage(), call: 1, onPartial: () => {} });
  const tools = new Set<string>();
  const note = (bodies: readonly EventBody[]) => {
    for (const body of bodies)
      if (body.type === "agent_tool_started") tools.add(body.tool === "Other" ? body.name : body.tool);
  };
  const id = randomUUID();
  const files = { stdoutFile: join(folder, `${id}.out`), stderrFile: join(folder, `${id}.err`) };
  const result = await createProcessPort(steadyClock).run(driver.buildCommand(request), {
    ...files,
    cwd: request.cwd,
    env: definedOnly(host.env),
    timeoutMs,
    idleMs: 0,
    graceMs: GRACE_MS,
    signal,
    marker: `call-${id}`,
    onStart: () => {},
    onLines: (lines) => note(listener.lines(lines)),
    isFinished: () => listener.state().output.finished !== null,
  });
  note(listener.end(result.stderrTail));
  const port = { driver, host, ends: outputEnds };
  if (result.outcome !== "spawn_failed")
    listener.session(await hookedSession(port, files.stdoutFile, listener.state().sessionId));
  const { output, sessionId, unknownNames } = listener.state();
  return { ...listener.judge(result), output, sessionId, tools: [...tools], unknown: [...unknownNames], ms: result.ms };
}
