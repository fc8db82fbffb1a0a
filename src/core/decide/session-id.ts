import type { Driver } from "../../driver.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** What begins with a dash would be taken for a flag. */
const WORD = /^[^\s-]\S*$/;

/** Whether an id can be one of the sessions of a driver's CLI. */
export function isSessionId({ sessionIds = WORD }: Pick<Driver, "sessionIds">, id: string): boolean {
  // `search` does not depend on the state that `test` keeps in a pattern of somebody else's.
  return WORD.test(id) && id.search(sessionIds === "uuid" ? UUID : sessionIds) !== -1;
}
