import type { ProjectFiles } from "./files.ts";
import type { Stack } from "./stack.ts";

/** Detects an Elixir project of Mix, or an umbrella of several. */
export function detectElixir(files: ProjectFiles): Stack | null {
  const mix = files.read("mix.exs");
  if (mix === null) return null;
  const apps = files.list("apps").map(({ name }) => files.read(`apps/${name}/mix.exs`) ?? "");
  const phoenix = [mix, ...apps].some((text) => /\{:phoenix\b/.test(text));
  return {
    language: "elixir",
    marker: "mix.exs",
    name: /\bapp:\s*:(\w+)/.exec(mix)?.[1] ?? null,
    manager: "mix",
    commands: {
      install: "mix deps.get",
      build: "mix compile",
      test: "mix test",
      run: phoenix ? "mix phx.server" : null,
      lint: /\{:credo\b/.test(mix)
        ? "mix credo"
        : files.exists(".formatter.exs")
          ? "mix format --check-formatted"
          : null,
    },
  };
}
