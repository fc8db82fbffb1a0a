import process from "node:process";

/**
 * A mark that an agent hands on to all that it starts, and that neither a session of its own, an empty environment nor the end
 * of its parents takes away: the soft limit of file locks (RLIMIT_LOCKS), which Linux inherits and shows, and has not applied
 * since 2.4 (getrlimit(2)). What the agent does with it on purpose is another matter, as with its environment.
 *
 * `node:` has no call for it, so this file alone may use what a runtime adds (AGENTS.md, rule 5). Node.js adds nothing.
 */
const RLIMIT_LOCKS = 10;
/** The C library's name on glibc; musl takes it for its own. */
const LIBRARY = "libc.so.6";

/** Soft and hard limit: `struct rlimit` of 64-bit systems, the only ones that ralph is built for. */
type Limit = BigUint64Array;
type Call = (resource: number, limit: Limit) => number;
type Calls = { getrlimit: Call; setrlimit: Call };

/** Whatever `start` starts, at once and not later, carries the mark of this value of RALPH_RUN if the system allows it. */
export type KernelMarker = <T>(marker: string, start: () => T) => T;

/** Null where processes cannot be marked. Takes 0.2 ms under Bun, 5 ms under Deno. */
export function openKernelMarker(): KernelMarker | null {
  const calls = process.platform === "linux" ? openCalls() : null;
  const own: Limit = new BigUint64Array(2);
  if (calls === null || calls.getrlimit(RLIMIT_LOCKS, own) !== 0) return null;
  const [, hard = 0n] = own;
  return (marker, start) => {
    calls.setrlimit(RLIMIT_LOCKS, new BigUint64Array([BigInt(kernelMark(marker)), hard]));
    try {
      return start();
    } finally {
      // Before anything else is started: an editor or a notification is no agent's.
      calls.setrlimit(RLIMIT_LOCKS, own);
    }
  };
}

/** The mark that belongs to a value of RALPH_RUN: a number of 48 bits, so that nobody has it by chance. */
export function kernelMark(marker: string): number {
  // `ralph status` loads this file, and hashes nothing.
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(marker).digest().readUIntBE(0, 6);
}

/** The line of /proc/PID/limits of a process with this mark, up to its hard limit. */
export function kernelMarkLine(marker: string): string {
  return `${"Max file locks".padEnd(25)} ${kernelMark(marker)} `;
}

type Bun = { dlopen(path: string, symbols: Record<keyof Calls, { args: string[]; returns: string }>): Library };
type Deno = {
  permissions: { querySync(what: { name: "ffi" }): { state: string } };
  dlopen(path: string, symbols: Record<keyof Calls, { parameters: string[]; result: string }>): Library;
};
type Library = { symbols: Calls };

function openCalls(): Calls | null {
  const { Deno: deno } = globalThis as { Deno?: Deno };
  try {
    if (deno !== undefined) {
      // It would ask the user.
      if (deno.permissions.querySync({ name: "ffi" }).state !== "granted") return null;
      const call = { parameters: ["i32", "buffer"], result: "i32" };
      return deno.dlopen(LIBRARY, { getrlimit: call, setrlimit: call }).symbols;
    }
    if (process.versions.bun === undefined) return null;
    const call = { args: ["int", "ptr"], returns: "int" };
    const bun = process.getBuiltinModule("bun:ffi") as unknown as Bun;
    return bun.dlopen(LIBRARY, { getrlimit: call, setrlimit: call }).symbols;
  } catch {
    return null; // a system without this library, or one that forbids to run generated code: `ralph doctor` says so
  }
}
