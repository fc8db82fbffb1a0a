import { without } from "../../multiset.ts";
import type { FileChange } from "../compare.ts";

const MAKEFILE = /\.mk$|(?:^|\/)(?:[Mm]akefile|GNUmakefile)$/;
/** A rule of a Makefile. */
const RULE = /^([\w/-][\w./-]*(?:[ \t]+[\w./-]+)*)[ \t]*:(?![:=])(.*)$/;

/** Lines of a Makefile that give new commands to a target that has some: make takes only the last. */
export function replacedTargets(path: string, before: string, after: string): number[] {
  if (!MAKEFILE.test(path)) return [];
  const old = new Set(givenTwice(before).map(({ target }) => target));
  return givenTwice(after).flatMap(({ target, line }) => (old.has(target) ? [] : [line]));
}

/** What stands under a condition may stand there for each of its answers. */
function givenTwice(text: string): { target: string; line: number }[] {
  const seen = new Set<string>();
  const lines = text.split("\n");
  let depth = 0;
  return lines.flatMap((line, at) => {
    if (/^ *(?:ifn?(?:def|eq)|define)\b/.test(line)) depth += 1;
    else if (/^ *(?:endif|endef)\b/.test(line)) depth -= 1;
    const [, targets = "", rest = ""] = RULE.exec(line) ?? [];
    if (targets === "" || depth > 0 || !(rest.includes(";") || /^\t\s*\S/.test(lines[at + 1] ?? ""))) return [];
    return targets.split(/[ \t]+/).flatMap((target) => {
      const isKnown = seen.has(target);
      seen.add(target);
      return isKnown ? [{ target, line: at + 1 }] : [];
    });
  });
}

const GRAPH = /(?:^|\/)(?:turbo|nx|project)\.json$/;
/** Tasks that check something, as keys or as what others need. */
const CHECK = /"((?:[\w@/-]+#)?(?:test|lint|type-?check|check|verify|e2e)(?:[:.-][\w:.-]+)?)"/g;

/** Tasks that check something and are no longer there, or needed: of `turbo.json` and its like. */
export function lostTasks({ path, before, after }: FileChange, all: readonly FileChange[]): string[] {
  if (!GRAPH.test(path) || before === null || after === null) return [];
  const [were, are] = [before, after].map((text) => [...text.matchAll(CHECK)].map(([, name = ""]) => name));
  const gone = without(were ?? [], are ?? [], (name) => name);
  const come = without(are ?? [], were ?? [], (name) => name);
  if (gone.length <= come.length) return [];
  // A plugin may know them by itself.
  const isElsewhere = (name: string) =>
    all.some((one) => one.path !== path && one.after?.includes(`"${name}"`) && !one.before?.includes(`"${name}"`));
  return [...new Set(gone)].filter((name) => !isElsewhere(name));
}
