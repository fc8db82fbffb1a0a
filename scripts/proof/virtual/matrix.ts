import { type Figures, figuresOf } from "../figures.ts";
import { PERSONAS, type Persona, type PersonaName } from "../persona.ts";
import { POLICIES, type Policy, settingsOf, USUAL } from "../policies.ts";
import type { ProjectShape } from "../project.ts";
import type { TrialSpec } from "../trial.ts";
import { trials } from "../trials.ts";
import { bareWhile } from "./bare-while.ts";
import { type BoundRow, boundRows, type Stalls, stalls } from "./bounds.ts";

/** One loop with one agent in one kind of project. */
export type VirtualRow = { persona: PersonaName; loop: string; shape: ProjectShape; figures: Figures };
/** What comes out with one figure of the agent halved, and doubled. */
export type Swing = { figure: keyof Persona; half: Figures; double: Figures };
/** A loop that asks for so many looks without a gap before done counts. */
export type LooksRow = { looks: number; figures: Figures };
/** Everything that is run in virtual time. */
export type Matrix = {
  kind: "virtual";
  runs: number;
  rows: VirtualRow[];
  sizes: VirtualRow[];
  looks: LooksRow[];
  swings: Swing[];
  bounds: BoundRow[];
  stalls: Stalls;
};

const BARE = "bare while";
const GAPS = [0, 0.25] as const;
const SIZES = [5, 20, 50, 200] as const;
/** Where looks are worth something: a gate that misses faults. */
const LOOKED_AT = { tasks: 6, gap: 0.25 } as const;
const LOOKS = [0, 1, 2, 3] as const;
/** Loops that would wait for a hung call for ever are not asked to. */
const NAMES = Object.keys(PERSONAS) as PersonaName[];
const SWUNG = [
  "wrong",
  "idle",
  "idleStays",
  "earlyClaim",
  "claimsAtOnce",
  "fixesTold",
  "fixesUntold",
  "regresses",
  "asks",
  "crashes",
  "gateFlakes",
  "growth",
] as const satisfies (keyof Persona)[];

/**
 * Runs each policy and a bare loop with each agent, projects of several sizes, and one agent with each of its figures swung.
 * @param runs seeds of each cell
 * @param say told one line a finished part
 */
export async function matrix(runs: number, say: (line: string) => void): Promise<Matrix> {
  const rows: VirtualRow[] = [];
  for (const persona of NAMES) {
    for (const gap of GAPS) rows.push(...(await rowsOf(persona, { tasks: 6, gap }, runs)));
    say(`${persona}: ${runs} seeds, ${POLICIES.length + 1} loops, ${GAPS.length} gates`);
  }
  const sizes: VirtualRow[] = [];
  for (const tasks of SIZES) {
    const shape = { tasks, gap: 0.1, isGraph: true };
    const few = Math.ceil((runs * SIZES[0]) / tasks);
    sizes.push(await rowOf("weak", USUAL, shape, few));
    say(`${tasks} tasks: ${few} seeds`);
  }
  const looks = await looksRows(runs);
  say("looks of a stranger");
  const swings: Swing[] = [];
  for (const figure of SWUNG) {
    const [half, double] = [await swung(figure, 0.5, runs), await swung(figure, 2, runs)];
    swings.push({ figure, half, double });
    say(`${figure}: half and double`);
  }
  const bounds = await boundRows(runs);
  say("bounds of money");
  return { kind: "virtual", runs, rows, sizes, looks, swings, bounds, stalls: await stalls(runs) };
}

async function rowsOf(persona: PersonaName, shape: ProjectShape, runs: number): Promise<VirtualRow[]> {
  const rows: VirtualRow[] = [];
  for (const policy of POLICIES) rows.push(await rowOf(persona, policy, shape, runs));
  const spec = specOf(PERSONAS[persona], USUAL, shape);
  const bare = seeds(runs).map((seed) => bareWhile(seed, spec));
  return PERSONAS[persona].hangs > 0 ? rows : [...rows, { persona, loop: BARE, shape, figures: figuresOf(bare) }];
}

async function rowOf(persona: PersonaName, policy: Policy, shape: ProjectShape, runs: number): Promise<VirtualRow> {
  const figures = await figuresWith(specOf(PERSONAS[persona], policy, shape), runs);
  return { persona, loop: policy.name, shape, figures };
}

/** @param runs seeds of each row */
export async function looksRows(runs: number): Promise<LooksRow[]> {
  const spec = specOf(PERSONAS.weak, USUAL, LOOKED_AT);
  const rows: LooksRow[] = [];
  for (const looks of LOOKS) {
    const settings = { ...spec.settings, REVIEW_ON_DONE: looks };
    rows.push({ looks, figures: await figuresWith({ ...spec, settings }, runs) });
  }
  return rows;
}

/** The project that loops are also run in beside each other: its tests are there from the start. */
export function specOf(persona: Persona, policy: Policy, shape: ProjectShape): TrialSpec {
  return { persona, shape, gate: "accepts", hasPlan: true, settings: settingsOf(policy) };
}

function swung(figure: (typeof SWUNG)[number], factor: number, runs: number): Promise<Figures> {
  const weak: Persona = PERSONAS.weak;
  // Where an honest agent has nothing to halve, the smallest rate that anybody would call one.
  const usual = weak[figure] === 0 ? 0.02 : weak[figure];
  const value = figure === "growth" ? usual * factor : Math.min(0.98, usual * factor);
  return figuresWith(specOf({ ...weak, [figure]: value }, USUAL, { tasks: 6, gap: 0.1 }), runs);
}

async function figuresWith(spec: TrialSpec, runs: number): Promise<Figures> {
  return figuresOf(await trials(spec, runs));
}

function seeds(runs: number): string[] {
  return Array.from({ length: runs }, (_, index) => `${index + 1}`);
}
