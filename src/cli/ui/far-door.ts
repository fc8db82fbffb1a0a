/** The door of `ralph ui --listen`: other machines, each paired by a code that this terminal shows. */
import process from "node:process";
import { encodeQR } from "qr";
import { MINUTE_MS } from "../../core/durations.ts";
import { typedWord } from "../../core/text/shell-words.ts";
import { steadyClock, systemClock } from "../../effects/clock.ts";
import { sha256Of } from "../../effects/files/sha256.ts";
import { interruptJob, type Keys, openKeys } from "../../effects/terminal/key-input.ts";
import type { Devices } from "../../effects/ui/devices.ts";
import type { Door } from "../../effects/ui/door.ts";
import { createPairedAccess } from "../../effects/ui/paired-access.ts";
import { CODE_MS, createPairing } from "../../effects/ui/pairing.ts";
import { type PageFile, serveUi, type UiRoutes } from "../../effects/ui/server.ts";
import { parseKeys, pendingMs } from "../../view/dashboard/parse-keys.ts";
import { pairingAddress, pairingLines } from "../../view/ui/pairing-lines.ts";
import type { CommandContext } from "../context.ts";
import type { UiArgs } from "../definitions/ui.ts";

/** Light squares around a QR code, without which it is not found. */
const QUIET = 4;

export type FarDoor = {
  door: Door;
  files: Readonly<Record<string, PageFile>>;
  /** @param control whether this visitor may change something */
  routes(control: boolean): UiRoutes;
  devices: Devices;
  /** The folder of the server's files: two servers at one name need cookies of their own. */
  folder: string;
};

export type OpenDoor = {
  /** The origin that other machines ask. */
  origin: string;
  begin(): void;
  close(): void;
};

/**
 * Serves the page at its door. `begin` shows a code, and another one for each `p` (or `r`: a device that only looks) in the terminal.
 * @throws RalphError `environment` if nothing can listen there
 */
export async function openFarDoor(context: CommandContext<UiArgs>, far: FarDoor): Promise<OpenDoor> {
  const { door, files, routes, devices, folder } = far;
  const { isTty, log } = context;
  const pairing = createPairing({ now: systemClock.now, steady: steadyClock.now });
  const hasKeys = isTty.stdin && isTty.stdout;
  const another = hasKeys ? "p makes another code, r one for a device that only looks." : "";
  const server = await serveUi({
    door,
    files,
    routes,
    errands: null,
    access: () =>
      createPairedAccess({
        pairing,
        devices,
        isSecure: door.isSecure,
        another: hasKeys ? "Press p in the terminal of ralph ui" : "Start ralph ui again",
        cookieName: `ralph-ui-${sha256Of(folder).slice(0, 8)}`,
        onPaired(name, control) {
          const does = control ? "It looks and steers" : "It looks";
          context.stdout(`Paired: ${name}. ${does}, until: ralph ui devices revoke ${typedWord(name)}\n${another}\n`);
        },
        onWrong(left) {
          log.warn(`A wrong code was tried. ${left === 0 ? "This code is closed." : `${left} more for this code.`}`);
        },
      }),
  });
  const origin = door.origin(server.port);
  const show = (control: boolean) => {
    const { code } = pairing.open(control);
    const words = { origin, code };
    const squares = isTty.stdout ? encodeQR(pairingAddress(words), "raw", { ecc: "low", border: QUIET }) : null;
    const { color, columns } = context;
    const lines = pairingLines({ ...words, control, minutes: CODE_MS / MINUTE_MS, squares, columns, color });
    context.raw(`${lines.join("\n")}\n`);
  };
  let keys: Keys | null = null;
  return {
    origin,
    begin() {
      const paired = devices.list();
      if (paired.length > 0) context.stdout(`Paired already: ${paired.map(({ name }) => name).join(", ")}.\n`);
      show(context.args.control);
      if (!hasKeys) return;
      context.stdout(`${another}\n`);
      keys = listenToKeys(context.args.control, show);
    },
    close() {
      keys?.close();
      server.close();
    },
  };
}

function listenToKeys(control: boolean, show: (control: boolean) => void): Keys {
  const keys = openKeys({ input: process.stdin, output: process.stdout }, { pendingMs });
  keys.onKey((typed) => {
    for (const key of parseKeys(typed)) {
      if (key.name === "interrupt") interruptJob();
      if (key.name === "text" && key.text === "p") show(control);
      if (key.name === "text" && key.text === "r") show(false);
    }
  });
  return keys;
}
