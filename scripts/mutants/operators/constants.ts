import type { Place } from "../syntax.ts";
import { type Edit, type Operator, replace } from "./operator.ts";

/** Small numbers move by one, large ones are halved: a test need not know a generous limit to the digit. */
function another(value: number): number {
  if (!Number.isInteger(value)) return value * 2;
  if (value === 1) return 0;
  return value < 10 ? value + 1 : Math.floor(value / 2);
}

/** The name of a property is no value, and a negative number changes as a whole. */
function isOnlyPart({ node, parent }: Place): boolean {
  if (parent?.type === "Property") return parent.key === node && !parent.computed;
  return parent?.type === "UnaryExpression" && parent.operator === "-";
}

/** A pattern without its anchors, and without the flags that widen it. */
function patterns(pattern: string, flags: string): string[] {
  const found: string[] = [];
  if (pattern.startsWith("^") && pattern !== "^") found.push(`/${pattern.slice(1)}/${flags}`);
  if (/[^\\]\$$/.test(pattern)) found.push(`/${pattern.slice(0, -1)}/${flags}`);
  for (const flag of ["i", "m"]) if (flags.includes(flag)) found.push(`/${pattern}/${flags.replace(flag, "")}`);
  return found;
}

export const constants: readonly Operator[] = [
  {
    name: "number",
    edits: (place) => {
      const { node } = place;
      if (node.type !== "Literal" || typeof node.value !== "number" || isOnlyPart(place)) return [];
      return [replace(node, String(another(node.value)))];
    },
  },
  {
    name: "sign",
    edits: ({ node, text }) =>
      node.type === "UnaryExpression" && node.operator === "-" ? [replace(node, text(node.argument))] : [],
  },
  {
    name: "pattern",
    edits: ({ node }): Edit[] => {
      if (node.type !== "Literal" || !("regex" in node)) return [];
      return patterns(node.regex.pattern, node.regex.flags).map((after) => replace(node, after));
    },
  },
];
