import { type Commands, noCommands, type Stack } from "./stack.ts";
import type { TaskRunner } from "./task-runner.ts";

/** Files whose commands the project's people wrote themselves; those of the others are what is usual. */
const WRITTEN = new Set(["package.json", "deno.json", "deno.jsonc", "composer.json"]);

/** What the project itself says comes before what is usual; of several languages only the runner knows them all. */
export function commandsOf(
  stacks: readonly Stack[],
  runner: TaskRunner | null,
  otherwise: Commands = noCommands(),
): Commands {
  const own = stacks.map(({ commands }) => commands);
  const tasks = runner?.commands ?? noCommands();
  const [main, second] = stacks;
  const ordered =
    main !== undefined && second === undefined && WRITTEN.has(main.marker) ? [...own, tasks] : [tasks, ...own];
  const first = (name: keyof Commands) =>
    [...ordered, otherwise].find((commands) => commands[name] !== null)?.[name] ?? null;
  return {
    // A build of one language may need what the manager of another brings.
    install: [...new Set(own.flatMap(({ install }) => install ?? []))].join(" && ") || first("install"),
    build: first("build"),
    test: first("test"),
    run: first("run"),
    lint: first("lint"),
  };
}
