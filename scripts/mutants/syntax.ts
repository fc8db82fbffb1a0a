import { type Expression, type Node, parseSync, visitorKeys } from "oxc-parser";

/** Where a piece of a source stands: offsets as JavaScript counts them. */
export type Span = { start: number; end: number };

/** A node that exists when the program runs, the node around it, and how to read the source. */
export type Place = { node: Node; parent: Node | null; text(span: Span): string };

/** These carry a value through a type: what they hold is code, what they say of it is not. */
const TRANSPARENT = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"]);
const IMPORTS = new Set(["ImportDeclaration", "ExportAllDeclaration", "ImportExpression"]);

/**
 * All nodes of a source in the order in which they stand, without types and imports.
 * @throws Error if the source cannot be parsed
 */
export function* places(path: string, source: string): Generator<Place> {
  const { program, errors } = parseSync(path, source);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const text = ({ start, end }: Span) => source.slice(start, end);
  yield* below(program, null, text);
}

function* below(node: Node, parent: Node | null, text: Place["text"]): Generator<Place> {
  if (IMPORTS.has(node.type) || (node.type.startsWith("TS") && !TRANSPARENT.has(node.type))) return;
  yield { node, parent, text };
  for (const key of visitorKeys[node.type] ?? []) {
    const held: unknown = Reflect.get(node, key);
    for (const child of Array.isArray(held) ? held : [held]) if (isNode(child)) yield* below(child, node, text);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** An expression without the parentheses around it. */
export function bare(node: Expression): Expression {
  return node.type === "ParenthesizedExpression" ? bare(node.expression) : node;
}
