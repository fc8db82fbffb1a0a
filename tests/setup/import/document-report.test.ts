import { describe, expect, test } from "bun:test";
import { documentReport } from "../../../src/setup/import/document-report.ts";
import { readTasks } from "../../../src/setup/import/read/requirements.ts";

const report = (text: string) => documentReport(text, readTasks(text, { specOf: null }));

const PRD = `# Shop

Words.

## 1. Goals

- Be rich

## 2. Features

### FR-1: Sign in

By mail.

### FR-2: Pay [NEEDS CLARIFICATION: in which currencies?]

- FR-2.1: by card [NEEDS CLARIFICATION: which cards?]

### Out of scope

- Fax

## 3. Data

\`\`\`sql
create table x
\`\`\`

## 4. Open questions

- Who hosts it?
  - we or they
- [x] Which name?
- [ ] Which price?
- ~~Which colour?~~

The mail is sent by whom?

| Question | Answer |
| --- | --- |
| Which bank? | |
| Which town? | Oslo |

## 5. Annex
`;

describe("the report of an import", () => {
  test("says what became tasks, what the specs only hold, and what is empty", () => {
    expect(report(PRD)).toMatchObject({
      tasks: [{ name: "2. Features", tasks: 2 }],
      specsOnly: ["1. Goals", "Out of scope", "3. Data", "4. Open questions"],
      empty: ["5. Annex"],
    });
  });

  test("lists the questions that are open", () => {
    expect(report(PRD).questions).toEqual([
      "which cards?",
      "Who hosts it?",
      "Which price?",
      "The mail is sent by whom?",
      "Which bank?",
    ]);
  });

  test("counts an agent's tasks by their number or their words", () => {
    const task = { priority: "high", done: false, details: [] } as const;
    const tasks = [
      { ...task, id: "FR-1", title: "Sign in with e-mail" },
      { ...task, id: null, title: "Set up the project" },
    ];
    expect(documentReport(PRD, tasks).tasks).toEqual([{ name: "2. Features", tasks: 1 }]);
  });

  test("names the chapters of a document with several first headings, and none without headings", () => {
    expect(report("# A\n\n- [ ] a\n\n# Risks\n\nRain\n").specsOnly).toEqual(["Risks"]);
    expect(report("- [ ] a\n")).toEqual({ tasks: [], specsOnly: [], empty: [], questions: [] });
  });
});

test("tasks of one name in several sections are told by their own sections", () => {
  const text =
    "# X\n\n## API\n\n- [ ] Add tests\n- [ ] Ship\n\n## Web\n\n- [ ] Add tests\n\n## Phone\n\n- [x] Add tests\n";
  expect(report(text)).toMatchObject({
    tasks: [
      { name: "API", tasks: 2 },
      { name: "Web", tasks: 1 },
      { name: "Phone", tasks: 1 },
    ],
    specsOnly: [],
  });
});
