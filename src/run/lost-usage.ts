import { sessionUsage } from "../core/decide/session.ts";
import type { EventBody } from "../core/journal/event.ts";
import type { State } from "../core/journal/state.ts";
import { addUsage, believableUsage, noUsage, totalTokens } from "../core/journal/usage.ts";
import { estimateUsd } from "../core/money/estimate.ts";
import type { Driver } from "../driver.ts";
import { decoderKit } from "../driver-host/decoder-kit.ts";
import { findBuiltIn } from "../driver-host/registry.ts";
import type { World } from "../effects/ports.ts";

/** A driver that reads the output of its agent. */
export type Reader = Pick<Driver, "name" | "decoder">;

/** How much of an output is read. */
const MOST_BYTES = { head: 8_000_000, tail: 8_000_000 };

/**
 * What a call had used that broke off with its ralph. Many agents tell it at a call's end, which nobody heard; the output that is
 * kept tells it as far as the call got. Nothing for an agent that tells as it goes, nor for one with a driver of its user's that is
 * not the one at hand.
 * @param atHand the driver of the run to come; null if it has none
 * @param state the one with the call still under way
 * @param stdoutFile the call's output
 */
export function lostUsage(
  world: Pick<World, "outputEnds" | "prices">,
  atHand: Reader | null,
  state: State,
  stdoutFile: string,
): EventBody[] {
  const { call, usage, session, settings } = state;
  if (call === null || call.agent === null || settings.CLAUDE_OUTPUT_FORMAT === "text") return [];
  if (totalTokens(usage) > totalTokens(call.spent_before ?? noUsage())) return [];
  const name = call.driver ?? state.driver;
  const driver = atHand?.name === name ? atHand : findBuiltIn(name)?.driver;
  const resume = call.purpose === "look" ? null : session.session_id;
  const decoder = driver?.decoder?.(decoderKit, { resume, used: sessionUsage(session) });
  if (decoder === undefined) return [];
  const { head, tail } = world.outputEnds(stdoutFile, MOST_BYTES);
  const events = [...`${head}${tail}`.split(/\r?\n/).flatMap((line) => decoder.line(line)), ...decoder.end([])];
  const told = events.flatMap((event) => (event.type === "usage" ? [believableUsage(event).usage] : []));
  if (told.length === 0) return [];
  const sum = told.reduce<ReturnType<typeof addUsage>>(addUsage, noUsage());
  const estimated_usd = estimateUsd(sum, modelOf(state, name), world.prices);
  return [{ type: "agent_usage", call: call.call, ...sum, ...(estimated_usd === null ? {} : { estimated_usd }) }];
}

/** The model that was asked for. */
function modelOf({ call, driver, settings }: State, name: string): string | null {
  const ofLook = call?.purpose === "look" ? settings.REVIEW_MODEL : null;
  const model = ofLook ?? (name === driver ? settings.CLAUDE_MODEL : null);
  return typeof model === "string" ? model : null;
}
