import { SECOND_MS } from "../../core/durations.ts";
import { type Access, COOKIE } from "./access.ts";
import { type Devices, labelOf, PAIRED_MS } from "./devices.ts";
import type { Pairing } from "./pairing.ts";
import { secretsIn } from "./secrets.ts";

/** Which devices are let in at the door to other machines, and how one is paired. */
export type PairedAccess = {
  pairing: Pairing;
  devices: Devices;
  /** Whether browsers come by HTTPS. */
  isSecure: boolean;
  cookieName: string;
  /** What shows a code in the terminal of `ralph ui`, as the beginning of a sentence. */
  another: string;
  onPaired(name: string, control: boolean): void;
  onWrong(left: number): void;
};

/** Lets paired devices in, and pairs one by the code that the terminal shows. */
export function createPairedAccess(paired: PairedAccess): Access {
  const { pairing, devices, isSecure, another, onPaired, onWrong } = paired;
  const anew = `${another} for a new one.`;
  // With this beginning a browser takes the cookie from no plain HTTP, and from no other host of the domain.
  const name = isSecure ? `__Host-${paired.cookieName}` : paired.cookieName;
  const attributes = `${COOKIE}; Max-Age=${PAIRED_MS / SECOND_MS}${isSecure ? "; Secure" : ""}`;
  return {
    hint: `${another}, and scan or type the code.`,
    enter(typed, headers) {
      const attempt = pairing.attempt(typed);
      if (attempt.kind === "none") return { refused: "No code is open: it was used, or its time is over.", hint: anew };
      if (attempt.kind === "early")
        return {
          refused: "A code was wrong just now.",
          hint: `Try again in ${Math.ceil(attempt.pauseMs / SECOND_MS)} s.`,
          retryAfterMs: attempt.pauseMs,
        };
      if (attempt.kind === "wrong") {
        onWrong(attempt.left);
        const hint =
          attempt.left === 0
            ? `It was the last try. ${anew}`
            : `Try again in ${Math.ceil(attempt.pauseMs / SECOND_MS)} s: ${attempt.left} more for this code.`;
        return { refused: "This code is wrong.", hint, retryAfterMs: attempt.pauseMs };
      }
      const added = devices.add(labelOf(headers["user-agent"] ?? ""), attempt.control);
      if (added === null)
        return {
          refused: "Too many devices are paired.",
          hint: `Revoke one: ralph ui devices revoke NAME. ${another} for another code, as this one is used.`,
        };
      onPaired(added.name, attempt.control);
      return { admission: added, cookie: { name, attributes } };
    },
    visitor(headers) {
      const device = devices.find(secretsIn(headers, name));
      return device === null ? null : { control: device.control, onGone: (end) => devices.onGone(device, end) };
    },
  };
}
