import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { convertDocument } from "../../../src/setup/import/formats/convert-document.ts";
import { mergeSpec } from "../../../src/setup/import/merge-spec.ts";
import { anchorsOf, readOutline } from "../../../src/setup/import/read/outline.ts";
import { mergePlan } from "../../../src/setup/plan/merge.ts";
import { newPlan } from "../../../src/setup/plan/new-plan.ts";
import { planScaffold } from "../../../src/setup/scaffold.ts";
import { placesOf } from "../../../src/setup/scaffold-files.ts";
import { seed } from "../../seed.ts";
import { fakeFiles } from "../fake-files.ts";

const NOWHERE = { prompt: null, plan: null, agent: null, settings: null };
const digest = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");
const anchors = (text: string) =>
  anchorsOf(readOutline(text).flatMap(({ isHeading, title }) => (isHeading ? [title] : [])));

/** Imports a document into a project, as `ralph import --no-agent` does. */
function imported(project: Record<string, string>, text: string): Record<string, string> {
  const { tasks, specs } = convertDocument({ name: "prd.md", text });
  const places = placesOf(NOWHERE);
  const plan = { path: places.plan, content: newPlan("x", tasks), ours: false };
  const request = { places, tasks, changeSettings: (settings: string) => settings, force: false, version: "1" };
  const actions = planScaffold({ ...request, files: [plan, ...specs] }, fakeFiles(project), digest);
  return {
    ...project,
    ...Object.fromEntries(actions.flatMap((one) => ("content" in one ? [[one.path, one.content]] : []))),
  };
}

/** The places that a plan names and no spec contains. */
function dangling(project: Record<string, string>): string[] {
  const links = [...(project[".ralph/@fix_plan.md"] ?? "").matchAll(/Spec: ([^#\s]+)(?:#(\S+))?/g)];
  return links.flatMap(([whole, path = "", anchor]) =>
    anchor === undefined || anchors(project[path] ?? "").includes(anchor) ? [] : [whole],
  );
}

describe("an edited spec", () => {
  test("gets its missing sections, each in its place, and keeps its own words and line ends", () => {
    const theirs = "> o\r\n\r\n# A\r\nmine\r\n\r\n\r\n## One\r\nmine too\r\n\r\n## Extra\r\n";
    expect(mergeSpec(theirs, "# A\nx\n## Zero\nz\n\n## One\ny\n## Two\nt")).toBe(
      "> o\r\n\r\n# A\r\nmine\r\n\r\n\r\n## Zero\r\nz\r\n\r\n## One\r\nmine too\r\n\r\n## Two\r\nt\r\n\r\n## Extra\r\n",
    );
  });
  test("with all sections stays unchanged", () =>
    expect(mergeSpec("# A\n\n\nmine", "# A\ntheirs\n")).toBe("# A\n\n\nmine"));
  test("does not count as ralph's own afterwards", () => {
    const first = imported({}, "# P\n## FR-1 In\nx\n");
    const spec = ".ralph/specs/requirements.md";
    const edited = { ...first, [spec]: `${first[spec]}\nMine.\n` };
    const second = imported(edited, "# P\n## FR-1 In\nx\n## FR-2 Out\ny\n");
    expect(second[spec]).toContain("Mine.");
    expect(second[spec]).toContain("## FR-2 Out");
    expect(imported(second, "# P\n## FR-1 In\nchanged\n")[spec]).toContain("Mine.");
  });
});

describe("a repeated import", () => {
  const V1 = "# Shop\n\n## FR-1 Sign in\nBy mail.\n\n## FR-2 Pay\nBy card.\n";
  test("keeps ticks, updates titles with their places, and adds only new tasks", () => {
    const first = imported({}, V1);
    const plan = ".ralph/@fix_plan.md";
    const ticked = { ...first, [plan]: (first[plan] ?? "").replace("- [ ] FR-1", "- [x] FR-1") };
    const second = imported(ticked, V1.replace("FR-1 Sign in", "FR-1 Log in").concat("\n## FR-3 Leave\nAt once.\n"));
    expect(second[plan]).toContain(
      "- [x] FR-1: Log in\n  > Spec: .ralph/specs/requirements.md#fr-1-log-in\n- [ ] FR-2: Pay\n",
    );
    expect(second[plan]?.match(/^- \[/gm)).toHaveLength(3);
    expect(dangling(second)).toEqual([]);
    expect(imported(second, V1.replace("FR-1 Sign in", "FR-1 Log in").concat("\n## FR-3 Leave\nAt once.\n"))).toEqual(
      second,
    );
  });

  test("leaves no dangling reference in the plan, whatever was edited", () => {
    const word = fc.constantFrom("In", "Out", "Pay", "Same", "Same");
    const feature = fc
      .tuple(fc.integer({ min: 1, max: 4 }), word)
      .map(([level, words]) => `${"#".repeat(level)} FR-${words.length}${level} ${words}\ntext\n`);
    const text = fc.array(feature, { minLength: 1, maxLength: 6 }).map((parts) => `# Shop\n\n${parts.join("\n")}`);
    const edit = fc.constantFrom<(spec: string) => string>(
      (spec) => spec,
      (spec) => `${spec}\n## Mine\n\nwords\n`,
      (spec) => spec.replace(/^## .*$/m, "## Renamed"),
      () => "nothing is left",
      (spec) => spec.replaceAll("\n", "\r\n"),
    );
    fc.assert(
      fc.property(text, edit, text, (one, change, two) => {
        const first = imported({}, one);
        expect(dangling(first)).toEqual([]);
        const spec = ".ralph/specs/requirements.md";
        const second = imported({ ...first, [spec]: change(first[spec] ?? "") }, two);
        const known = new Set(
          convertDocument({ name: "prd.md", text: two }).tasks.flatMap(({ details }) => details.at(-1) ?? []),
        );
        expect(dangling(second).filter((link) => known.has(link))).toEqual([]);
        const plan = ".ralph/@fix_plan.md";
        expect(mergePlan(second[plan] ?? "", convertDocument({ name: "prd.md", text: two }).tasks)).toMatchObject({
          added: [],
          updated: [],
        });
      }),
      { seed, numRuns: 300 },
    );
  });

  test("gives each chapter of a long document a file, also where a heading is like the number of an equal one", () => {
    const chapter = (name: string, at: number) => `## ${name}\n\nWords of ${at}. ${"word ".repeat(6000)}\n`;
    const text = `# P\n\n${["Report", "Report", "Report 1", "Report 1", "Report"].map(chapter).join("\n")}`;
    const { specs } = convertDocument({ name: "x.md", text });
    expect(specs.map(({ path }) => path.replace(".ralph/specs/requirements", ""))).toEqual([
      ".md",
      "-report.md",
      "-report-1.md",
      "-report-1-1.md",
      "-report-1-2.md",
      "-report-2.md",
    ]);
  });

  test("keeps the file of a long document's chapter when another comes before it", () => {
    const chapter = (name: string) => `## ${name}\n\n### FR-${name.length} It\n\n${"word ".repeat(6000)}\n`;
    const paths = (...names: string[]) =>
      convertDocument({ name: "x.md", text: `# P\n\n${names.map(chapter).join("\n")}` }).specs.map(({ path }) => path);
    expect(paths("One", "Three")).toEqual(
      ["requirements", "requirements-one", "requirements-three"].map((name) => `.ralph/specs/${name}.md`),
    );
    expect(paths("Two x", "One", "Three", "One")).toContain(".ralph/specs/requirements-one-1.md");
  });
});
