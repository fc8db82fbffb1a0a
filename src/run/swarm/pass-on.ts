import type { State } from "../../core/journal/state.ts";
import { warning } from "../../core/journal/warning.ts";
import { USER_MESSAGE_MAX_CHARS } from "../../core/prompt/user-messages.ts";
import { type AtWork, hearersOf } from "../../core/swarm/hearers.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { truncate } from "../../core/text/truncate.ts";
import type { SwarmWorker } from "../../effects/ports.ts";
import type { Seen, Swarm, SwarmOptions } from "./swarm-context.ts";

/** Passes on what a person said to the workers at work. It waits until each of them has heard it: one that has begun listens seconds later. */
export async function passOn(at: Swarm, { graph }: Pick<Seen, "graph">): Promise<void> {
  const { run, options, heard } = at;
  const inFull = run.toldState().said;
  for (const [nth, { text }] of run.state().said.entries()) {
    const names = heard.get(text) ?? new Set();
    heard.set(text, names);
    const hearers = hearersOf(text, graph.tasks, atWork(at));
    const words = truncate(inFull[nth]?.text ?? text, USER_MESSAGE_MAX_CHARS);
    const passed = hearers.map(async (name) => {
      const worker = [...options.yard.workers, ...options.yard.others].find((one) => one.name === name);
      if (worker !== undefined && !names.has(name) && (await tell(options, worker, { text, words }))) names.add(name);
    });
    await Promise.all(passed);
    if (names.size === 0 || hearers.some((name) => !names.has(name))) continue;
    heard.delete(text);
    at.passed.set(text, names);
    run.append({ type: "said_passed_on", text, workers: [...names].sort() });
  }
}

/** One that was told in its last prompt before this has it for the next one already. */
async function tell({ yard }: SwarmOptions, worker: SwarmWorker, { text, words }: Record<"text" | "words", string>) {
  return isPending(yard.newest(worker), text) || (await yard.say(worker, words));
}

function isPending(worked: State | null, text: string): boolean {
  return worked?.said.some((message) => message.text === text) === true;
}

/** A worker ended. What it was told too late for a prompt waits for the next one, unless another of those who were told has had it. */
export function takeBackSaid({ run, passed }: Swarm, name: string, worked: State | null): void {
  for (const [text, names] of passed) {
    if (!names.has(name)) continue;
    if (isPending(worked, text)) names.delete(name);
    else passed.delete(text);
    if (names.size > 0) continue;
    passed.delete(text);
    const told = `${name} ended before it heard what you said. It waits for the next worker: ${singleLine(text)}`;
    run.append(warning(told));
    run.append({ type: "said", text });
  }
}

function atWork({ busy, orphans }: Swarm): AtWork[] {
  const begun = [...busy.values()].filter(({ exit }) => exit === "running");
  return [
    ...begun.map(({ worker, task }) => ({ name: worker.name, task: task.id })),
    ...[...orphans].map(([name, { work }]) => ({ name, task: work?.task ?? null })),
  ];
}
