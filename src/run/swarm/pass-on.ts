import { USER_MESSAGE_MAX_CHARS } from "../../core/prompt/user-messages.ts";
import { type AtWork, hearersOf } from "../../core/swarm/hearers.ts";
import { truncate } from "../../core/text/truncate.ts";
import type { Seen, Swarm } from "./swarm-context.ts";

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
      const worker = options.yard.workers.find((one) => one.name === name);
      if (worker !== undefined && !names.has(name) && (await options.yard.say(worker, words))) names.add(name);
    });
    await Promise.all(passed);
    if (names.size === 0 || hearers.some((name) => !names.has(name))) continue;
    heard.delete(text);
    run.append({ type: "said_passed_on", text, workers: [...names].sort() });
  }
}

function atWork({ busy, orphans }: Swarm): AtWork[] {
  const begun = [...busy.values()].filter(({ exit }) => exit === "running");
  return [
    ...begun.map(({ worker, task }) => ({ name: worker.name, task: task.id })),
    ...[...orphans].map(([name, { work }]) => ({ name, task: work?.task ?? null })),
  ];
}
