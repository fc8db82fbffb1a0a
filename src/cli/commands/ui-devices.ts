import { RalphError } from "../../core/errors.ts";
import { jsonFile } from "../../core/state-files/file-json.ts";
import { systemClock } from "../../effects/clock.ts";
import { createHost } from "../../effects/host.ts";
import { createDevices, type Device, deviceFile } from "../../effects/ui/devices.ts";
import { revokeAtServer, runningInstance } from "../../effects/ui/instance.ts";
import type { CommandContext } from "../context.ts";
import type { UiDevicesArgs } from "../definitions/ui.ts";
import { requireOwnShell } from "../run/send-control.ts";

/**
 * `ralph ui devices [revoke NAME|all]`: the devices that are paired, or one less. A server that runs ends their streams at once.
 * @throws RalphError `usage` for other words, `environment` if no device is called so, or an agent asks
 */
export async function run(context: CommandContext<UiDevicesArgs>): Promise<number> {
  const { args, env } = context;
  const user = createHost(context.projectDir, env);
  const devices = createDevices(deviceFile(user), systemClock.now);
  if (args.action === undefined) {
    const list = devices.list();
    if (args.json) context.stdout(jsonFile({ devices: list.map(shown) }));
    else context.stdout(list.length === 0 ? "No device is paired.\n" : `${list.map(line).join("\n")}\n`);
    return 0;
  }
  const { action, name } = args;
  if (action !== "revoke" || name === undefined)
    throw new RalphError("usage", "ralph ui devices takes no such words.", {
      hint: "ralph ui devices lists them, ralph ui devices revoke NAME|all takes the access away.",
    });
  requireOwnShell(env);
  const server = await runningInstance(user);
  const gone = server === null ? devices.revoke(name) : await revokeAtServer(server, name);
  if (gone.length === 0 && name !== "all")
    throw new RalphError("environment", `No paired device is called ${name}.`, {
      hint: "See them with: ralph ui devices",
    });
  if (!args.quiet) context.stdout(gone.length === 0 ? "No device is paired.\n" : `Revoked: ${gone.join(", ")}.\n`);
  return 0;
}

function shown({ cookie_hash: _, key_hash: __, ...device }: Device): Omit<Device, "cookie_hash" | "key_hash"> {
  return device;
}

function line({ name, control, paired_at, seen_at, expires_at }: Device): string {
  const day = (time: string) => time.slice(0, 10);
  const does = control ? "looks and steers" : "looks";
  return `${name}: ${does} · paired ${day(paired_at)} · seen ${day(seen_at)} · until ${day(expires_at)}`;
}
