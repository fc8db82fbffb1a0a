/** When checkpoints are made and written: read at once, on the disk once the next agent works, and always before the run ends. */
import { expect, test } from "bun:test";
import type { Settings } from "../../src/core/settings/settings.ts";
import type { Checkpoints } from "../../src/effects/ports.ts";
import { loop } from "../../src/run/jobs/loop.ts";
import { type FakeParts, fakeWorld, finished, type Play } from "./fake-world.ts";

const SHOWN = new Set(["agent_started", "gate_started", "wait_started", "run_finished"]);
const works: Play = { says: [finished], changes: ["a.ts"] };

/** A run of three iterations. `log`: writes and events in order. */
async function played(
  parts: {
    fails?: string;
    unreadable?: string;
    isNew?: string;
    leftOut?: Record<string, string[]>;
    settings?: Partial<Settings>;
  } = {},
) {
  const log: string[] = [];
  const read: Checkpoints["read"] = (_, { name, onlyNew }) => {
    if (onlyNew && name !== parts.isNew && name !== "1.before") return null;
    log.push(`read ${name}`);
    if (name === parts.unreadable) throw new Error("the disk is broken");
    const write = () => {
      if (name === parts.fails) throw new Error("the disk is full");
      log.push(`write ${name}`);
    };
    return { commit: `c${name}`, leftOut: parts.leftOut?.[name] ?? [], lost: null, write };
  };
  const fake = fakeWorld({
    plays: [works, works, works],
    settings: { MAX_ITERATIONS: 3, ...parts.settings },
    world: { checkpoints: { ...unused, read } },
    onWrite(events) {
      for (const event of events) {
        if (event.type === "checkpoint_made" || event.type === "checkpoint_missed")
          log.push(`${event.type} ${event.name}`);
        if (SHOWN.has(event.type)) log.push(event.type);
      }
    },
  } satisfies FakeParts);
  await fake.run(loop);
  return { log, journal: fake.journal };
}

const unused: Omit<Checkpoints, "read"> = {
  make: () => {
    throw new Error("a run reads first");
  },
  restore: () => Promise.reject(new Error("a run gives nothing back")),
  takeBack: () => Promise.reject(new Error("a run takes nothing back")),
};

test("an iteration's files are read at once, and written while the next agent works; the last before the end", async () => {
  const { log } = await played();
  expect(log).toEqual([
    ...["read 1.before", "write 1.before", "checkpoint_made 1.before", "agent_started"],
    ...["read 1", "agent_started", "write 1", "checkpoint_made 1"],
    ...["read 2", "agent_started", "write 2", "checkpoint_made 2"],
    ...["read 3", "write 3", "checkpoint_made 3", "run_finished"],
  ]);
});

test("nothing waits for a gate, or for a limit to end", async () => {
  const gated = await played({ settings: { TEST_COMMAND: "npm test" } });
  expect(gated.log.join(", ")).toContain("read 1, gate_started, write 1, checkpoint_made 1");
  const limited = await played({ settings: { MAX_CALLS_PER_HOUR: 1 } });
  expect(limited.log.join(", ")).toContain("read 1, wait_started, write 1, checkpoint_made 1, agent_started");
});

test("what a person changed while the run waited is kept after the iteration before it", async () => {
  const { log } = await played({ isNew: "2.before", settings: { MAX_CALLS_PER_HOUR: 1 } });
  expect(log.slice(4, 12)).toEqual([
    "read 1",
    "wait_started",
    "write 1",
    "checkpoint_made 1",
    "read 2.before",
    "write 2.before",
    "checkpoint_made 2.before",
    "agent_started",
  ]);
});

test("right after an iteration its files are not read once more", async () => {
  const { log } = await played({ isNew: "2.before" });
  expect(log).not.toContain("read 2.before");
  expect(log).toContain("read 2");
});

test("the files are looked at again before the next iteration, where those of the last one could not be read", async () => {
  const { log } = await played({ unreadable: "1", isNew: "2.before" });
  expect(log).toContain("checkpoint_missed 1");
  expect(log).toContain("checkpoint_made 2.before");
});

test("there is none where CHECKPOINTS is off", async () => {
  const { log } = await played({ settings: { CHECKPOINTS: false } });
  expect(log).toEqual(["agent_started", "agent_started", "agent_started", "run_finished"]);
});

test("the files that one lacks are named, and again only where they grew more", async () => {
  const [large, more] = [["a.bin"], ["a.bin", "b.bin", "c.bin", "d.bin"]];
  const { journal } = await played({ leftOut: { "1.before": large, "1": large, "2": more, "3": more } });
  const told = journal.flatMap((event) => (event.type === "note" && event.level === "warn" ? [event.text] : []));
  expect(told).toEqual([
    expect.stringMatching(/^1 file is too large or too many for checkpoints.* leaves them as they are \(a\.bin\)\.$/),
    expect.stringMatching(/^4 files are too large .*\(a\.bin, b\.bin, c\.bin …\)\.$/),
  ]);
});

test("one that cannot be written is told, and the run goes on", async () => {
  const { log, journal } = await played({ fails: "2" });
  expect(log).toContain("checkpoint_missed 2");
  expect(log).toContain("checkpoint_made 3");
  expect(journal).toContainEqual(
    expect.objectContaining({
      type: "note",
      level: "warn",
      text: "No checkpoint of the files could be made: the disk is full. The run goes on.",
    }),
  );
});
