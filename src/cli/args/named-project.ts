/** The folder that a command line names with `-C`, as it is written there; `.` if it names none. */
export function namedProject(words: readonly string[]): string {
  const named = words.flatMap((word, at) => {
    if (word === "-C" || word === "--project-dir") return words[at + 1] ?? [];
    return /^(?:-C|--project-dir)=(.*)$/s.exec(word)?.[1] ?? [];
  });
  return named.at(-1) ?? ".";
}
