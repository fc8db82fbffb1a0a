/** A Slurm cluster of one node for as long as a test or a bench needs it: Debian's munge and slurm-wlm, with files and ports of its own. */
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";

export type Cluster = {
  /**
   * Runs a script as an array job, and waits for its end.
   * @param script of the shell; SLURM_ARRAY_TASK_ID and the like are set
   * @returns what each task printed
   */
  runArray(script: string, count: number, env: Record<string, string>): Promise<string[]>;
  stop(): Promise<void>;
};

/** Programs that must be there. */
const NEEDED = ["munged", "slurmctld", "slurmd", "sbatch", "sinfo"] as const;

/**
 * @param folder an empty one, which must be this user's own
 * @param cpus how many tasks run side by side, whatever the machine has
 * @throws Error if one of the programs is missing or does not begin
 */
export async function startSlurm(folder: string, cpus: number): Promise<Cluster> {
  for (const program of NEEDED)
    if (Bun.which(program) === null) throw new Error(`${program} is not installed: apt-get install slurm-wlm munge`);
  const at = (name: string) => join(folder, name);
  for (const name of ["munge", "state", "spool", "out"]) mkdirSync(at(name), { mode: 0o700 });
  writeFileSync(at("key"), randomBytes(1024), { mode: 0o400 });
  const host = hostname().split(".", 1)[0] ?? "localhost";
  const [control, daemon] = [await freePort(), await freePort()];
  const config = at("slurm.conf");
  writeFileSync(
    config,
    `ClusterName=ralph
SlurmctldHost=${host}(127.0.0.1)
SlurmctldPort=${control}
SlurmdPort=${daemon}
AuthType=auth/munge
AuthInfo=socket=${at("munge/socket")}
CredType=cred/munge
StateSaveLocation=${at("state")}
SlurmdSpoolDir=${at("spool")}
SlurmctldPidFile=${at("slurmctld.pid")}
SlurmdPidFile=${at("slurmd.pid")}
SlurmctldLogFile=${at("slurmctld.log")}
SlurmdLogFile=${at("slurmd.log")}
SlurmUser=${Bun.env.USER ?? "root"}
ProctrackType=proctrack/pgid
TaskPlugin=task/none
ReturnToService=2
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
MailProg=/bin/true
NodeName=${host} NodeAddr=127.0.0.1 CPUs=${cpus} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`,
  );
  const env = { ...(process.env as Record<string, string>), SLURM_CONF: config };
  const munge = [
    "key-file=key",
    "socket=munge/socket",
    "pid-file=munge/pid",
    "log-file=munge/log",
    "seed-file=munge/seed",
  ];
  const flags = munge.map((flag) => `--${flag.replace("=", `=${folder}/`)}`);
  const daemons = [
    Bun.spawn(["munged", "--foreground", "--force", ...flags], { stdio: ["ignore", "ignore", "ignore"] }),
  ];
  await untilTrue(
    "munge",
    () => sayWith(["munge", "--no-input", `--socket=${at("munge/socket")}`], env).exitCode === 0,
  );
  daemons.push(Bun.spawn(["slurmctld", "-D", "-f", config], { env, stdio: ["ignore", "ignore", "ignore"] }));
  daemons.push(Bun.spawn(["slurmd", "-D", "-f", config, "-N", host], { env, stdio: ["ignore", "ignore", "ignore"] }));
  const stop = async () => {
    sayWith(["scancel", "--signal=KILL", "--full", `--user=${Bun.env.USER ?? "root"}`], env);
    for (const one of daemons.toReversed()) one.kill("SIGTERM");
    await Promise.all(daemons.map((one) => one.exited));
  };
  try {
    await untilTrue("slurm", () => sayWith(["sinfo", "--noheader", "--format=%t"], env).stdout.includes("idle"));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    stop,
    async runArray(script, count, more) {
      const path = at("job.sh");
      writeFileSync(path, `#!/bin/sh\n${script}`, { mode: 0o700 });
      const argv = ["sbatch", "--wait", `--array=1-${count}`, `--output=${at("out")}/%a`, "--export=ALL", path];
      const job = Bun.spawn(argv, { env: { ...env, ...more }, stdio: ["ignore", "ignore", "pipe"] });
      await job.exited;
      return Array.from({ length: count }, (_, n) => readFileSync(at(`out/${n + 1}`), "utf8"));
    },
  };
}

function sayWith(argv: string[], env: Record<string, string>) {
  const { exitCode, stdout } = Bun.spawnSync(argv, { env, stdio: ["ignore", "pipe", "ignore"] });
  return { exitCode, stdout: stdout.toString() };
}

async function untilTrue(what: string, holds: () => boolean): Promise<void> {
  const end = performance.now() + 20_000;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`${what} does not begin`);
    await Bun.sleep(50);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
