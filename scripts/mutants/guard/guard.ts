/**
 * Ends the process around it when that has lost its parent or takes too much memory. A thread of its own still runs
 * while a mutant loops forever; without it such a mutant would outlive a hunt that is killed, or fill the machine.
 */
const mostBytes = Number(process.env.GUARD_MEGABYTES) * 1_000_000;
const parent = process.ppid;

setInterval(() => {
  if (process.ppid !== parent || process.memoryUsage.rss() > mostBytes) process.kill(process.pid, "SIGKILL");
}, 250);
