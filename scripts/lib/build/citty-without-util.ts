import { readFileSync } from "node:fs";
import type { BunPlugin } from "bun";

const EAGER = 'import { parseArgs as parseArgs$1 } from "node:util";';
const OWN = "const parseArgs$1 = ({ args }) => ({ values: {}, positionals: args });";

/**
 * Has citty do without `node:util`, whose loading is an eighth of what `ralph status` adds to the start of an empty
 * program. citty parses the words of each command for flags, and ralph tells it of none: it parses them itself.
 * @throws Error when the package no longer has the line to change
 */
export function cittyWithoutUtil(source: string): string {
  if (!source.includes(EAGER)) throw new Error(`citty has changed: there is no ${EAGER}`);
  return source.replace(EAGER, OWN);
}

/** The bundler's plugin for it. */
export const cittyWithoutUtilPlugin: BunPlugin = {
  name: "citty without util",
  setup(build) {
    build.onLoad({ filter: /[\\/]citty[\\/]dist[\\/]index\.mjs$/ }, ({ path }) => ({
      contents: cittyWithoutUtil(readFileSync(path, "utf8")),
      loader: "js",
    }));
  },
};
