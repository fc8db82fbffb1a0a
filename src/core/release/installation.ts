/** Who looks after the file that ralph was started from; `own`: nobody else, so `ralph update` may replace it. */
export type Keeper = "own" | "npm" | "homebrew" | "scoop";

const PLACES: readonly (readonly [RegExp, Keeper])[] = [
  [/[\\/]node_modules[\\/]/, "npm"],
  [/[\\/]Cellar[\\/]/, "homebrew"],
  [/[\\/]scoop[\\/]apps[\\/]/i, "scoop"],
];

const COMMANDS: Readonly<Record<Keeper, string>> = {
  own: "ralph update",
  npm: "npm update --global ralph",
  homebrew: "brew upgrade ralph",
  scoop: "scoop update ralph",
};

/** @param path of the program, with links resolved */
export function keeperOf(path: string): Keeper {
  return PLACES.find(([pattern]) => pattern.test(path))?.[1] ?? "own";
}

/** What to type for a newer version. */
export function updateCommand(keeper: Keeper): string {
  return COMMANDS[keeper];
}
