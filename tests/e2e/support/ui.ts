/** A running `ralph ui`, and requests to it as a browser makes them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../../../scripts/lib/paths.ts";
import type { Project } from "./harness.ts";

export type Ui = {
  pid: number;
  port: number;
  /** The newest address with its token. */
  address(): string;
  /** All that it printed. */
  output(): string;
  exited: Promise<number>;
  kill(signal: NodeJS.Signals): void;
  stderr(): Promise<string>;
};

/** Puts a project on its user's list, which it would else be on after its first run. @param place among those that are put there so */
export function listProject({ dir, env }: Pick<Project, "dir" | "env">, place = 1): void {
  const folder = join(env.HOME ?? "", ".local/state/ralph/projects");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `000000000000000${place}.json`), JSON.stringify({ project: dir }));
}

/** Starts `ralph ui --no-open` and waits for its address. */
export async function startUi(at: Pick<Project, "dir" | "env">, ...words: string[]): Promise<Ui> {
  const child = Bun.spawn([binary, "ui", "--no-open", ...words], {
    cwd: at.dir,
    env: at.env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let told = "";
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const addresses = () => [...told.matchAll(/http:\/\/127\.0\.0\.1:(\d+)\/#[\w-]{43}/g)];
  while (addresses().length === 0) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`ralph ui ended: ${await new Response(child.stderr).text()}`);
    told += value;
  }
  const follow = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) told += part.value;
  };
  void follow();
  return {
    pid: child.pid,
    port: Number(addresses()[0]?.[1]),
    address: () => addresses().at(-1)?.[0] ?? "",
    output: () => told,
    exited: child.exited,
    kill: (signal) => child.kill(signal),
    stderr: () => new Response(child.stderr).text(),
  };
}

/** The two secrets of an admitted browser, as headers. */
export type Secrets = Record<"cookie" | "x-ralph-key", string>;

/** Uses an address as a page does. @throws Error if it is refused */
export async function enter(ui: Ui): Promise<Secrets> {
  const answer = await post(ui, "/enter", { token: ui.address().split("#")[1] });
  if (answer.status !== 200) throw new Error(await answer.text());
  const { key } = (await answer.json()) as { key: string };
  return { cookie: (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "", "x-ralph-key": key };
}

export function get(ui: Ui, path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${ui.port}${path}`, { headers });
}

/** As the page posts; `headers` may say otherwise. */
export function post(ui: Ui, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const own = { origin: `http://127.0.0.1:${ui.port}`, "content-type": "application/json" };
  return fetch(`http://127.0.0.1:${ui.port}${path}`, {
    method: "POST",
    headers: { ...own, ...headers },
    body: JSON.stringify(body),
  });
}
