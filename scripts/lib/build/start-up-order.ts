import { join } from "node:path";
import { root } from "../paths.ts";

/** Where a program that Bun compiled writes which functions it ran, when it ends. */
export const ORDER_OUT = "BUN_BYTECODE_ORDER_OUT";

/**
 * The functions that a start runs, which `npm run profile` writes. Their bytecode stands together in the program: 5 to 8 % less time
 * of a start, measured. Each is named by a hash of its source, so after 36 commits it still knew 98 of 100; one that
 * it does not know is only read from further away.
 */
export const orderFile = join(root, "scripts", "lib", "build", "start-up.order");

const FORMAT = "v2";

/**
 * The functions of what a program wrote; its other lines add nothing to the speed, and six times the bytes.
 * @throws Error if it is of a format that is not known
 */
export function functionsOf(order: string): string[] {
  const [format, ...lines] = order.split("\n");
  if (format !== FORMAT)
    throw new Error(`The order file is of the format ${format}, and ${FORMAT} is known: see what Bun changed.`);
  return lines.filter((line) => line.startsWith("F "));
}

/** A file for the compiler. @param functions the first to run first; one may be named again */
export const orderText = (functions: readonly string[]) => `${[FORMAT, ...new Set(functions)].join("\n")}\n`;
