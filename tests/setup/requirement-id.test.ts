import { describe, expect, test } from "bun:test";
import {
  leadingId,
  leadingNumber,
  mentionedIds,
  requirementId,
  trailingId,
} from "../../src/setup/plan/requirement-id.ts";

describe("the leading id", () => {
  test.each([
    ["FR-3: Sign in", "FR-3", "Sign in"],
    ["FR-3 Sign in", "FR-3", "Sign in"],
    ["FR-1.2 – text", "FR-1.2", "text"],
    ["FR-1.2 - text", "FR-1.2", "text"],
    ["**REQ-2** another", "REQ-2", "another"],
    ["__REQ-2__ another", "REQ-2", "another"],
    ["**REQ-2:** another", "REQ-2", "another"],
    ["`REQ-4` fourth", "REQ-4", "fourth"],
    ["[REQ-7] text", "REQ-7", "text"],
    ["(REQ-7) text", "REQ-7", "text"],
    ["[REQ-7](https://x.org/7) text", "REQ-7", "text"],
    ["**[REQ-7]** text", "REQ-7", "text"],
    ["**[REQ-7](x)**: text", "REQ-7", "text"],
    ['<a id="x"></a>REQ-7: text', "REQ-7", "text"],
    ["REQ\\-7: text", "REQ-7", "text"],
    ["✅ REQ-7 text", "REQ-7", "text"],
    ["REQ_007 text", "REQ_007", "text"],
    ["req-7: text", "req-7", "text"],
    ["REQ-7 | text", "REQ-7", "text"],
    ["REQ-7\ttext", "REQ-7", "text"],
    ["REQ-7: It is 'a | b'", "REQ-7", "It is 'a | b'"],
    ["NFR-SEC-12.1 — Hash", "NFR-SEC-12.1", "Hash"],
    ["Story 1.2: As a user", "Story 1.2", "As a user"],
    ["User Story 3: As a user", "User Story 3", "As a user"],
    ["Requirement #3: x", "Requirement #3", "x"],
    ["要件-3：検索", "要件-3", "検索"],
    ["R12) Export", "R12", "Export"],
    ["**R12** Export", "R12", "Export"],
    ["R12 Data must be exported", "R12", "Data must be exported"],
    ["REQ-7", "REQ-7", ""],
    ["R7", "R7", ""],
  ])("is found in %p", (text, id, rest) => expect(leadingId(text)).toMatchObject({ id, rest }));

  test.each([
    "2024-01-15: kickoff",
    "v1.2: first release",
    "V2: second",
    "ISO-8601 dates",
    "**ISO-8601** dates",
    "UTF-8: encode",
    "SHA-256 hashes",
    "`AES-256` at rest",
    "HTTP-404: not found",
    "RFC-2119: must",
    "RFC2119: must",
    "COVID-19 rules",
    "TLS-1.3 only",
    "IPv6: yes",
    "CVE-2024-1234: mend",
    "P1: sign up",
    "[P0] sign up",
    "Q3-2026: ship",
    "H2 headings",
    "R2-D2 is a robot",
    "Sign in",
    "3D view",
    "A-level: students",
    "FR-1-beta: x",
    "- [ ] x",
  ])("is not found in %p", (text) => expect(leadingId(text)).toBeNull());
});

test.each([
  ["2.1 The user must sign in", "2.1"],
  ["**2.1** The user must", "2.1"],
  ["2.1.3. The user must", "2.1.3"],
])("the chapter number of %p is found", (text, id) => expect(leadingNumber(text)?.id).toBe(id));
test.each(["15.01.2026 Kickoff", "2 users", "1.5", "1.2.0-beta x"])("no chapter number is found in %p", (text) =>
  expect(leadingNumber(text)).toBeNull(),
);

test.each([
  ["The user can sign in (FR-8).", "FR-8"],
  ["Sign in [FR-8]", "FR-8"],
  ["Sign in (**FR-8**)", "FR-8"],
  ["Dates (ISO-8601)", null],
  ["Dates (see FR-8)", null],
  ["Both (FR-8/FR-9)", null],
])("the trailing id of %p is %p", (text, id) => expect(trailingId(text)?.id ?? null).toBe(id));

test("the ids in a text are found at any position, without the names of norms", () => {
  expect(mentionedIds("See FR-1, (NFR-SEC-2.1) and REQ_7; not UTF-8, x-FR-9 or https://a.b/FR-3.")).toEqual([
    "FR-1",
    "NFR-SEC-2.1",
    "REQ_7",
  ]);
});

test("a number is a box's id only before a colon", () => {
  expect(requirementId("2.1: The user")).toEqual({ id: "2.1", rest: "The user" });
  expect(requirementId("1.5 seconds are enough")).toBeNull();
});
