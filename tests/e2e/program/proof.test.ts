import { describe, expect, test } from "bun:test";
import { binary } from "../../../scripts/lib/paths.ts";
import { OURS } from "../../../scripts/proof/beside/ours.ts";
import { type End, runLoop } from "../../../scripts/proof/beside/run-loop.ts";
import { PERSONAS, type PersonaName } from "../../../scripts/proof/persona.ts";
import { USUAL } from "../../../scripts/proof/policies.ts";
import { trial } from "../../../scripts/proof/trial.ts";
import { specOf } from "../../../scripts/proof/virtual/matrix.ts";
import { NPM, putPrograms } from "../support/light-programs.ts";

const SHAPE = { tasks: 6, gap: 0 };
/** Waits between calls pass ten times as fast: without `faketime` this would take minutes. */
const canRun = process.platform !== "win32" && Bun.which("faketime") !== null;

/** Runs each file of tests in one process: as tests that are red if they cannot be read. */
const IN_ONE = `import { readdirSync } from "node:fs";
import { test } from "node:test";
for (const name of readdirSync("tests").sort()) {
  const file = process.cwd() + "/tests/" + name;
  await import("file://" + file).catch((error) => test(file, () => { throw error; }));
}
`;

/**
 * `npm test` and `node --test` as they are, but for what they start: npm itself, and a process for each file. A run calls them fifty
 * times.
 */
function lighten(bin: string): void {
  const node = Bun.which("node");
  putPrograms(bin, {
    npm: NPM,
    node: `[ "$*" = '--test tests/' ] || exec '${node}' "$@"
exec '${node}' --input-type=module -e '${IN_ONE}'`,
  });
}

function program(name: string, persona: PersonaName, seed: string): Promise<End> {
  const found = OURS.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no loop ${name}`);
  const argv: typeof found.argv = (given) => {
    lighten(given.bin);
    return found.argv(given);
  };
  const loop = { ...found, argv };
  return runLoop({ loop, persona: PERSONAS[persona], shape: SHAPE, seed }, { ralph: binary, peers: "none" });
}

function virtual(persona: PersonaName, seed: string) {
  const spec = specOf(PERSONAS[persona], USUAL, SHAPE);
  return trial(seed, { ...spec, settings: { ...spec.settings, MAX_ITERATIONS: 40 } });
}

describe.if(canRun)("the program ends as the loop in virtual time does", () => {
  for (const [persona, seed] of [
    ["weak", "4"],
    ["cheat", "2"],
    ["limited", "2"],
  ] as const)
    test(`${persona}, seed ${seed}: end, calls, truth and money`, async () => {
      const [real, { exitCode, trulyDone, calls, cost }] = [
        await program(USUAL.name, persona, seed),
        await virtual(persona, seed),
      ];
      expect({ ...real, cost: real.cost.toFixed(4) }).toMatchObject({
        exitCode,
        trulyDone,
        calls,
        cost: cost.toFixed(4),
        callsInLimit: 0,
      });
    });

  for (const cli of ["Codex", "OpenCode", "Copilot", "Cursor"])
    test(`with ${cli}: end, calls and truth`, async () => {
      const { exitCode, trulyDone, calls } = await virtual("weak", "1");
      expect(await program(`ours with ${cli}`, "weak", "1")).toMatchObject({ exitCode, trulyDone, calls });
    });
});
