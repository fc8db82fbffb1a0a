/** What tests are about: the code that they import and call. A stand-in in its place is always right. */
import type { Assertion } from "./assertions.ts";

/** A name in a test, and the line where something else takes its place. */
export type StandIn = { name: string; line: number };

type TestCode = { code: string; assertions: readonly Assertion[] };

/** The module that a test is named after, mocked in that very test as it was not before. */
export function mockedSubjects(was: string, { path, code }: { path: string; code: string }): StandIn[] {
  const name = /([^/]+?)[._-](?:test|spec)\.[^/]+$/.exec(path)?.[1] ?? /(?:^|\/)test_([^/]+)\.py$/.exec(path)?.[1];
  if (name === undefined) return [];
  const mock = new RegExp(`(?:mock|patch|doMock|stub)\\w*\\(\\s*["'\`][^"'\`]*\\b${name.replace(/[^\w]/g, "\\$&")}\\b`);
  if (!mock.test(code) || mock.test(was)) return [];
  return [{ name, line: code.split("\n").findIndex((one) => mock.test(one)) + 1 }];
}

const IMPORT =
  /^\s*(?:import\s{1,20}(?:type\s{1,20})?(\S.{0,299}?)\s{1,20}from\s{1,20}["'][.@~/]|(?:const|let|var)\s{1,20}(\S.{0,299}?)\s{0,20}=\s{0,20}require\(["']\.|from\s{1,20}[\w.]+\s{1,20}import\s{1,20}(\S.{0,299}))/;
const DEFINITION = /^\s*(?:export )?(?:async )?(?:const|let|var|function|class|def)\s+(\w+)|^(\w+)\s*=(?!=)/;
const MADE_OF = /=\s*(?:await )?(?:new )?(\w+)[.(]/;
const CALL = /\b(\w+)\(/g;

/** What a test imported and called, it now defines by itself, under that name or another. */
export function replacedSubjects(was: TestCode, now: TestCode): StandIn[] {
  const [were, are] = [importsIn(was.code), importsIn(now.code)];
  const lost = [...were].filter((name) => !are.has(name));
  if (lost.length === 0) return [];
  const called = new Set([...was.code.matchAll(CALL)].map(([, name]) => name));
  const gone = lost.filter((name) => called.has(name));
  const defined = definitionsIn(now.code);
  const known = definitionsIn(was.code);
  const fresh = [...are].filter((name) => !were.has(name));
  // Where something else is imported, what has another name may call it.
  const others = fresh.length > 0 ? [] : renamedCalls(was, now, gone);
  const modules = { was: modulesIn(was.code), now: modulesIn(now.code) };
  // Made of what the same module has, it is the project's own still.
  const isMade = (name: string) => {
    const from = modules.now.get(defined.get(name)?.from ?? "");
    return from !== undefined && from === modules.was.get(name);
  };
  const names = [
    ...gone.filter((name) => defined.get(name)?.isOuter && !isMade(name)),
    ...others.filter((name) => !known.has(name)),
  ];
  return [...new Set(names)].flatMap((name) => {
    const line = defined.get(name)?.line;
    return line === undefined ? [] : [{ name, line }];
  });
}

function importsIn(code: string): Set<string> {
  return new Set(code.split("\n").flatMap((line) => IMPORT.exec(line)?.slice(1).join(" ").match(/\w+/g) ?? []));
}

const MODULE = /\b(?:from\s+|require\()["']([^"']+)["']|^\s*from\s+([\w.]+)\s+import\b/;

/** The module that each imported name comes from. */
function modulesIn(code: string): Map<string, string> {
  const lines = code.split("\n").flatMap((line): [string, string][] => {
    const [, quoted, bare] = MODULE.exec(line) ?? [];
    const from = quoted ?? bare;
    const names = IMPORT.exec(line)?.slice(1).join(" ").match(/\w+/g) ?? [];
    return from === undefined ? [] : names.map((name) => [name, from]);
  });
  return new Map(lines);
}

/** A definition in a test. `isOuter`: within nothing else; `from`: the name that its value begins with. */
type Definition = { line: number; isOuter: boolean; from: string | undefined };

/** Where each name is defined first. */
function definitionsIn(code: string): Map<string, Definition> {
  const found = new Map<string, Definition>();
  for (const [at, line] of code.split("\n").entries()) {
    const [, declared, assigned] = IMPORT.test(line) ? [] : (DEFINITION.exec(line) ?? []);
    const name = declared ?? assigned;
    const isOuter = !/^\s/.test(line);
    if (name !== undefined && (isOuter || !found.has(name)))
      found.set(name, { line: at + 1, isOuter, from: MADE_OF.exec(line)?.[1] });
  }
  return found;
}

/** What assertions call now that called one of these names and were the same otherwise. */
function renamedCalls(was: TestCode, now: TestCode, names: readonly string[]): string[] {
  const old = new Set(names);
  const were = new Set(callsIn(was).flatMap(({ name, rest }) => (old.has(name) ? [rest] : [])));
  return callsIn(now).flatMap(({ name, rest }) => (were.has(rest) ? [name] : []));
}

/** The names that assertions call, each with the assertion without it. */
function callsIn({ assertions }: TestCode): { name: string; rest: string }[] {
  return assertions.flatMap(({ key }) =>
    [...key.matchAll(CALL)].map(([, name = ""]) => ({
      name,
      rest: key.replace(new RegExp(`\\b${name}\\(`, "g"), "("),
    })),
  );
}
