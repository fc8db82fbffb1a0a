import { readFileSync } from "node:fs";
import type { BunPlugin } from "bun";

const EAGER = "const segmenter = new Intl.Segmenter();";
const LAZY = `let made;
const segmenter = { segment: text => (made ??= new Intl.Segmenter()).segment(text) };`;

/**
 * Has string-width make its segmenter at its first use. The first use of Intl costs some 2 ms, at every start, and only a
 * text with wide characters needs it.
 * @throws Error when the package no longer has the line to change
 */
export function lazySegmenter(source: string): string {
  if (!source.includes(EAGER)) throw new Error(`string-width has changed: there is no ${EAGER}`);
  return source.replace(EAGER, LAZY);
}

/** The bundler's plugin for it. */
export const lazySegmenterPlugin: BunPlugin = {
  name: "lazy segmenter",
  setup(build) {
    build.onLoad({ filter: /[\\/]string-width[\\/]index\.js$/ }, ({ path }) => ({
      contents: lazySegmenter(readFileSync(path, "utf8")),
      loader: "js",
    }));
  },
};
