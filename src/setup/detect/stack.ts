/** The commands of a project; null for each that its files do not name. */
export type Commands = {
  install: string | null;
  build: string | null;
  test: string | null;
  run: string | null;
  lint: string | null;
};

/** One language of a project and its tools. */
export type Stack = {
  /** `typescript`, `python`, `csharp` … */
  language: string;
  /** The file that shows it. */
  marker: string;
  /** The project's name in its manifest: text by other people. */
  name: string | null;
  manager: string | null;
  commands: Commands;
};

export function noCommands(): Commands {
  return { install: null, build: null, test: null, run: null, lint: null };
}

/**
 * A name from the project that is safe in a command unquoted; null for every other. A shell runs commands later, and a
 * repository's names must never become code.
 */
export function commandWord(text: string | null): string | null {
  return text !== null && /^[A-Za-z0-9_@][\w./:@-]{0,99}$/.test(text) && !text.includes("..") ? text : null;
}
