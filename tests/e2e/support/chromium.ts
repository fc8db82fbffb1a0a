/** A real headless Chromium, driven by its own protocol: no driver program, no package. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { becomesBy, middleOf, type Page } from "./browser-page.ts";
import { openSocket } from "./browser-socket.ts";
import { until } from "./until.ts";

/** Debian's path; other systems may have it on PATH. */
export const chromium =
  ["chromium", "chromium-browser", "google-chrome"].map((name) => Bun.which(name)).find((path) => path !== null) ??
  null;

/** Starts a browser with one page. @param more flags of the browser */
export async function openChromium(...more: string[]): Promise<Page> {
  if (chromium === null) throw new Error("there is no Chromium");
  const profile = mkdtempSync(join(tmpdir(), "ralph-browser-"));
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--window-size=1200,900"];
  const child = Bun.spawn(
    [chromium, ...flags, ...more, `--user-data-dir=${profile}`, "--remote-debugging-port=0", "about:blank"],
    { stdin: "ignore", stdout: "ignore", stderr: "ignore" },
  );
  const portFile = join(profile, "DevToolsActivePort");
  const portOf = (): string => {
    try {
      return readFileSync(portFile, "utf8").split("\n")[0] ?? "";
    } catch {
      return "";
    }
  };
  await until("a browser that listens", () => portOf() !== "");
  const listed = await fetch(`http://127.0.0.1:${portOf()}/json`);
  const targets: { type: string; webSocketDebuggerUrl: string }[] = JSON.parse(await listed.text());
  const complaints: string[] = [];
  const requests: string[] = [];
  let loaded = () => {};
  const { send, close } = await openSocket(
    targets.find(({ type }) => type === "page")?.webSocketDebuggerUrl ?? "",
    (method, params) => {
      if (method === "Page.loadEventFired") loaded();
      if (method === "Runtime.exceptionThrown" || method === "Log.entryAdded") complaints.push(JSON.stringify(params));
      if (method === "Network.requestWillBeSent") requests.push((params as { request: { url: string } }).request.url);
    },
  );
  for (const domain of ["Page", "Runtime", "Log", "Network"]) await send(`${domain}.enable`);

  const value = async <T>(expression: string): Promise<T> => {
    const answer = await send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    if (answer.exceptionDetails !== undefined)
      throw new Error(`${expression}: ${JSON.stringify(answer.exceptionDetails)}`);
    return (answer.result as { value: T }).value;
  };
  let at: [x: number, y: number] = [0, 0];
  const mouse = (type: string) =>
    send("Input.dispatchMouseEvent", { type, x: at[0], y: at[1], button: "left", clickCount: 1 });
  const hold = async (selector: string) => {
    at = await middleOf(value, selector);
    await mouse("mousePressed");
  };
  const letGo = async () => void (await mouse("mouseReleased"));
  return {
    async open(url) {
      const began = performance.now();
      const done = new Promise<void>((resolve) => {
        loaded = resolve;
      });
      await send("Page.navigate", { url });
      await done;
      return performance.now() - began;
    },
    async reload() {
      const done = new Promise<void>((resolve) => {
        loaded = resolve;
      });
      await send("Page.reload");
      await done;
    },
    value,
    becomes: becomesBy(value),
    async click(selector) {
      await hold(selector);
      await letGo();
    },
    hold,
    letGo,
    async press(key) {
      const code = { Tab: 9, Enter: 13, Escape: 27, Delete: 46 }[key] ?? key.charCodeAt(0);
      const text = key === "Enter" ? "\r" : key.length === 1 ? key : "";
      const of = { key, windowsVirtualKeyCode: code, ...(text === "" ? {} : { text }) };
      for (const type of ["keyDown", "keyUp"]) await send("Input.dispatchKeyEvent", { type, ...of });
    },
    resize: async (width, height) =>
      void (await send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false })),
    type: async (text) => void (await send("Input.insertText", { text })),
    prefer: async (scheme, media = "screen") => {
      const features = [{ name: "prefers-color-scheme", value: scheme }];
      await send("Emulation.setEmulatedMedia", { media, features });
    },
    allowNotifications: async (origin) =>
      void (await send("Browser.grantPermissions", { origin, permissions: ["notifications"] })),
    scripts: async (run) => void (await send("Emulation.setScriptExecutionDisabled", { value: !run })),
    complaints: () => complaints,
    requests: () => requests.filter((url) => !url.startsWith("file:")),
    async close() {
      close();
      child.kill("SIGKILL");
      await child.exited;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
