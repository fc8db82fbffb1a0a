import { expect, test } from "bun:test";
import { parseFindings } from "../../../src/core/decide/review-state.ts";

const block = (json: string) => `---REVIEW_FINDINGS---\n${json}\n---END_REVIEW_FINDINGS---`;

test("the code fence around findings may name its language in any case", () => {
  expect(parseFindings(block('```JSON\n{"severity":"HIGH"}\n```'))?.severity).toBe("HIGH");
});

test("a review with zero issues has none, whatever its details contain", () => {
  const found = parseFindings(block('{"severity":"LOW","issues_found":0,"details":[{"issue":"x"}]}'));
  expect(found).toMatchObject({ issues_found: 0, details: [{ issue: "x" }] });
});
