import type { Definition } from "./args/define.ts";
import { ANALYZE } from "./definitions/analyze.ts";
import { CHECKPOINTS } from "./definitions/checkpoints.ts";
import { CIRCUIT } from "./definitions/circuit.ts";
import { COMPLETIONS } from "./definitions/completions.ts";
import { CONFIG } from "./definitions/config.ts";
import { DEMO } from "./definitions/demo.ts";
import { DIFF } from "./definitions/diff.ts";
import { DOCTOR } from "./definitions/doctor.ts";
import { DRIVERS } from "./definitions/drivers.ts";
import { EXTEND } from "./definitions/extend.ts";
import { FLEET } from "./definitions/fleet.ts";
import { GATES } from "./definitions/gates.ts";
import { HELP } from "./definitions/help.ts";
import { IMPORT } from "./definitions/import.ts";
import { INBOX } from "./definitions/inbox.ts";
import { LAND } from "./definitions/land.ts";
import { LOGS } from "./definitions/logs.ts";
import { MAN } from "./definitions/man.ts";
import { ATTACH, MONITOR } from "./definitions/monitor.ts";
import { PAUSE } from "./definitions/pause.ts";
import { PLAN } from "./definitions/plan.ts";
import { PROMPT } from "./definitions/prompt.ts";
import { PS } from "./definitions/ps.ts";
import { REPLAY } from "./definitions/replay.ts";
import { REPORT } from "./definitions/report.ts";
import { RESUME } from "./definitions/resume.ts";
import { RUN } from "./definitions/run.ts";
import { RUNS } from "./definitions/runs.ts";
import { SAY } from "./definitions/say.ts";
import { SESSION } from "./definitions/session.ts";
import { ENABLE, SETUP } from "./definitions/setup.ts";
import { STATS } from "./definitions/stats.ts";
import { STATUS } from "./definitions/status.ts";
import { STOP } from "./definitions/stop.ts";
import { SWARM } from "./definitions/swarm.ts";
import { TRUST } from "./definitions/trust.ts";
import { UI } from "./definitions/ui.ts";
import { UNDO } from "./definitions/undo.ts";
import { UPDATE } from "./definitions/update.ts";
import { WORKTREES } from "./definitions/worktrees.ts";

/** Commands by name. */
export type CommandTable = Readonly<Record<string, Definition>>;

/** Every command, in the order of the help. A command's module is loaded only when that command runs. */
export const COMMANDS: CommandTable = {
  run: RUN,
  setup: SETUP,
  enable: ENABLE,
  import: IMPORT,
  status: STATUS,
  logs: LOGS,
  replay: REPLAY,
  report: REPORT,
  diff: DIFF,
  checkpoints: CHECKPOINTS,
  undo: UNDO,
  land: LAND,
  swarm: SWARM,
  fleet: FLEET,
  runs: RUNS,
  stats: STATS,
  ps: PS,
  worktrees: WORKTREES,
  monitor: MONITOR,
  attach: ATTACH,
  ui: UI,
  inbox: INBOX,
  say: SAY,
  stop: STOP,
  pause: PAUSE,
  resume: RESUME,
  extend: EXTEND,
  plan: PLAN,
  prompt: PROMPT,
  config: CONFIG,
  trust: TRUST,
  analyze: ANALYZE,
  gates: GATES,
  circuit: CIRCUIT,
  session: SESSION,
  drivers: DRIVERS,
  doctor: DOCTOR,
  demo: DEMO,
  update: UPDATE,
  completions: COMPLETIONS,
  man: MAN,
  help: HELP,
};
