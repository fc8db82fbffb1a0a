/** Commands of a project; null where its files name none. */
export type Commands = {
  install: string | null;
  build: string | null;
  test: string | null;
  run: string | null;
  lint: string | null;
};

/** One language of a project, and how it is worked with. */
export type Stack = {
  /** `typescript`, `python`, `csharp` … */
  language: string;
  /** The file that told. */
  marker: string;
  /** The project's own name, as its manifest says it: text of others. */
  name: string | null;
  manager: string | null;
  framework: string | null;
  commands: Commands;
};

export function noCommands(): Commands {
  return { install: null, build: null, test: null, run: null, lint: null };
}

/**
 * A word of the project that may stand in a command as it is; null for every other one. Commands are run by a shell
 * later: what a repository calls its things must never become code.
 */
export function commandWord(text: string | null): string | null {
  return text !== null && /^[A-Za-z0-9_@][\w./:@-]{0,99}$/.test(text) && !text.includes("..") ? text : null;
}

/** The first framework whose package is among the dependencies. */
export function frameworkOf(dependencies: ReadonlySet<string>, known: readonly (readonly [string, string])[]) {
  return known.find(([dependency]) => dependencies.has(dependency))?.[1] ?? null;
}
