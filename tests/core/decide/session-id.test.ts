import { expect, test } from "bun:test";
import { isSessionId } from "../../../src/core/decide/session-id.ts";

const UUID = "0f8e7d6c-1234-4abc-9def-001122334455";

test.each<[string, "uuid" | RegExp | null, string[], string[]]>([
  ["any word, if the driver does not restrict them", null, ["a", UUID, "x/y"], ["", " a", "a b", "-a", "--last"]],
  ["UUIDs", "uuid", [UUID, UUID.toUpperCase()], ["a", `${UUID}0`, `-${UUID}`, `${UUID}\n`]],
  ["a pattern", /^ses_\w+$/, ["ses_1"], ["ses_", "x"]],
  ["a pattern that remembers, and has no beginning", /a/g, ["a", "a", "ba"], ["-a", "b"]],
])("isSessionId checks the ids of a CLI: %s", (_, sessionIds, good, bad) => {
  const driver = sessionIds === null ? {} : { sessionIds };
  expect(good.filter((id) => !isSessionId(driver, id))).toEqual([]);
  expect(bad.filter((id) => isSessionId(driver, id))).toEqual([]);
});
