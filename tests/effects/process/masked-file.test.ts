/** What a file of an agent's output holds, however its bytes arrive. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { createMasks } from "../../../src/core/secrets/mask.ts";
import { maskedFile } from "../../../src/effects/process/masked-file.ts";
import { type WholeLines, wholeLinesOf } from "../../../src/effects/process/whole-lines.ts";
import { seed } from "../../seed.ts";

const SECRET = "zebra-7-fjord-of-ßand";
const { bytes: mask = null } = createMasks({ A_TOKEN: SECRET });
const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${"A1b2".repeat(16)}\nab==\n-----END RSA PRIVATE KEY-----`;

type Written = { all: Buffer; steps: number[] };

/**
 * What a file holds after these chunks, and how many bytes of it after each of them: the same whether somebody decoded their whole lines
 * already or not.
 */
function written(chunks: readonly Buffer[]): Written {
  const plain = writtenOf(chunks, () => null);
  expect(writtenOf(chunks, wholeLinesOf)).toEqual(plain);
  expect(writtenOf(chunks, (chunk) => wholeLinesOf(chunk, 1))).toEqual(plain);
  return plain;
}

function writtenOf(chunks: readonly Buffer[], wholeOf: (chunk: Buffer) => WholeLines | null): Written {
  if (mask === null) throw new Error("there is no mask");
  const parts: Buffer[] = [];
  const steps: number[] = [];
  let size = 0;
  let closed = 0;
  const file = maskedFile(
    {
      append(chunk) {
        parts.push(Buffer.from(chunk));
        size += chunk.length;
      },
      keptBytes: () => null,
      close: () => {
        closed += 1;
      },
    },
    mask,
  );
  for (const chunk of chunks) {
    // As a reader lends it: the same memory holds other bytes afterwards.
    const lent = Buffer.from(chunk);
    file.append(lent, wholeOf(lent));
    lent.fill("~");
    steps.push(size);
  }
  file.close();
  expect(closed).toBe(1);
  return { all: Buffer.concat(parts), steps };
}

const inPieces = (bytes: Buffer, cuts: readonly number[]) => {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
};
const cuts = fc.array(fc.nat(), { maxLength: 12 });

test("bytes without a secret stay as they are, wherever they are cut", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), cuts, (bytes, at) => {
      expect(written(inPieces(Buffer.from(bytes), at)).all).toEqual(Buffer.from(bytes));
    }),
    { seed, numRuns: 200 },
  );
});

test("a secret and a private key are gone, wherever they are cut", () => {
  const text = Buffer.from(`one ${SECRET}\n{"a":"${SECRET}"}\n${KEY}\nand ${SECRET} without an end`);
  const expected =
    'one [masked: A_TOKEN]\n{"a":"[masked: A_TOKEN]"}\n[masked: private key]\nand [masked: A_TOKEN] without an end';
  fc.assert(
    fc.property(cuts, (at) => {
      expect(written(inPieces(text, at)).all.toString()).toBe(expected);
    }),
    { seed, numRuns: 300 },
  );
});

/** Put together here so that no scanner takes this file for a leak. */
const token = (begin: string, rest: string) => `${begin}${rest}`;
const LETTERS = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z";

test("tokens are gone from their lines, and the lines between them stay as they are", () => {
  const lines = [
    ["see https://example.org/task-1 and the disk-usage", null],
    [`push ${token("ghp_", `${LETTERS}zz`)} now`, "push [masked: github token] now"],
    [`clone https://me:${"pa55w0rd"}@host/x.git`, "clone https://me:[masked: password]@host/x.git"],
    [`key ${token("sk-ant-api03-", LETTERS)}`, "key [masked: anthropic key]"],
    ["plain words", null],
    ["Authorization:", null],
    [` Bearer ${LETTERS}`, " Bearer [masked: credentials]"],
    ["aws_secret_access_key =", null],
    [`"${token("abcd/EFGH+", "ijkl01234567890123456789012345")}"`, '"[masked: aws secret]"'],
  ] as const;
  const given = Buffer.from(lines.map(([line]) => `${line}\n`).join(""));
  const expected = lines.map(([line, masked]) => `${masked ?? line}\n`).join("");
  expect(written([given]).all.toString()).toBe(expected);
  fc.assert(
    fc.property(cuts, (at) => {
      // A chunk that ends between a header and its token parts them, as before.
      const [upTo = ""] = written(inPieces(given, at)).all.toString().split("Authorization", 1);
      expect(upTo).toBe(expected.split("Authorization", 1)[0] ?? "");
    }),
    { seed, numRuns: 200 },
  );
});

test.each([
  ["a secret", [`plain\n${SECRET}\nplain\n`], "plain\n[masked: A_TOKEN]\nplain\n"],
  [
    "a header and its token",
    [`Authorization:\n Bearer ${LETTERS}\nplain\n`],
    "Authorization:\n Bearer [masked: credentials]\nplain\n",
  ],
  [
    "a private key",
    [`plain\n\n${KEY.slice(0, 50)}`, `${KEY.slice(50)}\nplain\n`],
    "plain\n\n[masked: private key]\nplain\n",
  ],
])("%s in lines that are whole in their chunk is gone", (_, chunks, expected) => {
  expect(written(chunks.map((chunk) => Buffer.from(chunk))).all.toString()).toBe(expected);
});

test("whole lines are written at once, and a line without an end at the end", () => {
  const { all, steps } = written([Buffer.from("one\ntw"), Buffer.from("o\nthree")]);
  expect([all.toString(), steps]).toEqual(["one\ntwo\nthree", ["one\n".length, "one\ntwo\n".length]]);
});

test("what only looks like the beginning of a key is written before long", () => {
  const lines = Array.from({ length: 400 }, () => Buffer.from(`${"no key, just words. ".repeat(3)}\n`));
  const { all, steps } = written([Buffer.from("-----BEGIN PRIVATE KEY-----\n"), ...lines]);
  expect(steps.at(-1)).toBeGreaterThan(20_000);
  expect(all.toString()).toContain("[masked: private key]\nno key, just words.");
});

test("a line of megabytes is written before its end, and no secret in it", () => {
  const piece = Buffer.from(`${"x".repeat(997)} "${SECRET}" `);
  const { all, steps } = written(Array.from({ length: 3000 }, () => piece));
  expect(steps.at(-1)).toBeGreaterThan(2_000_000);
  expect(all.includes("fjord")).toBe(false);
  expect(all.toString().split("[masked: A_TOKEN]")).toHaveLength(3001);
});

test("a line of megabytes is whole, wherever it is cut", () => {
  const text = `${"x".repeat(97)} "${SECRET}" `.repeat(12_000);
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / 65_537) }, (_, at) =>
    bytes.subarray(at * 65_537, (at + 1) * 65_537),
  );
  expect(written(chunks).all.toString() === text.replaceAll(SECRET, "[masked: A_TOKEN]")).toBe(true);
});

test("an output that ends within a key is kept to its end", () => {
  const { all } = written([Buffer.from("plain\n-----BEGIN RSA PRIVATE KEY"), Buffer.from("-----\nnot one more word")]);
  expect(all.toString()).toStartWith("plain\n");
  expect(all.toString()).toContain("not one more word");
});
