import process from "node:process";
import reportStyle from "../../../templates/report/page.css" with { type: "text" };
import beginStyle from "../../../templates/ui/begin.css" with { type: "text" };
import beginScript from "../../../templates/ui/begin-script.txt" with { type: "text" };
import homeStyle from "../../../templates/ui/home.css" with { type: "text" };
import homeScript from "../../../templates/ui/home-script.txt" with { type: "text" };
import pageStyle from "../../../templates/ui/page.css" with { type: "text" };
import page from "../../../templates/ui/page.txt" with { type: "text" };
import script from "../../../templates/ui/page-script.txt" with { type: "text" };
import searchScript from "../../../templates/ui/search-script.txt" with { type: "text" };
import { RalphError } from "../../core/errors.ts";
import { createHost } from "../../effects/host.ts";
import { secret } from "../../effects/ui/access.ts";
import { forgetInstance, rememberInstance, runningInstance } from "../../effects/ui/instance.ts";
import { openInBrowser } from "../../effects/ui/open-browser.ts";
import { serveUi } from "../../effects/ui/server.ts";
import type { CommandContext } from "../context.ts";
import type { UiArgs } from "../definitions/ui.ts";
import { steeringRefusal } from "../run/send-control.ts";
import { onSignals } from "../run/signals.ts";
import { uiRoutes } from "../ui/routes.ts";

const SCRIPT = "text/javascript; charset=utf-8";
const FILES = {
  "/": { type: "text/html; charset=utf-8", text: page },
  "/page.css": { type: "text/css; charset=utf-8", text: reportStyle + pageStyle + homeStyle + beginStyle },
  "/page.js": { type: SCRIPT, text: script },
  "/begin.js": { type: SCRIPT, text: beginScript },
  "/home.js": { type: SCRIPT, text: homeScript },
  "/search.js": { type: SCRIPT, text: searchScript },
};

/**
 * `ralph ui [--port N] [--no-open] [--control]`: serves the page until Ctrl+C, the end of the terminal or `ralph ui stop`.
 * @throws RalphError `environment` if the port is taken, or an agent asks for control; `usage` for no port
 */
export async function run(context: CommandContext<UiArgs>): Promise<number> {
  const { args, env, log } = context;
  const port = portIn(args.port);
  const refusal = args.control ? steeringRefusal(env) : null;
  if (refusal !== null) throw new RalphError("environment", refusal, { hint: "This shell carries RALPH_RUN." });
  const user = createHost(context.projectDir, env);
  const first = await runningInstance(user);
  if (first !== null) {
    log.info(`The page is served already, by process ${first.pid}: http://127.0.0.1:${first.port}/`);
    log.info("A browser that is new to it needs the address in its terminal. To begin anew: ralph ui stop");
    return 0;
  }
  let usedFile = () => {};
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const [id, stopKey] = [secret(), secret()];
  const server = await serveUi({
    ...uiRoutes(context),
    port,
    files: FILES,
    id,
    stopKey,
    onStop: end,
    onAdmitted() {
      usedFile();
      context.stdout(`A browser is in. For another one: ${server.address()}\n`);
    },
  });
  let code = 0;
  const unlisten = onSignals((signal, exit) => {
    code = signal === "SIGINT" ? 0 : exit;
    end();
  });
  try {
    rememberInstance(user, { port: server.port, pid: process.pid, id, stop_key: stopKey });
    context.stdout(`${server.address()}\n`);
    log.info(
      args.control ? "The page can steer your runs. It ends with Ctrl+C." : "The page only shows. It ends with Ctrl+C.",
    );
    if (args.open !== false && context.isTty.stdout) usedFile = openInBrowser(server.address(), user);
    await ended;
  } finally {
    unlisten();
    usedFile();
    server.close();
    forgetInstance(user, id);
  }
  return code;
}

function portIn(word: string | undefined): number {
  const port = /^\d{1,5}$/.test(word ?? "0") ? Number(word ?? 0) : -1;
  if (port >= 0 && port < 65_536) return port;
  throw new RalphError("usage", `${word} is no port.`, { hint: "A port is a number from 1 to 65535." });
}
