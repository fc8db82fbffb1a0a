import { sessionUsage } from "../core/decide/session.ts";
import type { EventBody } from "../core/journal/event.ts";
import type { State } from "../core/journal/state.ts";
import { addUsage, believableUsage, noUsage, totalTokens } from "../core/journal/usage.ts";
import { estimateUsd } from "../core/money/estimate.ts";
import type { World } from "../effects/ports.ts";
import type { Agent } from "./agent.ts";

/** What reads the output of an agent. */
export type OutputReader = Pick<Agent, "driver" | "decoders">;

/** How much of an output is read. */
const MOST_BYTES = { head: 8_000_000, tail: 8_000_000 };

/**
 * What a call had used that broke off with its ralph. Many agents tell it at a call's end, which nobody heard; the output that is
 * kept tells it as far as the call got. Nothing for an agent that tells as it goes, nor for one that this reader does not know.
 * @param state the one with the call still under way
 * @param stdoutFile the call's output
 */
export function lostUsage(
  { outputEnds, prices }: Pick<World, "outputEnds" | "prices">,
  { driver, decoders }: OutputReader,
  state: State,
  stdoutFile: string,
): EventBody[] {
  const { call, usage, session, settings } = state;
  // A look may be another agent's.
  if (call === null || call.agent === null || call.purpose === "look" || driver.name !== state.driver) return [];
  if (driver.decoder === undefined || settings.CLAUDE_OUTPUT_FORMAT === "text") return [];
  if (totalTokens(usage) > totalTokens(call.spent_before ?? noUsage())) return [];
  const decoder = driver.decoder(decoders.kit, { resume: session.session_id, used: sessionUsage(session) });
  const { head, tail } = outputEnds(stdoutFile, MOST_BYTES);
  const events = [...`${head}${tail}`.split(/\r?\n/).flatMap((line) => decoder.line(line)), ...decoder.end([])];
  const told = events.flatMap((event) => (event.type === "usage" ? [believableUsage(event).usage] : []));
  if (told.length === 0) return [];
  const sum = told.reduce<ReturnType<typeof addUsage>>(addUsage, noUsage());
  const model = typeof settings.CLAUDE_MODEL === "string" ? settings.CLAUDE_MODEL : null;
  const estimated_usd = estimateUsd(sum, model, prices);
  return [{ type: "agent_usage", call: call.call, ...sum, ...(estimated_usd === null ? {} : { estimated_usd }) }];
}
