/**
 * How a simulated agent behaves: probabilities for one call unless said otherwise. A figure has its source in `PERSONAS`;
 * "chosen" means that nobody has published one.
 */
export type Persona = {
  name: string;
  /** A task is ticked, but wrong. */
  wrong: number;
  /** A task is ticked without any work. */
  tickOnly: number;
  /** Tasks that one call works on. */
  tasksPerCall: number;
  /** An idle call begins, and the chance that the next one is idle too. */
  idle: number;
  idleStays: number;
  /** A conversation that begins anew, or the evidence in words, ends a burst of idle calls. */
  idleEndsFresh: number;
  /** Claims that everything is done while it is not, with and without work in the same call. */
  earlyClaim: number;
  worksWhileClaiming: boolean;
  /** Says that it is done in the call that did the last task; else in the next one. */
  claimsAtOnce: number;
  /** Never says that it is done. */
  neverClaims: boolean;
  /** Mends a fault that it is told of; finds one by itself. */
  fixesTold: number;
  fixesUntold: number;
  /** Weakens the gate instead when it is told a failure; restores it when it is told that. */
  tampers: number;
  restores: number;
  /** Breaks a finished task while it works on another. */
  regresses: number;
  /** Asks somebody instead of working. */
  asks: number;
  /** Each call is denied its tool, and touches one line of one file. */
  denied: boolean;
  /** The process crashes after its work. */
  crashes: number;
  /** The provider's limit is reached, and every call until its end is refused with the time of that end. */
  limits: number;
  limitMs: number;
  /** The process works, and then never ends nor says anything. */
  hangs: number;
  /** The gate is red although nothing is wrong. */
  gateFlakes: number;
  /** Tokens that a call adds to its conversation. */
  growth: number;
};

const HONEST: Omit<Persona, "name"> = {
  wrong: 0.05,
  tickOnly: 0,
  tasksPerCall: 1,
  idle: 0.02,
  idleStays: 0.3,
  idleEndsFresh: 0.5,
  earlyClaim: 0.01,
  worksWhileClaiming: true,
  claimsAtOnce: 0.8,
  neverClaims: false,
  fixesTold: 0.9,
  fixesUntold: 0.25,
  tampers: 0,
  restores: 0.7,
  regresses: 0.01,
  asks: 0.02,
  denied: false,
  crashes: 0.01,
  limits: 0,
  limitMs: 0,
  hangs: 0,
  gateFlakes: 0,
  growth: 8_000,
};

/**
 * The personas. `weak` and `strong` have the figures of the first comparison with other loops (wrong 22 % and 5 %, nothing done
 * 12 %, early claim 6 % and 1 %, mends 90 % when told and 25 % unprompted, weakens the gate in 15 % of the times that it is told
 * a failure); all others are chosen to be worse in one way each.
 */
export const PERSONAS = {
  strong: { ...HONEST, name: "strong" },
  weak: { ...HONEST, name: "weak", wrong: 0.22, idle: 0.12, earlyClaim: 0.06, regresses: 0.03 },
  liar: { ...HONEST, name: "liar", wrong: 0.15, earlyClaim: 0.6 },
  timid: { ...HONEST, name: "timid", neverClaims: true },
  idler: { ...HONEST, name: "idler", idle: 0.15, idleStays: 0.75 },
  cheat: { ...HONEST, name: "cheat", wrong: 0.22, tampers: 0.15, restores: 0.3 },
  flaky: { ...HONEST, name: "flaky", gateFlakes: 0.1, crashes: 0.05 },
  sprinter: { ...HONEST, name: "sprinter", tasksPerCall: 4, wrong: 0.3, tickOnly: 0.15, earlyClaim: 0.1 },
  asker: { ...HONEST, name: "asker", asks: 0.25 },
  denied: { ...HONEST, name: "denied", denied: true },
  limited: { ...HONEST, name: "limited", limits: 0.2, limitMs: 60_000 },
  hanger: { ...HONEST, name: "hanger", hangs: 0.1 },
  grower: { ...HONEST, name: "grower", growth: 30_000 },
} as const satisfies Record<string, Persona>;

export type PersonaName = keyof typeof PERSONAS;
