import process from "node:process";
import marksScript from "../../../templates/report/marks-script.txt" with { type: "text" };
import reportStyle from "../../../templates/report/page.css" with { type: "text" };
import beginStyle from "../../../templates/ui/begin.css" with { type: "text" };
import beginScript from "../../../templates/ui/begin-script.txt" with { type: "text" };
import homeStyle from "../../../templates/ui/home.css" with { type: "text" };
import homeScript from "../../../templates/ui/home-script.txt" with { type: "text" };
import pageStyle from "../../../templates/ui/page.css" with { type: "text" };
import page from "../../../templates/ui/page.txt" with { type: "text" };
import script from "../../../templates/ui/page-script.txt" with { type: "text" };
import pairingScript from "../../../templates/ui/pairing-script.txt" with { type: "text" };
import patchScript from "../../../templates/ui/patch-script.txt" with { type: "text" };
import projectStyle from "../../../templates/ui/project.css" with { type: "text" };
import projectScript from "../../../templates/ui/project-script.txt" with { type: "text" };
import replayStyle from "../../../templates/ui/replay.css" with { type: "text" };
import replayScript from "../../../templates/ui/replay-script.txt" with { type: "text" };
import resultsScript from "../../../templates/ui/results-script.txt" with { type: "text" };
import searchScript from "../../../templates/ui/search-script.txt" with { type: "text" };
import setupScript from "../../../templates/ui/setup-script.txt" with { type: "text" };
import sureScript from "../../../templates/ui/sure-script.txt" with { type: "text" };
import taskStyle from "../../../templates/ui/task.css" with { type: "text" };
import taskScript from "../../../templates/ui/task-script.txt" with { type: "text" };
import whenFreeScript from "../../../templates/ui/when-free-script.txt" with { type: "text" };
import windowsScript from "../../../templates/ui/windows-script.txt" with { type: "text" };
import { RalphError } from "../../core/errors.ts";
import { fieldsOf, str } from "../../core/json-value.ts";
import { systemClock } from "../../effects/clock.ts";
import { createHost } from "../../effects/host.ts";
import { startTimeOf } from "../../effects/process-tree/process-tree.ts";
import { createTokenAccess } from "../../effects/ui/access.ts";
import type { Ask } from "../../effects/ui/apart.ts";
import { createDevices, deviceFile } from "../../effects/ui/devices.ts";
import { farDoor, loopbackDoor } from "../../effects/ui/door.ts";
import { forgetInstance, rememberInstance, runningInstance, takeStart, uiFolder } from "../../effects/ui/instance.ts";
import { openInBrowser } from "../../effects/ui/open-browser.ts";
import { secret } from "../../effects/ui/secrets.ts";
import { serveUi, type UiRoutes } from "../../effects/ui/server.ts";
import { VERSION } from "../../version.ts";
import type { CommandContext } from "../context.ts";
import type { UiArgs } from "../definitions/ui.ts";
import { requireOwnShell } from "../run/send-control.ts";
import { onSignals } from "../run/signals.ts";
import { answerOne, askApart, isAsked } from "../ui/answer-apart.ts";
import { withDevices } from "../ui/device-routes.ts";
import type { OpenDoor } from "../ui/far-door.ts";
import { uiRoutes } from "../ui/routes.ts";
import { type AskedUi, tellServed } from "../ui/tell-served.ts";

const SCRIPT = "text/javascript; charset=utf-8";
const FILES = {
  "/": { type: "text/html; charset=utf-8", text: page.replace("{version}", VERSION) },
  "/page.css": {
    type: "text/css; charset=utf-8",
    text: reportStyle + pageStyle + homeStyle + beginStyle + projectStyle + replayStyle + taskStyle,
  },
  "/page.js": { type: SCRIPT, text: script },
  "/begin.js": { type: SCRIPT, text: beginScript },
  "/home.js": { type: SCRIPT, text: homeScript },
  "/pairing.js": { type: SCRIPT, text: pairingScript },
  "/patch.js": { type: SCRIPT, text: patchScript },
  "/project.js": { type: SCRIPT, text: projectScript },
  "/replay.js": { type: SCRIPT, text: replayScript },
  "/results.js": { type: SCRIPT, text: resultsScript },
  "/search.js": { type: SCRIPT, text: marksScript + searchScript },
  "/setup.js": { type: SCRIPT, text: setupScript },
  "/sure.js": { type: SCRIPT, text: sureScript },
  "/task.js": { type: SCRIPT, text: taskScript },
  "/when-free.js": { type: SCRIPT, text: whenFreeScript },
  "/windows.js": { type: SCRIPT, text: windowsScript },
};

/**
 * `ralph ui [--port N] [--no-open] [--control] [--listen ADDRESS]`: serves the page until Ctrl+C, the end of the terminal or
 * `ralph ui stop`. What listens on loopback is the same with `--listen` as without it.
 * @throws RalphError `environment` if the port is taken, or a page is served already that does not do what is asked or does not answer, or an agent asks for control or for other machines; `usage` for no port
 *   and for an address that nothing encrypts for
 */
export async function run(context: CommandContext<UiArgs>): Promise<number> {
  const own = (may: boolean, ask: Ask | null) => uiRoutes({ ...context, args: { ...context.args, control: may } }, ask);
  if (isAsked()) return answerOne(context, (may) => own(may, null));
  const { args, env } = context;
  const asked = { control: args.control, far: farDoorIn(args), port: portIn(args.port) };
  if (asked.control || asked.far !== null) requireOwnShell(env);
  const begun = await takeStart(createHost(context.projectDir, env));
  try {
    return await serve(context, own, asked, begun);
  } finally {
    begun();
  }
}

/** @param begun called once others can find the server */
async function serve(
  context: CommandContext<UiArgs>,
  own: (may: boolean, ask: Ask | null) => UiRoutes,
  { control, far, port }: AskedUi,
  begun: () => void,
): Promise<number> {
  const { args, env, log } = context;
  const user = createHost(context.projectDir, env);
  const first = await runningInstance(user);
  if (first !== null) {
    tellServed(log, first, { control, far, port });
    return 0;
  }
  let usedFile = () => {};
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const [id, stopKey] = [secret(), secret()];
  const devices = createDevices(deviceFile(user), systemClock.now);
  const ask = askApart(context);
  const routesOf = (may: boolean) => withDevices(own(may, ask), devices, may);
  const watching = routesOf(false);
  const steering = control ? routesOf(true) : watching;
  const routes = (may: boolean) => (may ? steering : watching);
  const server = await serveUi({
    door: loopbackDoor(port),
    files: FILES,
    routes,
    access: (at) =>
      createTokenAccess(at, () => {
        usedFile();
        context.stdout(`A browser is in. For another one: ${address()}\n`);
      }),
    errands: {
      id,
      key: stopKey,
      run(path, body, answered) {
        if (path === "/revoke") return { revoked: devices.revoke(str(fieldsOf(body).name) ?? "") };
        if (path !== "/stop") return null;
        answered(end);
        return { stopping: true };
      },
    },
  });
  const address = () => `http://127.0.0.1:${server.port}/#${server.access.token()}`;
  let others: OpenDoor | null = null;
  let code = 0;
  const unlisten = onSignals((signal, exit) => {
    code = signal === "SIGINT" ? 0 : exit;
    end();
  });
  try {
    if (far !== null) {
      const { openFarDoor } = await import("../ui/far-door.ts");
      const files = { ...FILES, "/": { ...FILES["/"], text: page.replace("<html", '<html data-door="pairing"') } };
      others = await openFarDoor(context, { door: far, files, routes, devices, folder: uiFolder(user) });
    }
    const reach = { port: server.port, control, others: others?.origin ?? null };
    const self = { pid: process.pid, start_time: startTimeOf(process.pid), version: VERSION };
    rememberInstance(user, { ...reach, ...self, id, stop_key: stopKey });
    begun();
    context.stdout(`${address()}\n`);
    log.info(
      control ? "The page can steer your runs. It ends with Ctrl+C." : "The page only shows. It ends with Ctrl+C.",
    );
    others?.begin();
    if (args.open !== false && far === null && context.isTty.stdout) usedFile = openInBrowser(address(), user);
    await ended;
  } finally {
    unlisten();
    usedFile();
    others?.close();
    // Before it closes: who gets no answer any more sees that it ends.
    forgetInstance(user, id);
    server.close();
  }
  return code;
}

function farDoorIn(args: CommandContext<UiArgs>["args"]): ReturnType<typeof farDoor> | null {
  const { listen, cert, key, "trust-proxy": trustProxy } = args;
  if (listen !== undefined) return farDoor({ listen, cert, key, trustProxy }, systemClock.now());
  const alone = cert ?? key ?? trustProxy;
  if (alone === undefined) return null;
  throw new RalphError("usage", "--cert, --key and --trust-proxy are for other machines, and need --listen.", {
    hint: "Say where: --listen ADDRESS, or leave them away for this machine alone.",
  });
}

function portIn(word: string | undefined): number {
  const port = /^\d{1,5}$/.test(word ?? "0") ? Number(word ?? 0) : -1;
  if (port >= 0 && port < 65_536) return port;
  throw new RalphError("usage", `${word} is no port.`, { hint: "A port is a number from 1 to 65535." });
}
