/** The answer of a bash driver's hooks: the values of each field, in order; a name may have several fields. */
export type HookAnswer = {
  /** The values of each field with that name, one list per field. */
  all(name: string): readonly (readonly string[])[];
  /** The values of the first field with that name; null if there is none. */
  list(name: string): readonly string[] | null;
  /** Its only value; null if there is none. */
  text(name: string): string | null;
  /** The answer of a hook's exit status: yes or no; null if there is no such hook. */
  flag(name: string): boolean | null;
};

const NUL = "\0";

/**
 * Parses the NUL-terminated fields that `bash-hooks.sh` prints: name, number of values, values. Values may be empty or
 * contain line ends. Null if the last field is missing.
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
