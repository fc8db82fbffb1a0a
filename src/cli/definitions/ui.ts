import { type Args, defineCommand, defineGroup } from "../args/define.ts";
import { JSON_FLAG } from "./json-flag.ts";

const UI_ARGS = {
  port: {
    type: "string",
    valueHint: "N",
    description: "port of the page; default: one that is free",
    group: "project",
  },
  open: { type: "boolean", negatable: true, description: "open the browser", group: "output" },
  listen: {
    type: "string",
    valueHint: "ADDRESS[:PORT]",
    description: "serve paired devices of other machines too, by TLS or behind a proxy; port: 7543",
    group: "machines",
  },
  cert: {
    type: "string",
    valueHint: "FILE",
    description: "certificate for --listen, PEM",
    completes: "files",
    group: "machines",
  },
  key: {
    type: "string",
    valueHint: "FILE",
    description: "private key of that certificate, PEM",
    completes: "files",
    group: "machines",
  },
  "trust-proxy": {
    type: "string",
    valueHint: "ORIGIN",
    description: "plain HTTP at --listen: a tunnel or proxy encrypts, and browsers open https://NAME",
    group: "machines",
  },
  control: { type: "boolean", description: "let the page stop, pause, answer and say", group: "task" },
} as const satisfies Args;
export type UiArgs = typeof UI_ARGS;

const UI_OPEN = defineCommand({
  meta: { name: "ui open", description: "serve the page, until Ctrl+C" },
  args: UI_ARGS,
  examples: [
    ["ralph ui", "all your projects and runs in the browser, read-only"],
    ["ralph ui --control", "with buttons that stop, pause, answer and say"],
    ["ralph ui --listen 192.168.1.5 --cert desk.pem --key desk.key", "for your phone, which the terminal pairs"],
    ["ralph ui --listen 127.0.0.1 --trust-proxy https://desk.example", "for your phone, through a tunnel"],
  ],
  load: () => import("../commands/ui-open.ts"),
});

const UI_STOP = defineCommand({
  meta: { name: "ui stop", description: "end the page's server" },
  args: {},
  examples: [["ralph ui stop", "runs go on"]],
  load: () => import("../commands/ui-stop.ts"),
});

const UI_DEVICES_ARGS = {
  action: {
    type: "positional",
    valueHint: "revoke",
    required: false,
    description: "take the access away from one",
    completes: ["revoke"],
  },
  name: { type: "positional", valueHint: "NAME|all", required: false, description: "the device" },
  json: JSON_FLAG,
} as const satisfies Args;
export type UiDevicesArgs = typeof UI_DEVICES_ARGS;

const UI_DEVICES = defineCommand({
  meta: { name: "ui devices", description: "the paired devices, and how one is revoked" },
  args: UI_DEVICES_ARGS,
  examples: [
    ["ralph ui devices", "name, what it may, since when and until when"],
    ["ralph ui devices revoke safari-iphone", "its page ends at once"],
    ["ralph ui devices revoke all", "each has to be paired again"],
  ],
  load: () => import("../commands/ui-devices.ts"),
});

export const UI = defineGroup({
  meta: { name: "ui", description: "all your projects and runs on a page in the browser" },
  subCommands: { open: UI_OPEN, stop: UI_STOP, devices: UI_DEVICES },
  default: "open",
});
