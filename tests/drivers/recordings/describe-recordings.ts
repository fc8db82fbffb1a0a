import { describe, expect, test } from "bun:test";
import type { AgentEvent, Driver } from "../../../src/driver.ts";
import { eventsOf, inWords, type UsageEvent } from "../in-words.ts";
import { only, type Recording, recordings } from "./recordings.ts";

export type Expected = {
  /** Folder of the recordings below tests/fixtures/agent-output. */
  cli: string;
  /** There must be more recordings than this. */
  moreThan: number;
  /** The events of some recordings, in words. */
  words: Readonly<Record<string, readonly string[]>>;
  /** How usage is worded. */
  usage?: (event: UsageEvent) => string;
};

/** What is true of every CLI's recordings, and the events of some of them. */
export function describeRecordings(driver: Driver, { cli, moreThan, words, usage }: Expected): void {
  const all = recordings(cli);
  describe(`recorded runs of ${driver.displayName}`, () => {
    test("there are recordings to read", () => expect(all.length).toBeGreaterThan(moreThan));

    test.each(all)("$name has no event that the driver does not know", ({ bytes }) => {
      expect(only(eventsOf(driver, [bytes]), "unknown")).toEqual([]);
    });

    test.each(all)("$name reports success only if the program exited with 0", ({ name, bytes, exitCode }) => {
      const found = eventsOf(driver, [bytes]);
      const [finished] = only(found, "finished");
      if (finished?.ok) expect([exitCode, only(found, "error")]).toEqual([0, []]);
      if (finished?.ok === false) expect(only(found, "error")).toHaveLength(1);
      // A CLI that a signal ended may still exit with 0.
      if (exitCode === 0 && !name.startsWith("sig")) expect(finished?.ok).toBe(true);
    });

    test.each(all)("$name reads the same byte by byte", ({ bytes }) => {
      const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
      expect(eventsOf(driver, single)).toEqual(eventsOf(driver, [bytes]));
    });

    test.each(Object.entries(words))("%s gives the expected events", (name, said) => {
      expect(inWords(recordedEvents(driver, cli, name), usage)).toEqual([...said]);
    });
  });
}

/** @param name of the file; without an extension, `.json.jsonl` is added */
export function recording(cli: string, name: string): Recording {
  const found = recordings(cli).find((one) => one.name === name || one.name === `${name}.json.jsonl`);
  if (found === undefined) throw new Error(`no recording ${name}`);
  return found;
}

/** The events of one recorded run. */
export function recordedEvents(driver: Driver, cli: string, name: string): AgentEvent[] {
  return eventsOf(driver, [recording(cli, name).bytes]);
}
