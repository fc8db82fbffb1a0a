/** Stand-ins for programs that a project's gates call again and again, where most of what a call costs is the start of what they start. */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** `npm test` as it is, but for npm itself: it says what it runs, and runs it with the shell. Anything else goes to npm. */
export const NPM = `[ "$*" = test ] || exec '${Bun.which("npm")}' "$@"
while IFS= read -r line; do
  case $line in *'"test": "'*) line=\${line#*'"test": "'}; line=\${line%'"'*}; printf '\\n> test\\n> %s\\n\\n' "$line"; exec sh -c "$line" ;; esac
done < package.json
exit 1`;

/** `node --test FILE` in one process instead of two: the same runner says the same. Anything else goes to node as it is. */
export const NODE = `[ "$#" = 2 ] && [ "$1" = --test ] && [ -f "$2" ] && shift
exec '${Bun.which("node")}' "$@"`;

/** Puts programs into a folder, lines for the shell each, by their names. */
export function putPrograms(bin: string, programs: Readonly<Record<string, string>>): void {
  for (const [name, lines] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${lines}\n`);
    chmodSync(join(bin, name), 0o755);
  }
}
