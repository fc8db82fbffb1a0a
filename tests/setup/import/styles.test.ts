/** Documents as the tools that people write them in give them away: what a careful reader would put on the list, and only that. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { convertDocument } from "../../../src/setup/import/convert.ts";
import { plainMarkdown } from "../../../src/setup/import/plain-markdown.ts";
import { boxText } from "../../../src/setup/plan/task.ts";

const documents: [name: string, plan: string[]][] = [
  [
    "notion.md",
    [
      "  medium Onboarding",
      "    Sign up: email or Apple ID",
      "    Skip: possible",
      "x medium Habits > Create a habit",
      "  medium Habits > Archive a habit",
      "    keeps history",
      "  medium Habits > Reminders",
      "  high Habits > Streaks",
      "    Notes: shown on home",
      "x medium Habits > Widgets",
      "    Notes: iOS only",
      "  medium Habits > As a user, I want to see my streak so that I stay motivated",
      "  medium Habits > As a user, I want to pause a habit when I travel",
    ],
  ],
  [
    "pasted.txt",
    [
      "  medium As a parent, I want to add a recipe from a link so that I do not have to type it.",
      "  medium As a child, I want to see pictures so that I can choose dinner.",
      "  medium Add a recipe",
      "    Works for the ten largest sites",
      "    Falls back to manual entry",
      "  medium Shopping list",
      "  medium Meal plan",
      "  medium R1: The app must work offline.",
      "  medium R2: Sync shall finish within 5 seconds.",
      "  medium R3: Data must be encrypted.",
    ],
  ],
  [
    "confluence.md",
    [
      "  medium 2.1.1: The system shall authorise cards via the PSP.",
      "  medium 2.1.2: The system shall time out after 30 s and answer HTTP-504.",
      "  medium Full capture",
      "  medium Partial capture",
      "    up to 10 times",
      "    never above the authorised amount",
      "  high As a merchant, I want to refund",
      "    Jira Issue: PAY-101",
      "    Notes: full and partial",
      "  low As a merchant, I want a refund reason",
      "    Jira Issue: PAY-102",
      "  medium Performance",
      "    99th percentile below 300 ms",
      "    500 requests per second",
      "  medium Security",
      "    PCI-DSS-4 compliant",
      "    TLS-1.3 only",
    ],
  ],
  [
    "german.md",
    [
      "  medium Ausleihe",
      "    Als Leser möchte ich Bücher ausleihen, damit ich sie zu Hause lesen kann.",
      "    Höchstens fünf Bücher",
      "    Frist vier Wochen",
      "  medium Rückgabe",
      "    Mahnung nach Ablauf",
      "  medium ANF-7: Das System muss Reservierungen annehmen.",
      "  high NFA-1: Antwort unter 1 s",
      "  high NFA-2: DSGVO-konform",
      "  low NFA-3: Dunkles Design",
    ],
  ],
  [
    "japanese.md",
    [
      "  medium 要件-001: バーコードで入庫できること",
      "  medium 要件-002: 数量を修正できること",
      "  medium 出庫",
      "    在庫が不足する場合は警告する",
      "  high F-10: 検索",
      "  low F-11: 帳票",
      "  medium 応答時間は1秒以内とすること",
    ],
  ],
  [
    "ears.md",
    [
      "  medium Requirement 1: As a writer, I want to save notes, so that nothing is lost.",
      "    WHEN a note is typed THEN the system SHALL save it within 1 s",
      "    IF the disk is full THEN the system SHALL warn",
      "  medium Requirement 2: As a writer, I want search.",
      "    WHEN a word is entered THE SYSTEM SHALL list notes",
      '    Scenario: Search, Given a note "x", When I search "x", Then it is shown',
    ],
  ],
  [
    "gherkin.txt",
    [
      "  medium Login",
      "    In order to use the shop As a customer I want to log in",
      "    Scenario: Right password: Given I have an account, When I enter the right password, Then I see my orders, And I am greeted",
      "    Scenario: Wrong password: Given I have an account, When I enter a wrong password, Then I see an error",
      "  medium Logout",
      "    Scenario Outline: From anywhere: Given I am on <page>, When I press logout, Then I am out",
    ],
  ],
];

describe("a document as it comes from", () => {
  test.each(documents)("%s", (name, plan) => {
    const source = readFileSync(new URL(`../../fixtures/prds/styles/${name}`, import.meta.url), "utf8");
    const { tasks } = convertDocument({ name, text: name.endsWith(".txt") ? plainMarkdown(source) : source });
    const lines = tasks.flatMap((task) => [
      `${task.done ? "x" : " "} ${task.priority} ${task.group === undefined ? "" : `${task.group} > `}${boxText(task)}`,
      ...task.details.filter((line) => !line.startsWith("Spec: ")).map((line) => `    ${line}`),
    ]);
    expect(lines).toEqual(plan);
  });
});
