/** The pages of the site: Markdown in `docs/`, read where it lies. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../paths.ts";

/** What the first page says of the others, by heading. A page that is not there (yet) is left out. */
const INDEX: Readonly<Record<string, readonly (readonly [file: string, title: string, about: string])[]>> = {
  "To begin": [
    ["first-night.md", "First night", "from an empty folder to work that is done in the morning"],
    ["recipes.md", "Recipes", "CI, your phone, a bounded night, when something went wrong"],
    ["how-it-decides.md", "How it decides", "done, proven, progress, stuck, limited, over budget"],
  ],
  "To look up": [
    ["commands.md", "Commands", "each one with its flags and examples"],
    ["settings.md", "Settings", "each one with its flag and default"],
    ["exit-codes.md", "Exit codes", "why a run ended, and what to do next"],
    ["journal.md", "Journal and files", "what ralph writes down, and how to read it"],
    ["drivers.md", "Agents", "which ones it runs, and how to teach it yours"],
    ["interfaces.md", "Interfaces", "JSON, files and journal that other programs may rely on"],
    ["errors.md", "Errors of agents", "what ralph does when a call fails, by its wording"],
    ["../CHANGELOG.md", "Changes", "what users notice, by version"],
  ],
  "To trust it": [
    ["../SECURITY.md", "Security", "against whom it defends you, each promise with its test"],
    ["sandbox.md", "Sandbox", "what a shut-in agent sees, and what does not hold"],
    ["proof.md", "Proof", "simulated agents, here and in other loops: false done, false stop, money"],
    ["performance.md", "Performance", "what an iteration costs, measured"],
    ["differences.md", "Differences", "from the three systems that it succeeds"],
  ],
  "To work on it": [
    ["product.md", "The product", "what ralph decides, in every detail; the source cites it"],
    ["originals/README.md", "The originals", "what their documents say, and the test that holds it"],
    ["write-a-driver.md", "Write a driver", "forty lines that work"],
    ["design.md", "How it is built", "on one screen"],
    ["releasing.md", "Releasing", "builds, signatures, installers, updates"],
    ["../CONTRIBUTING.md", "Contributing", "how to change it"],
  ],
};

/** The list of the pages for the first one. */
export function pagesIndex(): string {
  const groups = Object.entries(INDEX).map(([heading, pages]) => {
    const there = pages.filter(([file]) => existsSync(join(root, "docs", file)));
    return `**${heading}**\n\n${there.map(([file, title, about]) => `- [${title}](${file}): ${about}`).join("\n")}`;
  });
  return groups.join("\n\n");
}

/** Every page for people, from the project's folder, sorted: those of `docs/` and the four at the root. */
export function pageFiles(): string[] {
  const below = [...new Bun.Glob("docs/**/*.md").scanSync(root)].map((file) => file.replaceAll("\\", "/"));
  return ["CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md", ...below.sort()];
}

/** The text of a page. @param file from the project's folder */
export function readPage(file: string): string {
  return readFileSync(join(root, file), "utf8").replaceAll("\r\n", "\n");
}
