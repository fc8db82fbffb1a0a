import type { Expression, LogicalExpression } from "oxc-parser";
import { bare, type Place } from "../syntax.ts";
import { type Edit, type Operator, replace, replaceToken } from "./operator.ts";

const JUDGEMENTS = new Set(["BinaryExpression", "LogicalExpression"]);

/** A value that is a default for the compiler's sake only, or that `||` would give as well. */
function isEmpty(node: Expression): boolean {
  const inner = bare(node);
  if (inner.type === "ArrayExpression") return inner.elements.length === 0;
  if (inner.type === "ObjectExpression") return inner.properties.length === 0;
  if (inner.type === "Identifier") return inner.name === "undefined";
  return inner.type === "Literal" && !inner.value;
}

/** The text of an operand that may stand beside any logical sign. */
function operand(node: Expression, text: Place["text"]): string {
  return node.type === "LogicalExpression" ? `(${text(node)})` : text(node);
}

function joined({ left, right }: LogicalExpression, sign: string, { text }: Place): string {
  return `(${operand(left, text)} ${sign} ${operand(right, text)})`;
}

/** Values for which it matters whether `??` or `||` stands before them: what calls and literals build is never falsy. */
const FALSY = new Set(["Literal", "Identifier", "MemberExpression"]);

/** `a ?? b`: only `b`, and where `b` says something also only `a`, `a || b`, and calls in another order. */
function defaults(node: LogicalExpression, place: Place): Edit[] {
  const { text } = place;
  const edits = [replace(node, `(${text(node.right)})`)];
  if (isEmpty(node.right)) return edits;
  edits.push(replace(node, `(${text(node.left)})`));
  if (FALSY.has(bare(node.right).type)) edits.push(replace(node, joined(node, "||", place)));
  const { left, right } = node;
  // In a chain the operand before is the right one of what stands to the left.
  const before = left.type === "LogicalExpression" && left.operator === "??" ? left.right : left;
  if (bare(before).type === "CallExpression" && bare(right).type === "CallExpression") {
    const head = text({ start: node.start, end: before.start });
    edits.push(replace(node, `${head}${operand(right, text)} ?? ${text(before)}`));
  }
  return edits;
}

function condition(test: Expression, { text }: Place): Edit[] {
  const inner = bare(test);
  if (JUDGEMENTS.has(inner.type)) return [replace(test, "true"), replace(test, "false")];
  // `!x` is turned round by an operator of its own.
  return inner.type === "UnaryExpression" || inner.type === "Literal" ? [] : [replace(test, `!(${text(test)})`)];
}

export const logic: readonly Operator[] = [
  {
    name: "and, or",
    edits: (place) => {
      const { node } = place;
      if (node.type !== "LogicalExpression" || node.operator === "??") return [];
      return [replace(node, joined(node, node.operator === "&&" ? "||" : "&&", place))];
    },
  },
  {
    name: "default",
    edits: (place) =>
      place.node.type === "LogicalExpression" && place.node.operator === "??" ? defaults(place.node, place) : [],
  },
  {
    name: "condition",
    edits: (place) => {
      const { node } = place;
      return node.type === "IfStatement" || node.type === "ConditionalExpression" ? condition(node.test, place) : [];
    },
  },
  {
    name: "loop never entered",
    edits: ({ node }) => {
      if (node.type !== "WhileStatement" && node.type !== "ForStatement") return [];
      const { test } = node;
      return test === null || bare(test).type === "Literal" ? [] : [replace(test, "false")];
    },
  },
  {
    name: "not",
    edits: ({ node, text }) =>
      node.type === "UnaryExpression" && node.operator === "!" ? [replace(node, text(node.argument))] : [],
  },
  {
    name: "true, false",
    edits: ({ node }) =>
      node.type === "Literal" && typeof node.value === "boolean" ? [replace(node, String(!node.value))] : [],
  },
  {
    name: "optional chain",
    edits: (place) => {
      const { node } = place;
      if (node.type === "MemberExpression" && node.optional)
        return [replaceToken(place, node.object, "?.", node.computed ? "" : ".")];
      if (node.type === "CallExpression" && node.optional) return [replaceToken(place, node.callee, "?.", "")];
      return [];
    },
  },
];
