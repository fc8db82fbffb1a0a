import { readFileSync, writeFileSync } from "node:fs";
import { createAgent, type Memory, type SimulatedAgent } from "../agent.ts";
import type { Persona } from "../persona.ts";
import type { Project } from "../project.ts";

/** The markers of a loop that asks its agent to review the work and to mend what it finds. */
export type Reviews = {
  /** Printed by an agent that looked at the work, and had nothing to mend. */
  looked: string;
  /** Printed by an agent that read what a program found, and had nothing to mend. */
  read: string;
};

/** Everything that the stand-in keeps between two calls, outside the project, where no loop looks. */
export type State = {
  persona: Persona;
  project: Project;
  memory: Memory;
  root: string;
  /** What an obedient agent prints when it believes that all is done; null where a loop asks for a status block. */
  marker: string | null;
  /** Whether it is printed for the whole plan, or for each task. */
  markerMeans: "all" | "task";
  /** The list that the agent ticks, relative to the project; null where the loop ticks. */
  planFile: string | null;
  /** Its form: one list, or a section for each task. */
  planAs: "list" | "sections";
  reviews: Reviews | null;
  /** Of all calls so far, in USD. */
  cost: number;
  /** Calls that began although the project was truly done. */
  callsAfterTruth: number;
  lastSession: string | null;
  looks: number;
};

/** @param file JSON written by `writeState` */
export function readState(file: string): State {
  return JSON.parse(readFileSync(file, "utf8"), (_, value: unknown) => {
    const isMap = typeof value === "object" && value !== null && "map" in value && Array.isArray(value.map);
    return isMap ? new Map(value.map as [string, unknown][]) : value;
  }) as State;
}

export function writeState(file: string, state: State): void {
  const text = JSON.stringify(state, (_, value: unknown) => (value instanceof Map ? { map: [...value] } : value));
  writeFileSync(file, text);
}

export function agentOf({ project, persona, memory }: State): SimulatedAgent {
  return createAgent(project, persona, memory);
}
