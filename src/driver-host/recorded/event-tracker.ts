import { type CollectedOutput, collectEvent, emptyCollectedOutput } from "../../core/answer/collected-output.ts";
import { isSessionId } from "../../core/decide/session-id.ts";
import type { AgentEvent, Decoder, DecoderKit, Driver } from "../../driver.ts";
import { flatDecoder } from "../flat-decoder.ts";

/** A summary of a recorded output's events; the events themselves are not kept. */
export type EventSummary = {
  output: CollectedOutput;
  events: number;
  unknown: number;
  /** The decoder recognised an event that carries information. */
  understood: boolean;
  finished: boolean;
  /** An event reported an error, even one that the agent recovered from. */
  error: boolean;
};

export type EventTracker = { line(text: string): void; end(): EventSummary };

/** Folds the events of a decoder into a summary. A session is told as the output names it, whoever may resume it. */
export function trackEvents(decoder: Decoder): EventTracker & { summary: Readonly<EventSummary> } {
  const summary: EventSummary = {
    output: emptyCollectedOutput(),
    events: 0,
    unknown: 0,
    understood: false,
    finished: false,
    error: false,
  };
  const take = (event: AgentEvent): void => {
    summary.events += 1;
    if (event.type === "ignored") return;
    if (event.type === "unknown") {
      summary.unknown += 1;
      return;
    }
    summary.understood = true;
    if (event.type === "session_id" && !isSessionId({}, event.session_id)) return;
    summary.finished ||= event.type === "finished";
    summary.error ||= event.type === "error";
    summary.output = collectEvent(summary.output, event);
  };
  return {
    summary,
    line(text) {
      for (const event of decoder.line(text)) take(event);
    },
    end() {
      decoder.end().forEach(take);
      return summary;
    },
  };
}

/** Reads JSON Lines with their driver, and as flat answers too until the driver recognises an event. */
export function trackJsonLines(driver: Driver | null, kit: DecoderKit): EventTracker {
  const own = driver?.decoder === undefined ? null : trackEvents(driver.decoder(kit));
  const flat = trackEvents(flatDecoder(kit));
  return {
    line(text) {
      own?.line(text);
      if (own?.summary.understood !== true) flat.line(text);
    },
    end() {
      const ownSummary = own?.end();
      if (ownSummary?.understood === true) return ownSummary;
      const flatSummary = flat.end();
      return ownSummary === undefined || ownSummary.events === 0 || flatSummary.finished ? flatSummary : ownSummary;
    },
  };
}
