import { type Commands, noCommands, type Stack } from "./stack.ts";

/** Files with commands that the project's authors wrote; for other files ralph assumes the usual commands. */
const WRITTEN = new Set(["package.json", "deno.json", "deno.jsonc", "composer.json"]);

/**
 * The commands of a project. The project's own commands win over the usual ones; with several languages, only a task
 * runner covers all.
 */
export function commandsOf(stacks: readonly Stack[], tasks: Commands, otherwise: Commands = noCommands()): Commands {
  const own = stacks.map(({ commands }) => commands);
  const [main, second] = stacks;
  const ordered =
    main !== undefined && second === undefined && WRITTEN.has(main.marker) ? [...own, tasks] : [tasks, ...own];
  const first = (name: keyof Commands) =>
    [...ordered, otherwise].find((commands) => commands[name] !== null)?.[name] ?? null;
  return {
    // The build of one language may need what another language's manager installs.
    install: [...new Set(own.flatMap(({ install }) => install ?? []))].join(" && ") || first("install"),
    build: first("build"),
    test: first("test"),
    run: first("run"),
    lint: first("lint"),
  };
}
