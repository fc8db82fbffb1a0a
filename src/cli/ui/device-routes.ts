import { fieldsOf, str } from "../../core/json-value.ts";
import type { Devices } from "../../effects/ui/devices.ts";
import type { UiRoutes } from "../../effects/ui/server.ts";
import { devicesPage } from "../../view/ui/devices-page.ts";
import { outdated } from "./outdated.ts";

/**
 * Adds the paired devices to what the page may ask.
 * @param control whether it may revoke one
 */
export function withDevices(routes: UiRoutes, devices: Devices, control: boolean): UiRoutes {
  return {
    ...routes,
    async read(path, query, isGone) {
      if (path === "/api/start") return { json: { control, devices: devices.list().length } };
      return path === "/api/devices"
        ? { html: devicesPage(devices.list(), control) }
        : routes.read(path, query, isGone);
    },
    async change(path, body) {
      if (path !== "/api/devices" || !control) return routes.change(path, body);
      const name = str(fieldsOf(body).revoke);
      const gone = name === null ? [] : devices.revoke(name);
      if (gone.length === 0) throw outdated("environment", "This device is no longer paired.");
      return { json: { told: `Revoked: ${gone.join(", ")}.` } };
    },
  };
}
