/** The pages as a site: every link leads somewhere, and from the first page everything is near. */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { pageFiles, readPage } from "../../scripts/lib/docs/pages.ts";
import { root } from "../../scripts/lib/paths.ts";

const FIRST = "docs/README.md";

type Link = { to: string; anchor: string | null };

/** Markdown without what is shown word for word. */
const prose = (page: string) => page.replaceAll(/^ *```[\s\S]*?^ *```$/gm, "").replaceAll(/`[^`\n]*`/g, "`");

/** Links and pictures of a page that stay in the project, by path from its folder. */
function linksOf(file: string, page: string): Link[] {
  const targets = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  const own = targets.filter((target) => !/^[a-z]+:/.test(target));
  return own.map((target) => {
    const [path = "", anchor = null] = target.split("#");
    return { to: path === "" ? file : posix.join(posix.dirname(file), path), anchor };
  });
}

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): string[] {
  const headings = [...page.replaceAll(/^ *```[\s\S]*?^ *```$/gm, "").matchAll(/^#+ (.*)$/gm)];
  return headings.map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** Why a link leads nowhere; null if it leads somewhere. */
function fault(file: string, { to, anchor }: Link): string | null {
  if (!existsSync(join(root, to))) return `${file} links to ${to}, which is not there`;
  if (anchor === null || anchorsOf(readPage(to)).includes(anchor)) return null;
  return `${file} links to #${anchor}, which ${to} does not have`;
}

test.each(pageFiles())("every link of %s leads somewhere", (file) => {
  expect(linksOf(file, readPage(file)).flatMap((link) => fault(file, link) ?? [])).toEqual([]);
});

test("a link that leads nowhere is noticed", () => {
  const page =
    "[a](nowhere.md) [b](README.md#no-such-heading) [c](README.md#all-pages) `[d](x.md)` [e](https://example.org)";
  expect(linksOf(FIRST, page).map((link) => fault(FIRST, link))).toEqual([
    "docs/README.md links to docs/nowhere.md, which is not there",
    "docs/README.md links to #no-such-heading, which docs/README.md does not have",
    null,
  ]);
});

describe("from the first page", () => {
  const next = (files: readonly string[]) =>
    new Set(
      files.flatMap((file) => linksOf(file, readPage(file)).map(({ to }) => to)).filter((to) => to.endsWith(".md")),
    );

  test("every page is at most two clicks away (mend with: npm run docs)", () => {
    const one = next([FIRST]);
    const two = next([...one]);
    expect(pageFiles().filter((file) => file !== FIRST && !one.has(file) && !two.has(file))).toEqual([]);
  });

  test("the README is one click away, and leads back", () => {
    expect([...next([FIRST])]).toContain("README.md");
    expect([...next(["README.md"])]).toContain(FIRST);
  });
});

test("no page loads anything from elsewhere", () => {
  const pictures = pageFiles().flatMap((file) => [
    ...prose(readPage(file)).matchAll(/!\[[^\]]*\]\((https?:[^)]*)\)|<(?:img|script|link|iframe)\b/g),
  ]);
  expect(pictures.map(([found]) => found)).toEqual([]);
});
