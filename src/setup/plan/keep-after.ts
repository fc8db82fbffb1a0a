import { parsePlan } from "../../core/plan/fix-plan.ts";
import { listedInPlan, saidPlaces, withAfter } from "../../core/tasks/task-graph.ts";
import { type PlanEdit, rewordTask } from "./edit-plan.ts";

/**
 * An edited plan whose tasks wait for the same ones as before. A name that fits another task now, or none, because that one
 * has new words or another number, is written anew. The words of the changed task itself stay as its user put them.
 */
export function withSameAfter(plan: string, edit: NonNullable<PlanEdit>): NonNullable<PlanEdit> {
  const [before, now] = [plan, edit.text].map((text) => parsePlan(text, [])) as [Parsed, Parsed];
  const old = listedInPlan(before);
  if (old.every(({ after }) => after === null)) return edit;
  const places = placesNow(before, now);
  const list = listedInPlan(now);
  const [saidBefore, saidNow, sayAfter] = [saidPlaces(old), saidPlaces(list), withAfter(list)];
  let { text } = edit;
  for (const [at, { after }] of old.entries()) {
    const place = places[at];
    const box = place === undefined ? undefined : now.boxes[place];
    if (after === null || place === undefined || box?.text !== before.boxes[at]?.text) continue;
    const said = saidBefore(at);
    const wanted = said.flatMap((one) => places[one] ?? []);
    if (said.length < after.length || wanted.length < said.length || saidNow(place).join() === wanted.join()) continue;
    const words = sayAfter(place, wanted);
    const changed = words === null || box === undefined ? null : rewordTask(text, box.line, words);
    if (changed !== null) text = changed.text;
  }
  return { ...edit, text };
}

type Parsed = ReturnType<typeof parsePlan>;

/** For each box of a plan its place after an edit, from 0: by its words, and one with new words by what is left. */
function placesNow(before: Parsed, now: Parsed): (number | undefined)[] {
  const free = new Map<string, number[]>();
  for (const [at, { text }] of now.boxes.entries()) free.set(text, [...(free.get(text) ?? []), at]);
  const places = before.boxes.map(({ text }) => free.get(text)?.shift());
  const left = [...free.values()].flat();
  // Only a task with new words is in neither; an added one has no place before.
  return before.boxes.length === now.boxes.length ? places.map((place) => place ?? left.shift()) : places;
}
