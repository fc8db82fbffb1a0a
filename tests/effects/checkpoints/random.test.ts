/** In random repositories, after whatever an agent did, each checkpoint gives back the exact bytes, and git finds nothing wrong. */
import { expect, test } from "bun:test";
import { chmodSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { seed } from "../../seed.ts";
import { createSandbox, type Sandbox } from "../git/git-sandbox.ts";
import { checkpointsOf, faults, image, standing } from "./kept.ts";

const REPOSITORIES = 200;
const AT_ONCE = 25;

type Random = { below(n: number): number; of<T>(list: readonly T[]): T; bytes(): Buffer };

/** mulberry32: small, and the same on every machine. */
function random(start: number): Random {
  let state = start >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number) => Math.floor(next() * n);
  return {
    below,
    of: (list) => list[below(list.length)] as (typeof list)[number],
    bytes: () => Buffer.from(Array.from({ length: below(60) }, () => below(256))),
  };
}

/** Few names, so that files, folders and links take each other's places. */
const NAMES = ["a", "b", "A", "a.b", "a-b", "a0", "ä", "c d", "ignored.txt", ".x"];

function somePath({ below, of }: Random): string {
  return Array.from({ length: 1 + below(3) }, () => of(NAMES)).join("/");
}

/** Makes room at a path: files above it become folders. */
function clear(box: Sandbox, path: string): string {
  const parts = path.split("/");
  for (let depth = 1; depth < parts.length; depth += 1) {
    const folder = box.path(...parts.slice(0, depth));
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat !== undefined && !stat.isDirectory()) rmSync(folder);
  }
  mkdirSync(dirname(box.path(path)), { recursive: true });
  rmSync(box.path(path), { recursive: true, force: true });
  return box.path(path);
}

const FILE_WORK: readonly ((box: Sandbox, random: Random) => void)[] = [
  (box, r) => writeFileSync(clear(box, somePath(r)), r.bytes()),
  (box, r) => writeFileSync(clear(box, somePath(r)), `line\r\nline ${r.below(9)}\n`),
  (box, r) => writeFileSync(clear(box, somePath(r)), ""),
  (box, r) => {
    const path = clear(box, somePath(r));
    writeFileSync(path, `#!/bin/sh\necho ${r.below(9)}\n`);
    chmodSync(path, 0o755);
  },
  (box, r) => symlinkSync(r.of(["a", "../b", "nowhere", "/etc/hostname"]), clear(box, somePath(r))),
  (box, r) => rmSync(box.path(somePath(r)), { recursive: true, force: true }),
  (box, r) => {
    const from = box.path(somePath(r));
    const to = somePath(r);
    if (existsSync(from) && !join(box.project, to, "/").startsWith(join(from, "/")))
      if (!join(from, "/").startsWith(join(box.project, to, "/"))) renameSync(from, clear(box, to));
  },
];

const GIT_WORK: readonly (readonly string[][])[] = [
  [["add", "--all"]],
  [
    ["add", "--all"],
    ["commit", "--quiet", "--allow-empty", "--message", "work"],
  ],
  [
    ["add", "--all"],
    ["commit", "--quiet", "--allow-empty", "--amend", "--message", "other"],
  ],
  [["reset", "--quiet", "--hard", "HEAD"]],
  [
    ["reset", "--quiet", "--hard", "HEAD~1"],
    ["reflog", "expire", "--expire=now", "--all"],
    ["gc", "--quiet", "--prune=now"],
  ],
  [["gc", "--quiet", "--prune=now"]],
  [["checkout", "--quiet", "-B", "side"]],
  [["checkout", "--quiet", "--detach"]],
  [["stash", "--quiet", "--include-untracked"]],
  [["clean", "--quiet", "-fd"]],
  [["rm", "-r", "--quiet", "--cached", "--ignore-unmatch", "."]],
  [["pack-refs", "--all"]],
  [["repack", "-a", "-d", "--quiet"]],
];

/** What the system or git refuses, such as HEAD~1 of a first commit, leaves the project as it may well be. */
function attempt(act: () => unknown): void {
  try {
    act();
  } catch {}
}

function agentWorks(box: Sandbox, r: Random): void {
  for (let left = 1 + r.below(6); left > 0; left -= 1) attempt(() => r.of(FILE_WORK)(box, r));
  if (r.below(2) === 0) {
    for (const args of r.of(GIT_WORK)) attempt(() => box.git(...args));
    for (let left = r.below(3); left > 0; left -= 1) attempt(() => r.of(FILE_WORK)(box, r));
  }
}

const BEGINNINGS: readonly ((box: Sandbox) => void)[] = [
  () => {},
  (box) => box.git("config", "core.autocrlf", "input"),
  (box) => box.write({ ".gitattributes": "* text=auto\n" }),
  (box) => box.write({ ".gitattributes": "a* filter=rot\nb text eol=crlf\n" }),
  (box) => box.git("update-index", "--index-version", "4"),
  (box) => box.git("config", "core.ignoreCase", "false"),
];

async function lives(number: number): Promise<void> {
  const r = random(seed + number);
  using box = createSandbox();
  if (r.below(8) === 0) {
    rmSync(box.path(".git"), { recursive: true });
    box.git("init", "--quiet", "--object-format=sha256");
  }
  box.git("config", "filter.rot.clean", "tr a-z b-za");
  box.git("config", "filter.rot.smudge", "tr b-za a-z");
  box.write({ ".gitignore": "ignored*\n" });
  r.of(BEGINNINGS)(box);
  for (let left = r.below(8); left > 0; left -= 1) attempt(() => r.of(FILE_WORK)(box, r));
  if (r.below(6) > 0) box.commit("first");
  const { commit, back } = checkpointsOf(box);
  const kept: { id: string; files: Record<string, string> }[] = [];
  for (let iteration = 0; iteration < 4; iteration += 1) {
    if (iteration > 0) agentWorks(box, r);
    kept.push({ id: await commit(String(iteration)), files: image(box.project) });
  }
  for (let step = 0; step < 4; step += 1) {
    const { id, files } = r.of(kept);
    const before = standing(box);
    const { left } = await back(id);
    expect({ number, left, files: image(box.project) }).toEqual({ number, left: [], files });
    expect(standing(box)).toEqual(before);
    if (r.below(2) === 0) agentWorks(box, r);
  }
  // An index of nothing names an empty tree that git itself never wrote.
  rmSync(box.path(".git/index"), { force: true });
  expect({ number, faults: faults(box) }).toEqual({ number, faults: "" });
}

test.each(Array.from({ length: REPOSITORIES / AT_ONCE }, (_, at) => at * AT_ONCE))(
  "each checkpoint of 25 random repositories from number %d gives back the exact bytes",
  async (first) => {
    for (let number = first; number < first + AT_ONCE; number += 1) await lives(number);
  },
  60_000,
);
