import type { CallExpression, Expression, MemberExpression, Node } from "oxc-parser";
import { bare, type Span } from "../syntax.ts";
import { type Edit, type Operator, replace } from "./operator.ts";

const SWAPPED = new Map(
  Object.entries({
    some: "every",
    every: "some",
    startsWith: "endsWith",
    endsWith: "startsWith",
    min: "max",
    max: "min",
    floor: "ceil",
    ceil: "floor",
    round: "floor",
    indexOf: "lastIndexOf",
    lastIndexOf: "indexOf",
    find: "findLast",
    findLast: "find",
    findIndex: "findLastIndex",
    findLastIndex: "findIndex",
    toLowerCase: "toUpperCase",
    toUpperCase: "toLowerCase",
    push: "unshift",
    shift: "pop",
    pop: "shift",
    padStart: "padEnd",
    padEnd: "padStart",
  }),
);

/** Methods that give something of the kind that they were called on, so that a caller may well forget them. */
const FORGOTTEN = new Set(
  "filter slice toSorted sort toReversed reverse trim trimStart trimEnd replace replaceAll".split(" "),
);

type MethodCall = { call: CallExpression; callee: MemberExpression; receiver: Expression; method: Span; name: string };

function methodCall(node: Node): MethodCall | null {
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression" || node.callee.computed) return null;
  const { object, property } = node.callee;
  if (object.type === "Super" || property.type !== "Identifier") return null;
  return { call: node, callee: node.callee, receiver: object, method: property, name: property.name };
}

/** `.slice(-n)` takes the first n, `.at(-1)` the first one, `.slice(a, b)` goes to the end. */
function bounds({ call, callee, name }: MethodCall, text: (span: Span) => string): Edit[] {
  const [first, second] = call.arguments;
  const head = text(callee);
  const negative = first?.type === "UnaryExpression" && first.operator === "-" ? text(first.argument) : null;
  if (name === "at" && negative !== null) return [replace(call, `${head}(0)`)];
  if (name !== "slice" || first === undefined) return [];
  if (second !== undefined) return [replace(call, `${head}(${text(first)})`)];
  return negative === null ? [] : [replace(call, `${head}(0, ${negative})`)];
}

/** A list without one of its members, commas included. */
function without(members: readonly Span[], index: number): Edit[] {
  const [before, member, next] = [members[index - 1], members[index], members[index + 1]];
  if (member === undefined) return [];
  if (next !== undefined) return [{ start: member.start, end: next.start, after: "" }];
  return before === undefined ? [replace(member, "")] : [{ start: before.end, end: member.end, after: "" }];
}

const isSpread = (node: Node | null | undefined) => node?.type === "SpreadElement";

/** What an object changes of another one, and a list adds to another one: what holds no spread is a plain literal. */
function members(node: Node): Edit[] {
  if (node.type === "ObjectExpression" && node.properties.some(isSpread))
    return node.properties.flatMap((property, index) =>
      index === 0 && property.type === "SpreadElement" && bare(property.argument).type !== "ConditionalExpression"
        ? []
        : without(node.properties, index),
    );
  if (node.type !== "ArrayExpression" || node.elements.length < 2 || !node.elements.some(isSpread)) return [];
  const elements = node.elements.filter((element) => element !== null);
  return elements.flatMap((_, index) => without(elements, index));
}

export const lists: readonly Operator[] = [
  {
    name: "other method",
    edits: ({ node, text }) => {
      const found = methodCall(node);
      const by = found === null ? undefined : SWAPPED.get(found.name);
      if (found === null || by === undefined) return [];
      const { call, method } = found;
      const [head, tail] = [text({ start: call.start, end: method.start }), text({ start: method.end, end: call.end })];
      return [replace(call, `${head}${by}${tail}`)];
    },
  },
  {
    name: "method forgotten",
    edits: ({ node, text }) => {
      const found = methodCall(node);
      return found === null || !FORGOTTEN.has(found.name) ? [] : [replace(found.call, text(found.receiver))];
    },
  },
  {
    name: "bounds of a part",
    edits: ({ node, text }) => {
      const found = methodCall(node);
      return found === null ? [] : bounds(found, text);
    },
  },
  { name: "member left out", edits: ({ node }) => members(node) },
];
