import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FarWords, farDoor, listenAddress, loopbackDoor, namesOf } from "../../../src/effects/ui/door.ts";
import { makeCertificate, openssl } from "../../e2e/support/far.ts";
import { testFolder } from "../../folders.ts";

const NOW = Date.now();
const NONE = { cert: undefined, key: undefined, trustProxy: undefined };
const folder = testFolder("door");
const messageOf = (words: Partial<FarWords>): string => {
  try {
    farDoor({ ...NONE, listen: "127.0.0.1", ...words }, NOW);
  } catch (error) {
    return (error as Error).message;
  }
  return "";
};

test.each([
  ["192.168.1.5", { bind: "192.168.1.5", port: 7543 }],
  ["192.168.1.5:8443", { bind: "192.168.1.5", port: 8443 }],
  ["desk.example:443", { bind: "desk.example", port: 443 }],
  ["::1", { bind: "::1", port: 7543 }],
  ["[fd00::5]:8443", { bind: "fd00::5", port: 8443 }],
])("--listen %s is understood", (word, found) => expect(listenAddress(word)).toEqual(found));

test.each(["", ":80", "a:0", "a:65536", "a:b", "[x]:80", "[::1", "https://a", "a/b", "a b"])(
  "--listen %p is refused",
  (word) => expect(() => listenAddress(word)).toThrow("is no address to listen on"),
);

test("nothing listens to other machines unencrypted", () => {
  expect(messageOf({})).toBe("--listen opens the page to other machines, so it has to be encrypted.");
  for (const some of [{ cert: "a" }, { key: "a" }, { cert: "a", key: "b", trustProxy: "https://a" }])
    expect(messageOf(some)).toBe("--cert and --key belong together, and --trust-proxy is instead of them.");
});

describe("on loopback", () => {
  test("only its own address has an origin", () => {
    const door = loopbackDoor(0);
    expect(door.originAt("127.0.0.1:8080", 8080)).toBe("http://127.0.0.1:8080");
    expect(door.originAt("localhost:8080", 8080)).toBe("http://localhost:8080");
    for (const host of ["", "127.0.0.1", "127.0.0.1:81", "evil.example:8080", "127.0.0.1:8080.evil.example"])
      expect(door.originAt(host, 8080)).toBe(null);
  });

  test("it is asked for without its port where that is the one of HTTP", () => {
    const door = loopbackDoor(80);
    for (const host of ["127.0.0.1", "127.0.0.1:80"]) expect(door.originAt(host, 80)).toBe("http://127.0.0.1");
    expect(door.originAt("localhost", 80)).toBe("http://localhost");
    for (const host of ["", "127.0.0.1:81", "evil.example", "evil.example:80"])
      expect(door.originAt(host, 80)).toBe(null);
  });
});

describe("behind a proxy", () => {
  test("the origin is what the user said, for its name and for the address that the proxy was told", () => {
    const door = farDoor({ ...NONE, listen: "127.0.0.1:7000", trustProxy: "https://Desk.Example" }, NOW);
    expect(door).toMatchObject({ bind: "127.0.0.1", port: 7000, tls: null, isSecure: true });
    expect(door.origin(7000)).toBe("https://desk.example");
    for (const host of ["desk.example", "DESK.example", "127.0.0.1:7000"])
      expect(door.originAt(host, 7000)).toBe("https://desk.example");
    for (const host of ["", "evil.example", "desk.example:7000", "localhost:7000", "desk.example.evil.example"])
      expect(door.originAt(host, 7000)).toBe(null);
    expect(farDoor({ ...NONE, listen: "a", trustProxy: "http://100.64.0.5:7543/" }, NOW).isSecure).toBe(false);
  });

  test.each([
    "true",
    "",
    "desk.example",
    "ftp://desk.example",
    "https://desk.example/page",
    "https://me@desk.example",
    "https://a?b",
  ])("%p is no origin", (trustProxy) =>
    expect(messageOf({ trustProxy })).toContain("is no address that a browser could open the page at"),
  );
});

test("a name in quotes, which could hold another one, counts for nothing", () => {
  expect(namesOf("DNS:Desk.example, DNS:*.home.example, IP Address:0:0:0:0:0:0:0:1, email:a@b.example")).toEqual([
    "desk.example",
    "*.home.example",
    "::1",
  ]);
  expect(namesOf('DNS:"x, DNS:evil.example, y"')).toEqual([]);
  expect(namesOf("DNS:*, DNS:*.*.example, IP Address:*")).toEqual([]);
});

// Without openssl no certificate can be made: Node makes keys, but signs none.
describe.skipIf(openssl === null)("with a certificate", () => {
  const desk = makeCertificate(folder, "DNS:desk.example,DNS:*.home.example,IP:127.0.0.1,IP:::1");
  const door = (listen: string) => farDoor({ ...NONE, listen, ...desk }, NOW);

  test("its names have an origin, at the door's own port", () => {
    const { originAt } = door("127.0.0.1:8443");
    expect(originAt("desk.example:8443", 8443)).toBe("https://desk.example:8443");
    expect(originAt("a.home.example:8443", 8443)).toBe("https://a.home.example:8443");
    expect(originAt("[::1]:8443", 8443)).toBe("https://[::1]:8443");
    expect(originAt("desk.example", 443)).toBe("https://desk.example");
    for (const host of [
      "evil.example:8443",
      "desk.example",
      "desk.example:1",
      "a.b.home.example:8443",
      "home.example:8443",
      "*.home.example:8443",
      "192.168.1.5:8443",
      "localhost:8443",
      "",
      "desk",
    ])
      expect(originAt(host, 8443)).toBe(null);
  });

  test("the printed address is where it listens, or else the first name", () => {
    expect(door("127.0.0.1:8443").origin(8443)).toBe("https://127.0.0.1:8443");
    expect(door("0.0.0.0:443").origin(443)).toBe("https://desk.example");
    expect(door("pc.home.example:443").origin(443)).toBe("https://pc.home.example");
    expect(door("::1").origin(7543)).toBe("https://[::1]:7543");
  });

  test("files that cannot be used are named", () => {
    const other = makeCertificate(folder, "DNS:other.example", "other");
    const nameless = makeCertificate(folder, "", "nameless");
    const broken = join(folder, "broken.pem");
    writeFileSync(broken, "-----BEGIN CERTIFICATE-----\nx\n");
    expect(messageOf({ ...desk, key: other.key })).toContain("is not the key of the certificate");
    expect(messageOf(nameless)).toContain("names no host");
    expect(messageOf({ ...desk, cert: broken })).toContain("is no certificate");
    expect(messageOf({ ...desk, key: broken })).toContain("is no private key");
    expect(messageOf({ ...desk, cert: join(folder, "missing") })).toContain("cannot be read");
    expect(() => farDoor({ ...NONE, listen: "127.0.0.1", ...desk }, NOW + 3 * 86_400_000)).toThrow("ended on");
  });
});
