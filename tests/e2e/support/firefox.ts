/** A real headless Firefox, driven by WebDriver BiDi, which it speaks itself: no driver program, no package. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { becomesBy, middleOf, type Page } from "./browser-page.ts";
import { openSocket } from "./browser-socket.ts";

/** Debian's name first. */
export const firefox = ["firefox-esr", "firefox"].map((name) => Bun.which(name)).find((path) => path !== null) ?? null;

/** Keys that are no sign, as WebDriver writes them. */
const UP = { type: "pointerUp", button: 0 };
const KEYS: Readonly<Record<string, string>> = {
  Tab: "\uE004",
  Enter: "\uE006",
  Escape: "\uE00C",
  Delete: "\uE017",
  End: "\uE010",
  Home: "\uE011",
  ArrowLeft: "\uE012",
  ArrowRight: "\uE014",
};

/** A value as the protocol describes it. */
type Remote = { type: string; value?: unknown };

/** Starts a browser with one page. */
export async function openFirefox(): Promise<Page> {
  if (firefox === null) throw new Error("there is no Firefox");
  const profile = mkdtempSync(join(tmpdir(), "ralph-browser-"));
  // It asks nobody but the page's server.
  const prefs = [
    "app.update.enabled",
    "browser.safebrowsing.malware.enabled",
    "datareporting.policy.dataSubmissionEnabled",
  ];
  // As a headless Chromium: no notification before it is allowed.
  const refuse = `user_pref("permissions.default.desktop-notification", 2);\n`;
  writeFileSync(join(profile, "user.js"), refuse + prefs.map((name) => `user_pref("${name}", false);\n`).join(""));
  const child = Bun.spawn(
    // Its own window is reached, too: it gets the focus and the colours that no screen gives it.
    [
      ...[firefox, "--headless", "--no-remote", "--profile", profile],
      ...["--remote-debugging-port", "0", "--remote-allow-system-access", "about:blank"],
    ],
    { stdin: "ignore", stdout: "ignore", stderr: "pipe", env: { ...process.env, HOME: profile } },
  );
  const complaints: string[] = [];
  const requests: string[] = [];
  const { send, close } = await openSocket(`${await addressIn(child.stderr)}/session`, (method, params) => {
    if (method === "log.entryAdded" && params.level === "error") complaints.push(JSON.stringify(params));
    if (method === "network.beforeRequestSent") requests.push((params as { request: { url: string } }).request.url);
  });
  await send("session.new", { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } });
  await send("session.subscribe", { events: ["log.entryAdded", "network.beforeRequestSent"] });
  const tree = (await send("browsingContext.getTree")) as { contexts: { context: string }[] };
  const context = tree.contexts[0]?.context ?? "";

  const { contexts: windows } = (await send("browsingContext.getTree", { "moz:scope": "chrome" })) as typeof tree;
  const inWindow = async (expression: string) => {
    const target = { context: windows[0]?.context };
    const answer = await send("script.evaluate", { expression, target, awaitPromise: true });
    if (answer.type === "exception") throw new Error(`${expression}: ${JSON.stringify(answer.exceptionDetails)}`);
  };
  /** Without the focus, Enter would press no button; a page of another process comes without it. */
  const takeFocus = () => inWindow("Services.focus.activeWindow = window; gBrowser.selectedBrowser.focus()");

  const value = async <T>(expression: string): Promise<T> => {
    const answer = await send("script.evaluate", { expression, target: { context }, awaitPromise: true });
    if (answer.type === "exception") throw new Error(`${expression}: ${JSON.stringify(answer.exceptionDetails)}`);
    return plainValue(answer.result as Remote) as T;
  };
  const act = async (type: "key" | "pointer", actions: object[]) =>
    void (await send("input.performActions", { context, actions: [{ type, id: type, actions }] }));
  const down = async (selector: string) => {
    const [x, y] = await middleOf(value, selector);
    return [
      { type: "pointerMove", x: Math.round(x), y: Math.round(y) },
      { type: "pointerDown", button: 0 },
    ];
  };
  const strokes = (keys: readonly string[]) =>
    keys.flatMap((key) => ["keyDown", "keyUp"].map((type) => ({ type, value: key })));
  return {
    async open(url) {
      const began = performance.now();
      await send("browsingContext.navigate", { context, url, wait: "complete" });
      return performance.now() - began;
    },
    reload: async () => void (await send("browsingContext.reload", { context, wait: "complete" })),
    value,
    becomes: becomesBy(value),
    click: async (selector) => act("pointer", [...(await down(selector)), UP]),
    hold: async (selector) => act("pointer", await down(selector)),
    letGo: async () => act("pointer", [UP]),
    async press(key) {
      await takeFocus();
      await act("key", strokes([KEYS[key] ?? key]));
      // Behind the last element of the page come the buttons of the window, which no test asks for: it begins at the first.
      if (key !== "Tab" || (await value<boolean>("document.hasFocus()"))) return;
      await takeFocus();
      await value(
        `{ const root = document.documentElement; root.tabIndex = -1; root.focus({ preventScroll: true }); root.removeAttribute("tabindex"); }`,
      );
      await act("key", strokes([KEYS.Tab ?? ""]));
    },
    type: (text) => act("key", strokes([...text].map((sign) => (sign === "\n" ? "\uE006" : sign)))),
    resize: async (width, height) =>
      void (await send("browsingContext.setViewport", { context, viewport: { width, height } })),
    prefer: async (scheme, media = "screen") => {
      if (media !== "screen") throw new Error("Firefox prints for no test");
      const one = scheme === "dark" ? 0 : 1;
      await inWindow(`Services.prefs.setIntPref("layout.css.prefers-color-scheme.content-override", ${one})`);
    },
    allowNotifications: async (origin) =>
      void (await send("permissions.setPermission", {
        descriptor: { name: "notifications" },
        state: "granted",
        origin,
      })),
    scripts: () => Promise.reject(new Error("Firefox runs scripts in every test")),
    complaints: () => complaints,
    requests: () => requests,
    async close() {
      close();
      child.kill("SIGKILL");
      await child.exited;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The address at which it listens, which it prints. */
async function addressIn(output: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  let told = "";
  const reader = output.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`Firefox ended: ${told}`);
    told += value;
    const found = /listening on (ws:\/\/\S+)/.exec(told);
    if (found === null) continue;
    void drain(reader);
    return found[1] ?? "";
  }
}

async function drain(reader: { read(): Promise<{ done: boolean }> }): Promise<void> {
  while (!(await reader.read()).done);
}

function plainValue({ type, value }: Remote): unknown {
  if (type === "undefined") return undefined;
  if (type === "null") return null;
  if (type === "array") return (value as Remote[]).map(plainValue);
  if (type === "object")
    return Object.fromEntries((value as [string, Remote][]).map(([name, of]) => [name, plainValue(of)]));
  return value;
}
