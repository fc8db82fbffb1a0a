/** The package manager of the installed program; `own` for none, which lets `ralph update` replace the file. */
export type InstallMethod = "own" | "npm" | "homebrew" | "scoop";

const PLACES: readonly (readonly [RegExp, InstallMethod])[] = [
  [/[\\/]node_modules[\\/]/, "npm"],
  [/[\\/]Cellar[\\/]/, "homebrew"],
  [/[\\/]scoop[\\/]apps[\\/]/i, "scoop"],
];

const COMMANDS: Readonly<Record<InstallMethod, string>> = {
  own: "ralph update",
  npm: "npm update --global ralph",
  homebrew: "brew upgrade ralph",
  scoop: "scoop update ralph",
};

/** @param path of the program, with links resolved */
export function detectInstallMethod(path: string): InstallMethod {
  return PLACES.find(([pattern]) => pattern.test(path))?.[1] ?? "own";
}

/** The command that installs a newer version. */
export function updateCommand(keeper: InstallMethod): string {
  return COMMANDS[keeper];
}
