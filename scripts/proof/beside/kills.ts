import { FLAWLESS, twoAtATime } from "./beside.ts";
import { HOWS, type KillEnd, killLoop } from "./kill-loop.ts";
import { type Given, LOOPS, type Loop } from "./loops.ts";
import { FASTER, OURS } from "./ours.ts";
import { isThere, type Places } from "./run-loop.ts";

/** Each loop, ended in each way in the middle of its first call. */
export type Kills = { kind: "kills"; tasks: number; rows: { loop: string; ends: KillEnd[] }[] };

const TASKS = 6;

/**
 * Ends each loop that is there in each way while its agent works; two at a time.
 * @param only loops whose name contains this; null: all, but those that differ in the CLI or the policy alone
 * @param say told one line a loop
 */
export async function kills(places: Places, only: string | null, say: (line: string) => void): Promise<Kills> {
  const chosen = LOOPS.filter(({ isDriven }) => isDriven !== true).filter((loop) =>
    only === null ? !OURS.includes(loop) || loop === OURS[0] : loop.name.includes(only),
  );
  const rows = await twoAtATime(
    chosen.filter((loop) => isThere(loop, places.peers)),
    async (loop) => {
      const ends: KillEnd[] = [];
      const shape = { tasks: TASKS, gap: 0 };
      const run = { loop: inRealTime(loop), persona: FLAWLESS, shape, seed: "killed" };
      for (const how of HOWS) ends.push(await killLoop(run, places, how));
      say(`${loop.name}: ${ends.map(({ how, left }) => `${how} ${left.join(", ") || "nothing"} left`).join("; ")}`);
      return { loop: loop.name, ends };
    },
  );
  return { kind: "kills", tasks: TASKS, rows };
}

/** What is left after seconds is looked for: the clock is the real one. */
function inRealTime(loop: Loop): Loop {
  const argv = (given: Given) => {
    const words = loop.argv(given);
    return words[0] === FASTER[0] ? words.slice(FASTER.length) : words;
  };
  return { ...loop, argv };
}
