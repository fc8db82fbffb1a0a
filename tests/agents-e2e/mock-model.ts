import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/lib/paths.ts";

/** What the mock model wrote down about one request; see tests/mock-model/README.md. */
export type ModelRequest = { n: number; kind: string; prompt: string; session: string | null; tools: string[] };

export type MockModel = AsyncDisposable & {
  url: string;
  /** The requests so far, without those that only ask for a title or a summary. */
  requests(): ModelRequest[];
};

/**
 * Starts the mock model with a scenario of tests/mock-model/scenarios.
 * @param cwd the agent's working folder: relative paths of tool calls are resolved against it
 */
export async function mockModel(scenario: string, cwd: string): Promise<MockModel> {
  const folder = mkdtempSync(join(tmpdir(), "ralph-mock-model-"));
  const log = join(folder, "requests.jsonl");
  const place = join(root, "tests", "mock-model");
  const options = ["--scenario", join(place, "scenarios", `${scenario}.json`), "--cwd", cwd, "--log", log];
  const server = Bun.spawn([process.execPath, join(place, "server.mjs"), ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
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
