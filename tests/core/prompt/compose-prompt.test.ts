import { expect, test } from "bun:test";
import { composePrompt } from "../../../src/core/prompt/compose-prompt.ts";

test("a preamble stands before the prompt, a blank line between them", () => {
  expect(composePrompt("Do the next task.\n", "Mind the style.", null)).toBe("Mind the style.\n\nDo the next task.\n");
});

test("without a preamble and notes the prompt is sent as it is", () => {
  expect(composePrompt("Do the next task.\n", null, null)).toBe("Do the next task.\n");
});
