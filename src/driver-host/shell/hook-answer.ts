/** What a bash driver's hooks answered: the values of each field, in order; several fields of one name add up. */
export type HookAnswer = {
  /** The values of every field of that name, each field a list. */
  all(name: string): readonly (readonly string[])[];
  /** The values of the first field of that name; null where there is none. */
  list(name: string): readonly string[] | null;
  /** Its only value; null where there is none. */
  text(name: string): string | null;
  /** A hook that answers by its status: yes, no, or null where there is no such hook. */
  flag(name: string): boolean | null;
};

const NUL = "\0";

/**
 * Takes the NUL-terminated fields apart that `bash-hooks.sh` prints: name, number of values, values. Values may be empty
 * or hold line ends. Null if it broke off before its last field.
 */
export function parseHookAnswer(text: string): HookAnswer | null {
  const words = text.split(NUL);
  const fields: { name: string; values: string[] }[] = [];
  for (let at = 0; at < words.length - 1; ) {
    const count = Number(words[at + 1]);
    if (!Number.isInteger(count) || at + 2 + count > words.length - 1) return null;
    fields.push({ name: words[at] ?? "", values: words.slice(at + 2, at + 2 + count) });
    at += 2 + count;
  }
  if (fields.at(-1)?.name !== "end") return null;
  const all = (name: string) => fields.filter((field) => field.name === name).map((field) => field.values);
  const list = (name: string) => all(name)[0] ?? null;
  const value = (name: string) => list(name)?.[0] ?? null;
  return { all, list, text: value, flag: (name) => (value(name) === null ? null : value(name) === "yes") };
}
