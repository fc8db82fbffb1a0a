import { sessionUsage } from "../core/decide/session.ts";
import type { EventBody } from "../core/journal/event.ts";
import type { State } from "../core/journal/state.ts";
import { addUsage, noUsage, type Spending, totalTokens } from "../core/journal/usage.ts";
import { estimateUsd } from "../core/money/estimate.ts";
import type { Driver } from "../driver.ts";
import { decoderKit } from "../driver-host/decoder-kit.ts";
import { findBuiltIn } from "../driver-host/registry.ts";
import type { World } from "../effects/ports.ts";
import { usageIn, usageInFile } from "./usage-file.ts";

/** A driver that reads what its agent tells. */
export type Reader = Pick<Driver, "name" | "decoder" | "sessionIds" | "usageFiles">;

/** How much of an output is read. */
const MOST_BYTES = { head: 8_000_000, tail: 8_000_000 };

/**
 * What a call had used that broke off with its ralph. Many agents tell it at a call's end, which nobody heard; the output that is
 * kept tells it as far as the call got, or a file of the agent's session. Nothing for an agent that tells as it goes, nor for one with
 * a driver of its user's that is not the one at hand.
 * @param atHand the driver of the run to come; null if it has none
 * @param state the one with the call still under way
 * @param stdoutFile the call's output
 */
export function lostUsage(
  world: Pick<World, "fileSize" | "host" | "outputEnds" | "prices">,
  atHand: Reader | null,
  state: State,
  stdoutFile: string,
): EventBody[] {
  const { call, usage } = state;
  if (call === null || call.agent === null) return [];
  if (totalTokens(usage) > totalTokens(call.spent_before ?? noUsage())) return [];
  const name = call.driver ?? state.driver;
  const driver = atHand?.name === name ? atHand : findBuiltIn(name)?.driver;
  if (driver === undefined) return [];
  const inOutput = usageInOutput(world, driver, state, stdoutFile);
  const told = inOutput ?? noUsage();
  const { usage_from: from } = call;
  const ofSession = { session: sessionOf(state), from: from ?? 0, told };
  const inFile = from === undefined ? null : usageInFile(world, driver, ofSession);
  if (inOutput === null && inFile === null) return [];
  const sum = addUsage(told, inFile ?? noUsage());
  const estimated_usd = estimateUsd(sum, modelOf(state, name), world.prices);
  return [{ type: "agent_usage", call: call.call, ...sum, ...(estimated_usd === null ? {} : { estimated_usd }) }];
}

function usageInOutput(world: Pick<World, "outputEnds">, driver: Reader, state: State, file: string): Spending | null {
  if (state.settings.CLAUDE_OUTPUT_FORMAT === "text") return null;
  const decoder = driver.decoder?.(decoderKit, { resume: sessionOf(state), used: sessionUsage(state.session) });
  if (decoder === undefined) return null;
  const { head, tail } = world.outputEnds(file, MOST_BYTES);
  return usageIn(decoder, `${head}${tail}`);
}

/** A look has a session of its own, which the state does not know. */
function sessionOf({ call, session }: State): string | null {
  return call?.purpose === "look" ? null : session.session_id;
}

/** The model that was asked for. */
function modelOf({ call, driver, settings }: State, name: string): string | null {
  const ofLook = call?.purpose === "look" ? settings.REVIEW_MODEL : null;
  const model = ofLook ?? (name === driver ? settings.CLAUDE_MODEL : null);
  return typeof model === "string" ? model : null;
}
