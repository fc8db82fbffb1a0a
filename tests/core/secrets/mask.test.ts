import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createMasks, NO_MASKS } from "../../../src/core/secrets/mask.ts";
import { SHAPES } from "../../../src/core/secrets/token-shapes.ts";
import { growth, IN_PROPORTION } from "../../growth.ts";
import { seed } from "../../seed.ts";

/** A token of that beginning, put together here so that no scanner takes this file for a leak. */
const token = (begin: string, rest: string) => `${begin}${rest}`;
const LETTERS = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z";
const { text: mask } = createMasks({});
const withEnv = (env: Record<string, string>) => createMasks(env).text;

describe("a token of a known shape", () => {
  test.each([
    ["github token", token("ghp_", `${LETTERS}zz`)],
    ["github token", token("github_pat_", `11ABCDEFG0_${LETTERS}`)],
    ["gitlab token", token("glpat-", "x1y2z3-a4b5c6_d7e8f9")],
    ["anthropic key", token("sk-ant-api03-", LETTERS)],
    ["provider key", token("sk-proj-", LETTERS)],
    ["provider key", token("gsk_", LETTERS)],
    ["google key", token("AIza", `Sy${LETTERS.slice(0, 33)}`)],
    ["aws key", token("AKIA", "ABCDEFGHIJKLMNOP")],
    ["slack token", token("xoxb-", "123456789012-abcdefABCDEF")],
    ["npm token", token("npm_", `${LETTERS}ab`)],
    ["stripe key", token("sk_live_", LETTERS)],
    [
      "jwt",
      `${token("eyJ", "hbGciOiJIUzI1NiJ9")}.${token("eyJ", "zdWIiOiIxMjM0NTY3ODkwIn0")}.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U`,
    ],
  ])("is masked by its name: %s", (label, secret) => {
    expect(mask(`before ${secret} after`)).toBe(`before [masked: ${label}] after`);
    expect(mask(JSON.stringify({ a: secret }))).toBe(JSON.stringify({ a: `[masked: ${label}]` }));
    // As a tool's output of several lines is written; and once more, as a tool prints JSON.
    const lines = (one: string) => JSON.stringify({ a: `first\n${one}\n\t${one}` });
    expect(mask(lines(secret))).toBe(lines(`[masked: ${label}]`));
    expect(mask(JSON.stringify(lines(secret)))).toBe(JSON.stringify(lines(`[masked: ${label}]`)));
    const coloured = (one: string) => `\u001b[1;32m${one}\u001b[0m \u001b[01;31m\u001b[K${one}`;
    expect(mask(coloured(secret))).toBe(coloured(`[masked: ${label}]`));
    expect(mask(JSON.stringify(coloured(secret)))).toBe(JSON.stringify(coloured(`[masked: ${label}]`)));
  });

  test("is found by the words that bytes are searched for, whichever of its beginnings it has", () => {
    const { bytes } = createMasks({});
    const found = SHAPES.flatMap(({ words }) => words).filter((word) => bytes?.words.in(Buffer.from(word))(0) === 0);
    const inside = SHAPES.flatMap(({ words }) => words).filter((word) => bytes?.words.in(Buffer.from(word))(0) === 1);
    expect(inside).toEqual(["sk_live_", "sk_test_", "rk_live_", "rk_test_"]);
    expect(found.length + inside.length).toBe(SHAPES.flatMap(({ words }) => words).length);
  });

  test("is masked in what a cut left of it", () => {
    const begin = token("ghp_", LETTERS.slice(0, 12));
    expect([mask(`curl -H ${begin}`), mask(`Bash(curl -H ${begin})`), mask(`curl ${begin}…`)]).toEqual([
      "curl -H [masked: token]",
      "Bash(curl -H [masked: token])",
      "curl [masked: token]…",
    ]);
  });

  test.each([
    [
      "an AWS secret beside its name",
      `aws_secret_access_key = ${token("abcd/EFGH+", "ijkl01234567890123456789012345")}`,
      "aws_secret_access_key = [masked: aws secret]",
    ],
    ["a header", "Authorization: Bearer abcdefgh12345678", "Authorization: Bearer [masked: credentials]"],
    [
      "the password of an address",
      "git clone https://me:pa55w0rd@host/x.git",
      "git clone https://me:[masked: password]@host/x.git",
    ],
    [
      "a private key on lines",
      `-----BEGIN RSA PRIVATE KEY-----\n${"A1b2".repeat(16)}\n${"Cd".repeat(5)}==\n-----END RSA PRIVATE KEY-----\nafter`,
      "[masked: private key]\nafter",
    ],
    [
      "a private key in JSON",
      `{"k":"-----BEGIN PRIVATE KEY-----\\n${"A1b2".repeat(16)}\\nab==\\n-----END PRIVATE KEY-----\\n"}`,
      '{"k":"[masked: private key]\\n"}',
    ],
    [
      "the beginning of a private key",
      `x\n-----BEGIN OPENSSH PRIVATE KEY-----\n${"A1b2".repeat(16)}\n${"A1b2".repeat(9)}`,
      "x\n[masked: private key]",
    ],
  ])("is masked where only its place shows it: %s", (_name, text, masked) => expect(mask(text)).toBe(masked));

  test.each([
    "sk-circle-fade-animation-container-of-things",
    "task-1234567890-ABCDEFGHIJKLMNOPQRSTUVWXYZ-abcdef",
    "https://example.com/path?user:name@x",
    "postgres://me:$PASSWORD@host, https://<user>:<password>@host",
    "the token ghp_ is short, and AKIA too",
    "-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----",
    "f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2",
  ])("is nothing like %s", (text) => expect(mask(text)).toBe(text));
});

describe("the value of a variable", () => {
  test.each([
    "API_KEY",
    "OPENAI_APIKEY",
    "GH_TOKEN",
    "DB_PASS",
    "MYSQL_PWD",
    "CLIENT_SECRET",
    "AWS_CREDENTIALS",
    "my_secret_thing",
  ])("that is called %s is masked by that name", (name) =>
    expect(withEnv({ [name]: "zebra-7-fjord" })("a zebra-7-fjord b")).toBe(`a [masked: ${name}] b`),
  );

  test.each<[string, string]>([
    ["PWD", "/home/me/zebra7fjord"],
    ["SSH_KEY_PATH", "/home/me/.ssh/id_ed25519"],
    ["GOOGLE_CREDENTIALS", "C:\\Users\\me\\key.json"],
    ["MAX_TOKENS", "100000000"],
    ["DB_PASSWORD", "password"],
    ["CREDENTIAL_KEY", "osxkeychain"],
    ["CACHE_KEY", "my-config-name"],
    ["VAPID_PUBLIC_KEY", "zebra7fjordx"],
    ["SHORT_KEY", "abc1234"],
    ["HOME", "zebra7fjordx"],
  ])("%s=%s is no secret", (name, value) => {
    const text = `some ${value} in a text about a password and a my-config-name`;
    expect(withEnv({ [name]: value })(text)).toBe(text);
  });

  test("is found as JSON and addresses write it, and on the lines of its own", () => {
    const value = `top"line/1234567890\nsecond=line+1234567890`;
    const masked = withEnv({ DEPLOY_KEY: value });
    for (const form of [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), ...value.split("\n")])
      expect(masked(`<${form}>`)).toBe("<[masked: DEPLOY_KEY]>");
  });

  test.each([
    ["PHP's JSON", String.raw`ze\/bra<7>&\"fjord`],
    ["Go's JSON", String.raw`ze/bra\u003c7\u003e\u0026\"fjord`],
    ["HTML", `ze/bra&lt;7&gt;&amp;"fjord`],
    ["an address with small letters", "ze%2fbra%3c7%3e%26%22fjord"],
    ["JSON in JSON", String.raw`ze/bra<7>&\\\"fjord`],
    ["Go's JSON in JSON", String.raw`ze/bra\\u003c7\\u003e\\u0026\\\"fjord`],
  ])("is found as it stands in %s", (_, form) => {
    const { text, bytes } = createMasks({ A_KEY: `ze/bra<7>&"fjord` });
    expect([text(`<${form}>`), bytes?.mask(`<${form}>`)]).toEqual(["<[masked: A_KEY]>", "<[masked: A_KEY]>"]);
  });

  test("is masked in what a cut left of it", () => {
    const masked = withEnv({ A_TOKEN: "zebra-7-fjord-and-more" });
    expect([masked("x zebra-7-fjo"), masked("Bash(x zebra-7-fjord)"), masked("x zebra-7-fjo…")]).toEqual([
      "x [masked: A_TOKEN]",
      "Bash(x [masked: A_TOKEN])",
      "x [masked: A_TOKEN]…",
    ]);
    expect(masked("zebra-7-field")).toBe("zebra-7-field");
  });

  test("is the longer one where two begin alike, and the password of an address", () => {
    const masked = withEnv({ A_KEY: "zebra-7-fjord", B_KEY: "zebra-7-fjord-2", DB: "postgres://me:moss-9-heron@db/x" });
    expect(masked("zebra-7-fjord-2 zebra-7-fjord moss-9-heron")).toBe("[masked: B_KEY] [masked: A_KEY] [masked: DB]");
  });

  test("is masked as bytes too, beside bytes that are no text", () => {
    const { bytes } = createMasks({ A_KEY: "zebra-ß-fjord" });
    const latin1 = (text: string) => Buffer.from(text, "utf8").toString("latin1");
    expect(bytes?.mask(`\xff ${latin1("zebra-ß-fjord")} \x80`)).toBe("\xff [masked: A_KEY] \x80");
  });
});

test("without masks every text stays as it is", () => {
  const secret = token("ghp_", `${LETTERS}zz`);
  expect([NO_MASKS.text(secret), NO_MASKS.bytes]).toEqual([secret, null]);
});

test("a secret is gone wherever it stands, the text around it is not, and a second mask changes nothing", () => {
  const secret = fc
    .stringMatching(/^[A-Za-z0-9+/=_!%&$*-]{9,60}$/)
    .filter((value) => /\d/.test(value) && /[!_%&]/.test(value));
  const around = fc.stringMatching(/^[a-z ,.:\n]{0,80}$/);
  fc.assert(
    fc.property(secret, around, around, (value, before, after) => {
      const masked = withEnv({ A_TOKEN: value });
      const found = masked(`${before} ${value} ${after}`);
      expect(found).toBe(`${before} [masked: A_TOKEN] ${after}`);
      expect(masked(found)).toBe(found);
    }),
    { seed, numRuns: 200 },
  );
});

test.each([
  ["no secrets", (n: number) => "The quick brown fox. ".repeat(n)],
  ["one long word", (n: number) => "a".repeat(20 * n)],
  ["beginnings of tokens", (n: number) => "sk-eyJghp_://a:AKIA-".repeat(n)],
  ["the beginning of a key", (n: number) => `-----BEGIN PRIVATE KEY-----\n${"A1b2\n".repeat(4 * n)}`],
  ["beginnings of keys", (n: number) => "-----BEGIN PRIVATE K".repeat(n)],
  ["a secret again and again", (n: number) => "zebra-7-fjord zebra- ".repeat(n)],
])("time grows in proportion to the text: %s", async (_name, make) => {
  const masked = withEnv({ A_KEY: "zebra-7-fjord" });
  expect(await growth((size) => make(Math.ceil(size / 20)), masked, 4_000_000)).toBeLessThan(IN_PROPORTION);
});
