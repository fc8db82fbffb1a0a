import { createSocket } from "node:dgram";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { type Project, project } from "../support/harness.ts";
import { AGENT } from "./agent.ts";
import { PROBES } from "./probes.ts";

/** An engine of this machine, and what a run in it is started with. */
export type Engine = {
  name: string;
  /** As the setting and the header call it. */
  engine: "os" | "podman" | "docker";
  flags: readonly string[];
  env: Record<string, string>;
};

const SECRETS = [
  "secret",
  "home/.ssh/id_ed25519",
  "home/.aws/credentials",
  "home/.git-credentials",
  "home/.claude/login",
];

/** A project whose agent does what a script says; OUT is the folder around project, home and programs. */
export function sandboxedProject(script: string, env: Record<string, string> = {}): Project & { out: string } {
  const made = project({
    files: {
      ".ralph/PROMPT.md": "Do the next task.\n",
      ".ralph/@fix_plan.md": "# Plan\n- [ ] one\n- [ ] two\n",
      ".ralph/specs/one.md": "One.\n",
      ".ralph/.ralphrc": 'QUALITY_GATES="sh checks/test.sh"\n',
      "checks/test.sh": "exit 0\n",
      "src/a.txt": "a\n",
      "probe.sh": script,
    },
    env,
  });
  const out = dirname(made.dir);
  writeFileSync(join(out, "bin/claude"), AGENT);
  chmodSync(join(out, "bin/claude"), 0o755);
  // No engine of Docker runs where these tests do: podman takes its words.
  writeFileSync(join(out, "bin/docker"), '#!/bin/sh\nexec podman "$@"\n');
  chmodSync(join(out, "bin/docker"), 0o755);
  for (const name of SECRETS) {
    mkdirSync(dirname(join(out, name)), { recursive: true });
    writeFileSync(join(out, name), "secret\n");
  }
  return { ...made, out };
}

/** What the machine outside noticed, and the facts that probes need. */
export type Outside = { facts: Record<string, string>; reached: string[]; close(): void };

/** Servers of the machine outside that no sandboxed agent may reach. */
export async function openOutside(out: string): Promise<Outside> {
  const reached: string[] = [];
  const abstract = `ralph-test-${process.pid}-${Date.now()}`;
  const http = createHttpServer((_, answer) => {
    reached.push("http");
    answer.end("reached\n");
  });
  const listen = (server: Server, where: string | { port: number; host: string }) =>
    new Promise<void>((resolve) => server.listen(where, resolve));
  await listen(http, { port: 0, host: "127.0.0.1" });
  const host = createServer((socket) => socket.destroy());
  await listen(host, join(out, "host.sock"));
  const hidden = createServer((socket) => socket.destroy());
  await listen(hidden, `\0${abstract}`);
  const udp = createSocket("udp4", () => undefined).on("message", () => reached.push("udp"));
  await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve));
  const address = http.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    facts: {
      OUT: out,
      PORT: String(port),
      UDP_PORT: String(udp.address().port),
      ABSTRACT: abstract,
      TEST_PID: String(process.pid),
      LONG: `${70_000 + (process.pid % 10_000)}`,
    },
    reached,
    close() {
      for (const server of [http, host, hidden]) server.close();
      udp.close();
    },
  };
}

/** The script that runs all probes one after the other, each for some seconds at most, and says what each of them said. */
export function probeScript(facts: Record<string, string>, which = PROBES): string {
  const exports = Object.entries(facts).map(([name, value]) => `export ${name}='${value}'`);
  const runs = which.map(({ name, script }, index) => {
    const file = `probes/${index}.sh`;
    return [
      `mkdir -p probes; cat > ${file} <<'PROBE'`,
      script,
      "PROBE",
      `echo "== ${name}"; timeout 10 sh ${file} 2>&1`,
    ].join("\n");
  });
  return `${[...exports, ...runs, 'echo "== end"'].join("\n")}\n`;
}

/** What each probe said, by its name. */
export function probeAnswers(text: string): Map<string, string> {
  const parts = text.split(/^== (.*)$/m).slice(1);
  return new Map(parts.flatMap((name, at) => (at % 2 === 0 ? [[name, (parts[at + 1] ?? "").trim()] as const] : [])));
}

/** The processes of this machine whose words hold a text. */
export function processesWith(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/cmdline`))
    .flatMap((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, "utf8").includes(text) ? [Number(name)] : [];
      } catch {
        return []; // it has just ended
      }
    });
}
