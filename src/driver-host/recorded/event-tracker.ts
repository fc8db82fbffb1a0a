import { type CollectedOutput, collectEvent, emptyCollectedOutput } from "../../core/answer/collected-output.ts";
import { isSessionId } from "../../core/decide/session-id.ts";
import type { AgentEvent, Decoder, DecoderKit, Driver } from "../../driver.ts";
import { flatDecoder } from "../flat-decoder.ts";

/** What the events of a recorded output come to, as they come; none of them is kept. */
export type EventSummary = {
  output: CollectedOutput;
  events: number;
  unknown: number;
  /** There was an event that the decoder knows and that says something. */
  understood: boolean;
  finished: boolean;
  /** An event told what went wrong, even if it was overcome. */
  error: boolean;
};

export type EventTracker = { line(text: string): void; end(): EventSummary };

/** Folds what a decoder makes of the lines. */
export function trackEvents(decoder: Decoder, driver: Driver | null): EventTracker & { seen: Readonly<EventSummary> } {
  const seen: EventSummary = {
    output: emptyCollectedOutput(),
    events: 0,
    unknown: 0,
    understood: false,
    finished: false,
    error: false,
  };
  const take = (event: AgentEvent): void => {
    seen.events += 1;
    if (event.type === "ignored") return;
    if (event.type === "unknown") {
      seen.unknown += 1;
      return;
    }
    seen.understood = true;
    if (!isPossible(event, driver)) return;
    seen.finished ||= event.type === "finished";
    seen.error ||= event.type === "error";
    seen.output = collectEvent(seen.output, event);
  };
  return {
    seen,
    line(text) {
      for (const event of decoder.line(text)) take(event);
    },
    end() {
      decoder.end().forEach(take);
      return seen;
    },
  };
}

/** Reads JSON Lines by their driver; while it understands nothing of them they may be flat answers as well. */
export function trackJsonLines(driver: Driver | null, kit: DecoderKit): EventTracker {
  const own = driver?.decoder === undefined ? null : trackEvents(driver.decoder(kit), driver);
  const flat = trackEvents(flatDecoder(kit), driver);
  return {
    line(text) {
      own?.line(text);
      if (own?.seen.understood !== true) flat.line(text);
    },
    end() {
      const told = own?.end();
      if (told?.understood === true) return told;
      const answered = flat.end();
      return told === undefined || told.events === 0 || answered.finished ? answered : told;
    },
  };
}

function isPossible(event: AgentEvent, driver: Driver | null): boolean {
  if (event.type !== "session_id") return true;
  return isSessionId(driver ?? {}, event.session_id);
}
