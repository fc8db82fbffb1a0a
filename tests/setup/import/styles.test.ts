/** Documents in the typical styles of common tools: the tasks that a careful reader would list, and no others. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { convertDocument } from "../../../src/setup/import/formats/convert-document.ts";
import { plainMarkdown } from "../../../src/setup/import/formats/plain-markdown.ts";
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
    "ears.md",
    [
      "  medium Requirement 1: As a writer, I want to save notes, so that nothing is lost.",
      "    WHEN a note is typed THEN the system SHALL save it within 1 s",
      "    IF the disk is full THEN the system SHALL warn",
      "  medium Requirement 2: As a writer, I want search.",
      "    WHEN a word is entered THE SYSTEM SHALL list notes",
    ],
  ],
  [
    "firmware-srs.md",
    [
      "  medium REQ-001: The system SHALL download images over HTTPS only.",
      "  medium REQ-002: The system SHALL verify the signature (Ed25519) before writing.",
      "  medium REQ-003: The system SHOULD resume interrupted downloads. See REQ-001.",
      "  low REQ-004: The system MAY show progress on the LED.",
      "  medium REQ-005: If verification fails, the system SHALL a) delete the image, b) report error E42, c) keep the running firmware.",
      "  medium REQ-010: The update SHALL complete within 10 minutes at 1 Mbit/s.",
      "  medium REQ-011: The updater SHALL use less than 64 kB of RAM.",
      "  medium REQ-012: The updater SHALL survive a power cut at any instant.",
    ],
  ],
  [
    "capitals.txt",
    [
      "  medium Read soil moisture every 5 minutes from up to 16 sensors.",
      "  medium Open the valve of a bed when moisture is below its threshold.",
      "  medium Never run two pumps at the same time.",
      "  medium ALARMS",
      "    a sensor is silent for one hour",
      "    the tank is empty",
      "  medium USER INTERFACE",
    ],
  ],
  [
    "checklists.md",
    [
      "x medium Set up repo",
      "    [x] CI",
      "    [x] Linter",
      "  medium Auth",
      "    Sign up",
      "    [x] Log in",
      "    Forgot password",
      "    mail template",
      "  medium Settings page",
      "    theme",
      "    language",
      "  optional Export data (optional)",
      "  low Widgets",
      "  low Apple Watch",
    ],
  ],
  [
    "mail.txt",
    [
      "  medium Customers must be able to book a table online",
      "  medium We need a confirmation mail",
      "  optional Staff can block tables (nice to have)",
    ],
  ],
  [
    "stories.md",
    [
      "  high Epic 1: Borrowing > Story 1.1: Borrow a book",
      "    As a member I want to borrow a book by scanning it So that I can take it home",
      "    Given a valid card When the member scans a book Then the loan is recorded And the due date is printed",
      "    Given five loans When a sixth is scanned Then it is refused",
      "  low Epic 1: Borrowing > Story 1.2: Renew a loan",
      "    As a member I want to renew so that I keep the book.",
      "    Given a reserved book, when renewing, then it is refused",
      "    Given no reservation, when renewing, then two weeks are added",
      "    Use the ILS API POST /loans/{id}/renew",
      "  medium Epic 2: Returning > Story 2.1: Return a book",
      "    As a member I want to return books day and night.",
      "    Scenario: Damaged book: Given a damaged book, When it is returned, Then staff are notified",
      "    Scenario: Late book: Given a late book, When it is returned, Then the fee is shown",
      "  medium Epic 2: Returning > Story 2.2: Pay a fee",
      "    As a member I want to pay by card.",
    ],
  ],
  [
    "confluence-template.md",
    [
      "  high Card vault migration",
      "    User Story: As a returning customer I want my saved cards to keep working so I need not type them again",
      "    Jira Issue: PAY-1201",
      "    Notes: Stripe PAN import Needs legal sign-off",
      "  high 3-D Secure 2",
      "    User Story: As the bank I want strong authentication",
      "    Jira Issue: PAY-1202",
      "  medium Refunds",
      "    User Story: As support I want partial refunds",
      "    Jira Issue: PAY-1203",
      "    Notes: max 5 per order",
      "  low Dark mode receipts",
    ],
  ],
  [
    "emoji.md",
    [
      "  medium FR-1: The user can start a session of 25, 50 or 90 minutes.",
      "  medium FR-2: Notifications are muted during a session.",
      "    ✅ Timer is accurate to 1 s",
      "    ✅ Muting works on macOS and Windows",
      "  optional FR-3: Live status of each member.",
      "  medium Performance: < 200 ms p95",
      "  medium Security: SOC 2, AES‑256",
      "  medium Scalability: 10k concurrent users",
      "  optional Calendar integration",
      "  optional AI summaries",
    ],
  ],
  [
    "spec-kit.md",
    [
      "  high User Story 1: Create albums (Priority: P1)",
      "    Given no albums, When the user creates one, Then it is shown",
      "    Given an album, When a photo is dropped, Then it is in it",
      "  low User Story 2: Share albums (Priority: P3)",
      "    Given an album, When shared, Then a link is made",
      "  medium FR-001: System MUST allow users to create albums",
      "  medium FR-002: System MUST store photos locally",
      "  medium FR-003: System MUST [NEEDS CLARIFICATION: retention?]",
    ],
  ],
  ["todo.md", ["  medium Fix login", "  medium Write docs", "  low Someday", "    fly"]],
];

describe("the tasks of a document", () => {
  test.each(documents)("are complete and nothing else in %s", (name, plan) => {
    const source = readFileSync(new URL(`../../fixtures/prds/styles/${name}`, import.meta.url), "utf8");
    const { tasks } = convertDocument({ name, text: name.endsWith(".txt") ? plainMarkdown(source) : source });
    const lines = tasks.flatMap((task) => [
      `${task.done ? "x" : " "} ${task.priority} ${task.group === undefined ? "" : `${task.group} > `}${boxText(task)}`,
      ...task.details.filter((line) => !line.startsWith("Spec: ")).map((line) => `    ${line}`),
    ]);
    expect(lines).toEqual(plan);
  });

  test("are those of tasks.md in a folder of spec-kit, and not its stories, requirements and checklists once more", () => {
    const spec = readFileSync(new URL("../../fixtures/prds/styles/spec-kit.md", import.meta.url), "utf8");
    const list =
      "# Tasks\n\n## Phase 1: Setup\n\n- [X] T001 Create the project\n- [ ] T002 [P] Lint\n\n## Phase 2\n\n- [ ] T003 [US1] Albums\n";
    const text = `# Checklist\n\n- [ ] CHK001 Is it clear?\n\n${spec}\n\n${list}`;
    expect(convertDocument({ name: "001-albums", text }).tasks.map(boxText)).toEqual([
      "T001 Create the project",
      "T002 [P] Lint",
      "T003 [US1] Albums",
    ]);
  });
});
