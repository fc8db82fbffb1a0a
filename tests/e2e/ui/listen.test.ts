/** `ralph ui --listen` as other machines meet it: by HTTPS, by raw bytes, and in a real Chromium. Certificates are made by openssl. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { browser, openPage } from "../support/browser.ts";
import type { Page } from "../support/browser-page.ts";
import { ask, type Far, makeCertificate, openssl, pair, sendBytes, startFar, tlsWords } from "../support/far.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { RUN, writeLongJournal } from "../support/long-journal.ts";
import { faultsAtAllWidths, has, seen, tabTo } from "../support/on-page.ts";
import { enter, get, listProject, startUi, type Ui } from "../support/ui.ts";

afterAll(cleanUp);

const open: Ui[] = [];
afterEach(() => {
  for (const ui of open.splice(0)) ui.kill("SIGTERM");
});

/** A project on its user's list, with a door to other machines. */
async function opened(...more: string[]): Promise<{ at: Project; far: Far }> {
  const at = project();
  listProject(at);
  const far = await startFar(at, (port) => tlsWords(at, port), ...more);
  open.push(far.ui);
  return { at, far };
}

const status = async (answer: Promise<Response>) => (await answer).status;
const deviceFile = (at: Project) => join(at.env.HOME ?? "", ".local/state/ralph/ui/devices.json");

describe.skipIf(openssl === null)("a door to other machines", () => {
  test("needs TLS or a proxy that is trusted, and says what to do", async () => {
    const at = project();
    const refused = async (...words: string[]) => {
      const { exit, stderr } = await at.ralph("ui", "--no-open", ...words);
      expect(exit).not.toBe(0);
      return stderr;
    };
    const [one, other] = [makeCertificate(at.path(".."), "IP:127.0.0.1"), makeCertificate(at.path(".."), "", "bare")];
    expect(await refused("--listen", "0.0.0.0")).toContain("so it has to be encrypted");
    expect(await refused("--listen", "0.0.0.0", "--cert", one.cert)).toContain("--cert and --key belong together");
    expect(await refused("--cert", one.cert, "--key", one.key)).toContain("need --listen");
    expect(await refused("--listen", "127.0.0.1", "--cert", one.cert, "--key", other.key)).toContain(
      "is not the key of the certificate",
    );
    expect(await refused("--listen", "127.0.0.1", "--cert", at.path("none.pem"), "--key", one.key)).toContain(
      "none.pem cannot be read",
    );
    expect(await refused("--listen", "127.0.0.1", "--cert", other.cert, "--key", other.key)).toContain("names no host");
    expect(await refused("--listen", "127.0.0.1", "--trust-proxy", "desk.example")).toContain("is no address");
  });

  test("a second start says that it is there, and serves no other one", async () => {
    const { at, far } = await opened();
    const origin = `https://127.0.0.1:${far.port}`;
    const plain = await at.ralph("ui", "--no-open");
    expect(plain.exit).toBe(0);
    expect(plain.stderr).toContain(`http://127.0.0.1:${far.ui.port}/, and to paired devices at ${origin}\n`);
    expect((await at.ralph("ui", "--no-open", ...tlsWords(at, far.port))).exit).toBe(0);
    const other = await at.ralph("ui", "--no-open", ...tlsWords(at, far.port === 7000 ? 7001 : 7000));
    expect(other.exit).toBe(7);
    expect(other.stderr).toContain(
      `by process ${far.ui.pid} at http://127.0.0.1:${far.ui.port}/, and to others at ${origin}.`,
    );
    const near = project();
    const ui = await startUi(near);
    open.push(ui);
    const first = await near.ralph("ui", "--no-open", ...tlsWords(near, far.port));
    expect(first.exit).toBe(7);
    expect(first.stderr).toContain(`by process ${ui.pid} at http://127.0.0.1:${ui.port}/, and not to others.`);
  });

  test("pairs one device by a code, once, and shows it only what it may see", async () => {
    const { at, far } = await opened();
    expect(await status(ask(far, "/api/start"))).toBe(401);
    const code = far.code();
    const secrets = await pair(far, `${code.slice(0, 4).toLowerCase()}-${code.slice(4)}`);
    expect(secrets.cookie).toStartWith("__Host-ralph-ui-");
    expect(await (await ask(far, "/api/start", { headers: secrets })).json()).toEqual({ control: false, devices: 1 });
    const used = await ask(far, "/enter", { body: { token: code } });
    // Nobody could press a key here.
    expect([used.status, ((await used.json()) as { hint: string }).hint]).toEqual([
      403,
      "Start ralph ui again for a new one.",
    ]);
    // Neither of the two secrets is enough.
    expect(await status(ask(far, "/api/start", { headers: { cookie: secrets.cookie } }))).toBe(401);
    expect(await status(ask(far, "/api/start", { headers: { "x-ralph-key": secrets["x-ralph-key"] } }))).toBe(401);
    for (const path of ["/api/act", "/api/begin", "/api/devices", "/api/home/forget", "/api/morning/seen"])
      expect(await status(ask(far, path, { body: {}, headers: secrets }))).toBe(409);
    expect(await status(ask(far, "/api/begin/models?driver=opencode", { headers: secrets }))).toBe(404);
    // Only what is needed to know it again is kept, and only for this user.
    expect(statSync(deviceFile(at)).mode & 0o777).toBe(0o600);
    const kept = readFileSync(deviceFile(at), "utf8");
    expect(kept).toContain('"name": "safari-iphone"');
    expect(kept).not.toContain(secrets["x-ralph-key"]);
    expect(kept).not.toContain(secrets.cookie.split("=")[1] ?? "none");
  });

  test("ends the streams of a device that is revoked, by the command and by the page of the user", async () => {
    const { at, far } = await opened("--control");
    const secrets = await pair(far);
    const stream = await ask(far, "/api/follow/home", { headers: secrets });
    const reader = stream.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    const { stdout } = await at.ralph("ui", "devices", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ devices: [{ name: "safari-iphone", control: true }] });
    expect((await at.ralph("ui", "devices", "revoke", "safari-iphone")).stdout).toBe("Revoked: safari-iphone.\n");
    const rest = async () => {
      for (;;) if ((await reader?.read())?.done !== false) return "ended";
    };
    expect(await rest().catch(() => "ended")).toBe("ended");
    expect(await status(ask(far, "/api/start", { headers: secrets }))).toBe(401);
    expect((await at.ralph("ui", "devices", "revoke", "safari-iphone")).stderr).toContain("No paired device");
    expect((await at.ralph("ui", "devices")).stdout).toBe("No device is paired.\n");
  });

  test("ends a long answer that a revoked device has not read to its end", async () => {
    const { at, far } = await opened();
    // A report of 24 MB: the system takes some 4 from the server before it lets it wait for the reader.
    writeLongJournal(at.dir, { iterations: 1000, tools: 10, resultBytes: 2000 });
    const secrets = await pair(far);
    const stream = await ask(far, "/api/follow/home", { headers: secrets });
    const home = new TextDecoder().decode((await stream.body?.getReader().read())?.value);
    const id = /#\/run\/([0-9a-f]{16})/.exec(home)?.[1] ?? "";
    const head = [`GET /api/report?project=${id}&run=${RUN} HTTP/1.1`, `Host: 127.0.0.1:${far.port}`];
    const asked = [...head, ...Object.entries(secrets).map((pair) => pair.join(": ")), "", ""].join("\r\n");
    const slow = connectTls({ host: "127.0.0.1", port: far.port, rejectUnauthorized: false }, () => slow.write(asked));
    await new Promise((resolve) => void slow.once("readable", resolve));
    expect((await at.ralph("ui", "devices", "revoke", "all")).exit).toBe(0);
    let rest = "";
    for await (const part of slow) rest += part;
    expect(rest.slice(0, 15)).toBe("HTTP/1.1 200 OK");
    expect(rest.includes("</html>")).toBe(false);
  });

  test("says why a device cannot be taken off its file, which lets it in no more all the same", async () => {
    const { at, far } = await opened();
    const secrets = await pair(far);
    const stream = await ask(far, "/api/follow/home", { headers: secrets });
    rmSync(deviceFile(at));
    mkdirSync(deviceFile(at));
    const { exit, stderr } = await at.ralph("ui", "devices", "revoke", "safari-iphone");
    expect({ exit, stderr }).toEqual({ exit: 7, stderr: expect.stringContaining("The devices cannot be kept in") });
    expect(await stream.text().catch(() => "ended")).toBe("ended");
    expect(await status(ask(far, "/api/start", { headers: secrets }))).toBe(401);
  });

  test("says of no device that it is revoked while the server that lets it in is suspended", async () => {
    const { at, far } = await opened();
    const secrets = await pair(far);
    far.ui.kill("SIGSTOP");
    const { exit, stdout, stderr } = await at.ralph("ui", "devices", "revoke", "all");
    far.ui.kill("SIGCONT");
    expect({ exit, stdout }).toEqual({ exit: 7, stdout: "" });
    expect(stderr).toContain(`The server of the page, process ${far.ui.pid}, does not answer.`);
    expect(await status(ask(far, "/api/start", { headers: secrets }))).toBe(200);
    expect((await at.ralph("ui", "devices", "revoke", "all")).stdout).toBe("Revoked: safari-iphone.\n");
    expect(await status(ask(far, "/api/start", { headers: secrets }))).toBe(401);
  });

  test("looks at no code for a while after a wrong one, and closes a code after five", async () => {
    const { far } = await opened();
    const tried = async (token: string) => ask(far, "/enter", { body: { token } });
    const first = await tried("AAAAAAAA");
    expect([first.status, first.headers.get("retry-after")]).toEqual([429, "1"]);
    // The right one is not looked at either, from whatever address.
    const early = await tried(far.code());
    expect([early.status, ((await early.json()) as { error: string }).error]).toEqual([
      429,
      "A code was wrong just now.",
    ]);
    const many: number[] = [];
    for (let at = 0; at < 1000; at += 20) {
      const some = await Promise.all(Array.from({ length: 20 }, (_, one) => tried(`WRONG${at + one}`)));
      many.push(...some.map((answer) => answer.status));
    }
    // Of a thousand a few are looked at, as the second is over, and after five none: then the code is closed.
    expect(many.filter((code) => code !== 429 && code !== 403)).toEqual([]);
    expect(far.ui.output()).not.toContain("Paired:");
  });

  test("answers to no other name, origin or device, and takes no code from an address", async () => {
    const { at, far } = await opened();
    const { port } = far;
    const get = (host: string, more = "") => `GET / HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`;
    const first = async (bytes: string) => (await sendBytes(port, bytes)).first;
    expect(await first(get(`127.0.0.1:${port}`))).toBe("HTTP/1.1 200 OK");
    expect(await first(get(`desk.example:${port}`))).toBe("HTTP/1.1 200 OK");
    expect(await first(get(`phone.home.example:${port}`))).toBe("HTTP/1.1 200 OK");
    for (const host of [`evil.example:${port}`, `127.0.0.1:${port + 1}`, "127.0.0.1", `a.b.home.example:${port}`])
      expect(await first(get(host))).toBe("HTTP/1.1 403 Forbidden");
    expect(await first(get(`127.0.0.1:${port}`, "Origin: https://evil.example\r\n"))).toBe("HTTP/1.1 403 Forbidden");
    const secrets = await pair(far);
    const origin = { ...secrets, origin: `https://evil.example:${port}` };
    expect(await status(ask(far, "/api/act", { body: {}, headers: origin }))).toBe(403);
    expect(await status(ask(far, "/api/start", { headers: { ...secrets, "sec-fetch-site": "cross-site" } }))).toBe(403);
    expect(await status(ask(far, `/?code=${far.code()}`))).toBe(200);
    expect(await status(ask(far, `/api/start?token=${far.code()}&key=${secrets["x-ralph-key"]}`))).toBe(401);
    // What the user's own door has, the other has not.
    expect(await status(ask(far, "/who"))).toBe(404);
    expect(await status(ask(far, "/stop", { body: {}, headers: { ...secrets, "x-ralph-stop": "x" } }))).toBe(404);
    // And a device's secrets are worth nothing at that one, nor those of its browser here.
    expect((await get_(far.ui, secrets)).status).toBe(401);
    const own = await enter(far.ui);
    expect(await status(ask(far, "/api/start", { headers: own }))).toBe(401);
    expect(at.runs()).toEqual([]);
  });

  test("lets go who speaks no TLS, too much or nothing", async () => {
    const { far } = await opened();
    const { port } = far;
    const plain = await sendBytes(port, `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`, false);
    expect(plain.all).not.toContain("200 OK");
    const flood = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX: ${"a".repeat(100_000)}\r\n\r\n`;
    expect((await sendBytes(port, flood)).first).toMatch(/^HTTP\/1\.1 431 |^$/);
    const long = await ask(far, "/enter", { body: { token: "a".repeat(100_000) } });
    expect(long.status).toBe(409);
    // Silent before the handshake, silent after it, and with half a head: each is over at last.
    const silent = await Promise.all([sendBytes(port, "", false), sendBytes(port, ""), sendBytes(port, "GET / HT")]);
    expect(silent.map(({ all }) => all.includes("200 OK"))).toEqual([false, false, false]);
    expect(await status(ask(far, "/"))).toBe(200);
  });
});

test("behind a proxy the name that the user says is the only one, and no forwarded header is believed", async () => {
  const at = project();
  const far = await startFar(at, (port) => ["--listen", `127.0.0.1:${port}`, "--trust-proxy", "https://desk.example"]);
  open.push(far.ui);
  const told = async (host: string, body: string | null, ...more: string[]) => {
    const head = body === null ? "GET /" : "POST /enter";
    const own = body === null ? [] : ["Content-Type: application/json", `Content-Length: ${body.length}`];
    const lines = [`${head} HTTP/1.1`, `Host: ${host}`, ...own, ...more, "Connection: close", "", body ?? ""];
    return (await sendBytes(far.port, lines.join("\r\n"), false)).all;
  };
  expect(await told("desk.example", null)).toStartWith("HTTP/1.1 200");
  expect(await told("evil.example", null, "X-Forwarded-Host: desk.example")).toStartWith("HTTP/1.1 403");
  const body = JSON.stringify({ token: far.code() });
  expect(await told("desk.example", body, "Origin: http://desk.example")).toStartWith("HTTP/1.1 403");
  expect(await told("desk.example", body, "Origin: https://evil.example", "X-Forwarded-Proto: https")).toStartWith(
    "HTTP/1.1 403",
  );
  const paired = await told("desk.example", body, "Origin: https://desk.example");
  expect(paired).toStartWith("HTTP/1.1 200");
  expect(paired).toMatch(
    /set-cookie: __Host-ralph-ui-[0-9a-f]{8}=[\w-]+; HttpOnly; SameSite=Strict; Path=\/; Max-Age=2592000; Secure/i,
  );
});

const get_ = (ui: Ui, secrets: Record<string, string>) => get(ui, "/api/start", secrets);

describe.skipIf(openssl === null || browser === null)("the page on a phone", () => {
  let page: Page;
  beforeAll(async () => {
    page = await openPage("--ignore-certificate-errors");
  });
  afterAll(async () => page.close());

  test("is paired by typing the code, lists the devices, and is locked once revoked", async () => {
    const { at, far } = await opened("--control");
    await page.resize(360, 780);
    await page.open(`https://127.0.0.1:${far.port}/`);
    await page.becomes(seen("#pair"), true);
    expect(await faultsAtAllWidths(page)).toEqual([]);
    const code = far.code();
    await page.click("#code");
    await page.type(`${code.slice(0, 4)}-${code.slice(4)}`);
    await page.press("Enter");
    await page.becomes(seen("#home"), true);
    expect(await page.value(seen("#pair"))).toBe(false);
    expect(await page.value<string>("location.href")).not.toContain(code);
    await page.click("#devices");
    await page.becomes(has("#paired-list", "looks and steers"), true);
    expect(await faultsAtAllWidths(page)).toEqual([]);
    await page.press("Escape");
    await at.ralph("ui", "devices", "revoke", "all");
    await page.becomes(seen("#pair"), true);
    expect(await page.value(seen("#home"))).toBe(false);
  });

  test.each(["mouse", "keyboard"])("is revoked on its user's own page by %s", async (by) => {
    const { far } = await opened("--control");
    const secrets = await pair(far);
    await page.open(far.ui.address());
    await page.becomes(seen("#devices"), true);
    const press = async (selector: string) => {
      if (by === "mouse") return page.click(selector);
      await tabTo(page, selector);
      await page.press("Enter");
    };
    await press("#devices");
    await page.becomes(seen("#paired [data-revoke]"), true);
    await press("#paired [data-revoke]");
    await page.becomes(has("#paired-list", "No device is paired"), true);
    expect(await status(ask(far, "/api/start", { headers: secrets }))).toBe(401);
    await press("#paired form button");
    await page.becomes(seen("#paired"), false);
  });

  test("is paired by the address of the QR code, which holds the code behind its #", async () => {
    const { far } = await opened();
    await page.open(`https://127.0.0.1:${far.port}/#${far.code()}`);
    await page.becomes(seen("#home"), true);
    expect(await page.value<string>("location.hash")).toBe("#/");
    expect(await page.value(seen("#to-begin"))).toBe(false);
  });
});
