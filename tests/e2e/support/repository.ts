/** A repository with one commit, as `git init`, `git add --all` and `git commit` leave it, without a start of git for each project. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";

type Env = Readonly<Record<string, string>>;
type Entry = { mode: "100644" | "40000"; name: string; id: string };

/** What `git init` makes here; made once, and gone on with its process. */
let made: { folder: string; from: string } | null = null;

export function initRepository(dir: string, env: Env): void {
  const from = JSON.stringify(Object.entries(env).filter(([key]) => key.startsWith("GIT_")));
  if (made?.from !== from) {
    const folder = mkdtempSync(join(tmpdir(), "ralph-e2e-git-"));
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    git(folder, env, "init", "-q");
    made = { folder, from };
  }
  cpSync(join(made.folder, ".git"), join(dir, ".git"), { recursive: true });
}

/** Commits all files of a new project, whose paths are given. */
export function commitAll(dir: string, env: Env, paths: readonly string[]): void {
  const isOdd = paths.some((path) => /(?:^|\/)\.git|[\\:]|^\/|\.\.?(?:\/|$)|\/\//.test(path));
  // What ignores, filters, hooks or signs is git's own to know, as is what stat says on Windows.
  if (isOdd || process.platform === "win32" || Object.keys(env).some((key) => /^GIT_CONFIG_(?!NOSYSTEM)/.test(key))) {
    git(dir, env, "add", "-A");
    // Without the process that looks whether there is something to tidy up.
    git(dir, env, "-c", "maintenance.auto=false", "commit", "-q", "--allow-empty", "-m", "start");
    return;
  }
  const at = join(dir, ".git");
  const files = [...paths].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const blobs = new Map(files.map((path) => [path, put(at, "blob", readFileSync(join(dir, path)))]));
  const who = (role: string) =>
    `${env[`GIT_${role}_NAME`]} <${env[`GIT_${role}_EMAIL`]}> ${Math.floor(Date.now() / 1000)} +0000`;
  const committer = who("COMMITTER");
  const text = `tree ${putTree(at, "", blobs)}\nauthor ${who("AUTHOR")}\ncommitter ${committer}\n\nstart\n`;
  const id = put(at, "commit", Buffer.from(text));
  const branch = readFileSync(join(at, "HEAD"), "utf8").trim().replace("ref: ", "");
  const log = `${"0".repeat(40)} ${id} ${committer}\tcommit (initial): start\n`;
  for (const [name, content] of [
    [branch, `${id}\n`],
    ["logs/HEAD", log],
    [`logs/${branch}`, log],
    ["COMMIT_EDITMSG", "start\n"],
  ] as const) {
    mkdirSync(dirname(join(at, name)), { recursive: true });
    writeFileSync(join(at, name), content);
  }
  writeFileSync(join(at, "index"), indexOf(dir, blobs));
}

function git(cwd: string, env: Env, ...words: string[]): void {
  const { status, stderr } = spawnSync("git", words, { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${words.join(" ")}: ${stderr}`);
}

/** Stores an object. @returns its id */
function put(at: string, type: string, content: Buffer): string {
  const bytes = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
  const id = createHash("sha1").update(bytes).digest("hex");
  const folder = join(at, "objects", id.slice(0, 2));
  const file = join(folder, id.slice(2));
  mkdirSync(folder, { recursive: true });
  if (!existsSync(file)) writeFileSync(file, deflateSync(bytes), { mode: 0o444 });
  return id;
}

function putTree(at: string, under: string, blobs: ReadonlyMap<string, string>): string {
  const entries = new Map<string, Entry>();
  for (const [path, id] of blobs) {
    if (!path.startsWith(under)) continue;
    const [name = "", ...below] = path.slice(under.length).split("/");
    if (below.length === 0) entries.set(name, { mode: "100644", name, id });
    else if (!entries.has(name)) entries.set(name, { mode: "40000", name, id: putTree(at, `${under}${name}/`, blobs) });
  }
  // A folder stands where its name with a slash behind it would.
  const place = ({ mode, name }: Entry) => Buffer.from(mode === "40000" ? `${name}/` : name);
  const sorted = [...entries.values()].sort((a, b) => Buffer.compare(place(a), place(b)));
  const rows = sorted.map(({ mode, name, id }) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, "hex")]),
  );
  return put(at, "tree", Buffer.concat(rows));
}

/** The index, with what stat says of each file: git then need not look into them. */
function indexOf(dir: string, blobs: ReadonlyMap<string, string>): Buffer {
  const rows = [...blobs].map(([path, id]) => {
    const stat = lstatSync(join(dir, path), { bigint: true });
    const name = Buffer.from(path);
    const row = Buffer.alloc(Math.ceil((62 + name.length + 1) / 8) * 8);
    const times = [stat.ctimeNs, stat.mtimeNs].flatMap((ns) => [ns / 1_000_000_000n, ns % 1_000_000_000n]);
    const numbers = [...times, stat.dev, stat.ino, 0o100644n, stat.uid, stat.gid, stat.size];
    for (const [index, number] of numbers.entries()) row.writeUInt32BE(Number(BigInt.asUintN(32, number)), index * 4);
    row.write(id, 40, "hex");
    row.writeUInt16BE(Math.min(name.length, 0xfff), 60);
    name.copy(row, 62);
    return row;
  });
  const head = Buffer.from("DIRC\0\0\0\u0002\0\0\0\0", "latin1");
  head.writeUInt32BE(rows.length, 8);
  const body = Buffer.concat([head, ...rows]);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}
