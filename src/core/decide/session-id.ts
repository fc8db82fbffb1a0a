import type { Driver } from "../../driver.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** An id with a leading dash would be taken for a flag. */
const WORD = /^[^\s-]\S*$/;

/** Whether an id can be a session of this driver's CLI. */
export function isSessionId({ sessionIds = WORD }: Pick<Driver, "sessionIds">, id: string): boolean {
  // Unlike `test`, `search` ignores the state of a driver's pattern.
  return WORD.test(id) && id.search(sessionIds === "uuid" ? UUID : sessionIds) !== -1;
}
