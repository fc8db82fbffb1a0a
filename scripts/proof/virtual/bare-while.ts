import { createAgent, newMemory } from "../agent.ts";
import { isTrulyDone, newProject } from "../project.ts";
import { bestOracle, type Trial, type TrialSpec } from "../trial.ts";

const MOST_CALLS = 100;

/** `while :; do agent < prompt; done` until the agent says that all is done: no memory, no gate, nothing that is told. */
export function bareWhile(seed: string, { persona, shape }: TrialSpec): Trial {
  const project = newProject(seed, shape);
  const memory = newMemory(project);
  const agent = createAgent(project, persona, memory);
  let cost = 0;
  let now = 0;
  let saysDone = false;
  let calls = 0;
  for (; calls < MOST_CALLS && !saysDone; calls += 1) {
    const answer = agent.call({ prompt: "Do the next task.", resume: null, now });
    cost += answer.cost;
    now += answer.ms;
    saysDone = answer.events.some((event) => event.type === "finished" && /EXIT_SIGNAL: true/.test(event.text ?? ""));
  }
  const trulyDone = isTrulyDone(project);
  return {
    reason: saysDone ? "project_complete" : "max_iterations",
    exitCode: saysDone ? 0 : 4,
    iterations: calls,
    calls,
    cost,
    callsInLimit: memory.callsInLimit,
    stalledMs: 0,
    stalls: 0,
    trulyDone,
    falseDone: saysDone && !trulyDone,
    falseStop: false,
    oracle: bestOracle(seed, persona, shape),
  };
}
