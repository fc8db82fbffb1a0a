import { count } from "../../core/text/count.ts";
import { text } from "../report/html.ts";

/** A paired device, as it is shown; times as ISO texts. */
export type ShownDevice = { name: string; control: boolean; paired_at: string; seen_at: string; expires_at: string };

/** @param control whether the page may revoke one */
export function devicesPage(devices: readonly ShownDevice[], control: boolean): string {
  if (devices.length === 0) return `<p class="facts">No device is paired.</p>`;
  const hint = control ? "" : `<p class="facts">Revoke one with: <code>ralph ui devices revoke NAME</code></p>`;
  return `<p class="facts">${count(devices.length, "device")}</p><ul class="devices">${devices.map((one) => row(one, control)).join("")}</ul>${hint}`;
}

function row({ name, control: steers, paired_at, seen_at, expires_at }: ShownDevice, control: boolean): string {
  const revoke = control
    ? `<button type="button" class="danger" data-revoke="${text(name)}" aria-label="Revoke ${text(name)}">Revoke</button>`
    : "";
  return `<li><p><b>${text(name)}</b> ${steers ? "looks and steers" : "looks"}</p><p class="facts">paired ${day(paired_at)} · seen ${day(seen_at)} · until ${day(expires_at)}</p>${revoke}</li>`;
}

function day(time: string): string {
  return text(time.slice(0, 10));
}
