import { type Operator, replace } from "./operator.ts";

const JUMPS = new Set(["BreakStatement", "ContinueStatement", "ThrowStatement"]);

export const statements: readonly Operator[] = [
  {
    name: "statement left out",
    edits: ({ node }) => {
      const calls = node.type === "ExpressionStatement" && (node.directive ?? null) === null;
      const jumps = JUMPS.has(node.type) || (node.type === "ReturnStatement" && node.argument === null);
      return calls || jumps ? [replace(node, ";")] : [];
    },
  },
];
