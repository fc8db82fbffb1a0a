import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/lib/paths.ts";

/** The mock model's record of one request; see tests/mock-model/README.md. */
export type ModelRequest = {
  n: number;
  kind: string;
  /** The last 300 characters or so of the user's text. */
  prompt: string;
  session: string | null;
  tools: string[];
  /** The length of the conversation that the request continues. */
  messages: number;
};

export type MockModel = AsyncDisposable & {
  url: string;
  /** The requests so far, except those for a title or a summary. */
  requests(): ModelRequest[];
  /** The whole request from the CLI: JSON. */
  body(request: ModelRequest | undefined): string;
};

/** The scenarios of these tests first, then the mock model's own. */
const folders = [join(import.meta.dirname, "scenarios"), join(root, "tests", "mock-model", "scenarios")];

/**
 * Starts the mock model.
 * @param scenario name of a file in one of the scenario folders
 * @param cwd the agent's working folder; relative paths of tool calls start there
 */
export async function mockModel(scenario: string, cwd: string): Promise<MockModel> {
  const file = folders.map((folder) => join(folder, `${scenario}.json`)).find((path) => existsSync(path));
  if (file === undefined) throw new Error(`no scenario ${scenario}`);
  const folder = mkdtempSync(join(tmpdir(), "ralph-mock-model-"));
  const log = join(folder, "requests.jsonl");
  const program = join(root, "tests", "mock-model", "server.mjs");
  const bodies = join(folder, "bodies");
  const options = ["--scenario", file, "--cwd", cwd, "--log", log, "--bodies", bodies];
  const server = Bun.spawn([process.execPath, program, ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const [firstChunk] = await Array.fromAsync(take(server.stdout, 1));
  const { url } = JSON.parse(new TextDecoder().decode(firstChunk));
  return {
    url,
    requests: () =>
      (existsSync(log) ? readFileSync(log, "utf8") : "")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line))
        .filter(({ event, kind }) => event === "request" && kind === "main"),
    body: (request) => readFileSync(join(bodies, `${String(request?.n).padStart(4, "0")}-anthropic.json`), "utf8"),
    async [Symbol.asyncDispose]() {
      server.kill();
      await server.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function* take(stream: ReadableStream<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let left = count;
  for await (const chunk of stream) {
    yield chunk;
    if (--left === 0) return;
  }
}
