import { root } from "../../scripts/lib/paths.ts";

/** The program of the platform's package, which exists even if install scripts were skipped; null on other platforms. */
export function findDeno(): string | null {
  const found = new Bun.Glob("node_modules/@deno/*/deno{,.exe}").scanSync({ cwd: root, absolute: true });
  return [...found].find((program) => Bun.spawnSync([program, "--version"]).exitCode === 0) ?? null;
}
