import { arithmetic } from "./arithmetic.ts";
import { constants } from "./constants.ts";
import { lists } from "./lists.ts";
import { logic } from "./logic.ts";
import type { Operator } from "./operator.ts";
import { statements } from "./statements.ts";

/** Every kind of mistake that is made on purpose. */
export const operators: readonly Operator[] = [...arithmetic, ...logic, ...constants, ...lists, ...statements];
