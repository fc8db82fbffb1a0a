import { expect, test } from "bun:test";
import { createDevices } from "../../../src/effects/ui/devices.ts";
import { createPairedAccess } from "../../../src/effects/ui/paired-access.ts";
import { createPairing } from "../../../src/effects/ui/pairing.ts";

test("who is one device too many is told to revoke one, and that the code is used all the same", () => {
  const pairing = createPairing({ now: () => 0, steady: () => 0 });
  const access = createPairedAccess({
    pairing,
    devices: createDevices({ read: () => [], write: () => {} }, () => 0),
    isSecure: true,
    cookieName: "c",
    another: "Press p",
    onPaired: () => {},
    onWrong: () => {},
  });
  const enter = () => access.enter(pairing.open(false).code, {});
  for (let device = 1; device <= 16; device += 1) expect(enter()).toHaveProperty("admission");
  expect(enter()).toEqual({
    refused: "Too many devices are paired.",
    hint: "Revoke one: ralph ui devices revoke NAME. Press p for another code, as this one is used.",
  });
});
