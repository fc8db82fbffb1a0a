import { type Args, defineCommand } from "../args/define.ts";
import { JSON_FLAG } from "./json-flag.ts";

const TRUST_ARGS = {
  yes: { type: "boolean", description: "agree without a question" },
  forget: { type: "boolean", description: "take back what you agreed to here" },
  json: JSON_FLAG,
} as const satisfies Args;
export type TrustArgs = typeof TRUST_ARGS;

export const TRUST = defineCommand({
  meta: { name: "trust", description: "what this project makes ralph run or reach; agree to it" },
  args: TRUST_ARGS,
  exclusive: [["yes", "forget"]],
  examples: [
    ["ralph trust", "see it and agree, in a project that you have cloned"],
    ["ralph trust --yes", "agree where nobody can be asked"],
  ],
  load: () => import("../commands/trust.ts"),
});
