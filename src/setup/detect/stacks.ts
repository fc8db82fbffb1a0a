import { detectDeno } from "./deno.ts";
import { detectDotnet } from "./dotnet.ts";
import { detectElixir } from "./elixir.ts";
import type { ProjectFiles } from "./files.ts";
import { detectGo } from "./go.ts";
import { detectJvm } from "./jvm.ts";
import { detectNative } from "./native.ts";
import { detectNode } from "./node.ts";
import { detectPhp } from "./php.ts";
import { detectPython } from "./python.ts";
import { detectRuby } from "./ruby.ts";
import { detectRust } from "./rust.ts";
import type { countSources } from "./sources.ts";
import type { Stack } from "./stack.ts";

const DETECTORS = [
  detectNode,
  detectDeno,
  detectPython,
  detectRust,
  detectGo,
  detectJvm,
  detectDotnet,
  detectRuby,
  detectPhp,
  detectElixir,
  detectNative,
] as const;

type Sources = ReturnType<typeof countSources>;

/** Every language that a folder's files show, the one with most source first. */
export function stacksIn(files: ProjectFiles, sources: Sources): Stack[] {
  const count = (stack: Stack) =>
    sources.filter(({ language }) => isWrittenIn(stack, language)).reduce((sum, one) => sum + one.files, 0);
  return DETECTORS.flatMap((look) => look(files) ?? [])
    .sort((a, b) => count(b) - count(a))
    .map((stack) => ({ ...stack, language: writtenIn(stack, sources) }));
}

/** Languages that share a build tool: if its file names none, the sources decide. */
const FAMILIES = [
  ["javascript", "typescript"],
  ["java", "kotlin"],
  ["cpp", "c"],
] as const;

function familyOf(language: string): readonly string[] {
  return FAMILIES.find((family) => family.some((one) => one === language)) ?? [language];
}

function isWrittenIn({ language }: Stack, counted: string): boolean {
  return familyOf(language).includes(counted);
}

/** The language that a stack is written in. If its tool only implies the family's default, the sources decide. */
function writtenIn({ language }: Stack, sources: Sources): string {
  const [usual, other] = familyOf(language);
  if (other === undefined || language !== usual) return language;
  const first = sources.find((one) => one.language === usual || one.language === other)?.language;
  return first ?? language;
}
