import type { Expression } from "oxc-parser";
import { bare, type Place } from "../syntax.ts";
import { type Edit, type Operator, replaceToken } from "./operator.ts";

const BOUNDARY: Readonly<Record<string, string>> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const OPPOSITE: Readonly<Record<string, string>> = {
  "===": "!==",
  "!==": "===",
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
};
const CALCULATION: Readonly<Record<string, string>> = { "+": "-", "-": "+", "*": "/", "/": "*", "%": "*" };
const ASSIGNMENT: Readonly<Record<string, string>> = {
  "+=": "-=",
  "-=": "+=",
  "*=": "/=",
  "??=": "=",
  "||=": "=",
  "&&=": "=",
};

/** Of a branch both ways are tried already, which says more. */
const isCondition = ({ node, parent }: Place) =>
  (parent?.type === "IfStatement" || parent?.type === "ConditionalExpression") && parent.test === node;

/** Text is joined with `+` too, and without it there is no text. */
function isText(node: Expression): boolean {
  const inner = bare(node);
  if (inner.type === "BinaryExpression") return inner.left.type !== "PrivateIdentifier" && isText(inner.left);
  return inner.type === "TemplateLiteral" || (inner.type === "Literal" && typeof inner.value === "string");
}

/** The edit that gives one sign between two operands for another. */
function swapped(place: Place, signs: Readonly<Record<string, string>>): Edit[] {
  const { node } = place;
  if (node.type !== "BinaryExpression" || node.left.type === "PrivateIdentifier") return [];
  const by = signs[node.operator];
  if (by === undefined || (node.operator === "+" && (isText(node.left) || isText(node.right)))) return [];
  return [replaceToken(place, node.left, node.operator, by)];
}

export const arithmetic: readonly Operator[] = [
  { name: "boundary", edits: (place) => swapped(place, BOUNDARY) },
  { name: "opposite comparison", edits: (place) => (isCondition(place) ? [] : swapped(place, OPPOSITE)) },
  { name: "calculation", edits: (place) => swapped(place, CALCULATION) },
  {
    name: "assignment",
    edits: (place) => {
      const { node } = place;
      if (node.type !== "AssignmentExpression" || isText(node.right)) return [];
      const by = ASSIGNMENT[node.operator];
      return by === undefined ? [] : [replaceToken(place, node.left, node.operator, by)];
    },
  },
];
