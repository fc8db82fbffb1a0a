import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDevices, type Device, type Devices, deviceFile, labelOf } from "../../../src/effects/ui/devices.ts";
import { testFolder } from "../../folders.ts";

const DAY = 86_400_000;

function kept(): { devices(): Devices; text(): string; pass(ms: number): void } {
  let now = Date.parse("2026-01-01T00:00:00Z");
  let written: readonly Device[] = [];
  const file = {
    read: () => [...written],
    write: (next: readonly Device[]) => {
      written = next;
    },
  };
  return {
    devices: () => createDevices(file, () => now),
    text: () => JSON.stringify(written),
    pass(ms) {
      now += ms;
    },
  };
}

describe("paired devices", () => {
  test("are known again after a restart, by both of their secrets, of which only hashes are kept", () => {
    const store = kept();
    const added = store.devices().add("safari-iphone", true);
    if (added === null) throw new Error("not paired");
    const { cookie, key } = added;
    const again = store.devices();
    expect(again.find({ cookie, key })).toMatchObject({ name: "safari-iphone", control: true });
    for (const wrong of [
      { cookie, key: "" },
      { cookie: key, key: cookie },
      { cookie: "", key },
      { cookie: "", key: "" },
    ])
      expect(again.find(wrong)).toBe(null);
    expect(store.text()).not.toContain(cookie);
    expect(store.text()).not.toContain(key);
  });

  test("have names of their own, and are at most 16", () => {
    const devices = kept().devices();
    const names = Array.from({ length: 17 }, () => devices.add("device", false)?.name);
    expect(names.slice(0, 3)).toEqual(["device", "device-2", "device-3"]);
    expect(names.at(-1)).toBeUndefined();
    expect(devices.add("all", false)).toBe(null);
  });

  test("expire after 30 days, and leave the list", () => {
    const store = kept();
    const devices = store.devices();
    const added = devices.add("device", true);
    if (added === null) throw new Error("not paired");
    store.pass(30 * DAY - 1);
    expect(devices.find(added)).not.toBe(null);
    store.pass(1);
    expect(devices.find(added)).toBe(null);
    expect(devices.list()).toEqual([]);
    expect(devices.add("device", true)?.name).toBe("device");
  });

  test("are gone at once when revoked, with what they hold open", () => {
    const devices = kept().devices();
    const [one, two] = [devices.add("one", true), devices.add("two", true)];
    if (one === null || two === null) throw new Error("not paired");
    const ended: string[] = [];
    const held = devices.list();
    for (const device of held) devices.onGone(device, () => ended.push(device.name));
    const stay = devices.onGone(held[0] as Device, () => ended.push("closed before"));
    stay();
    expect(devices.revoke("nobody")).toEqual([]);
    expect(devices.revoke("one")).toEqual(["one"]);
    expect({ ended, one: devices.find(one), two: devices.find(two)?.name }).toEqual({
      ended: ["one"],
      one: null,
      two: "two",
    });
    expect(devices.revoke("all")).toEqual(["two"]);
    expect(ended).toEqual(["one", "two"]);
  });

  test("are gone with what they hold open also where their file cannot be written, which is told", () => {
    let isFull = false;
    const write = () => {
      if (isFull) throw new Error("ENOSPC");
    };
    const devices = createDevices({ read: () => [], write }, () => 0);
    const added = devices.add("one", true);
    if (added === null) throw new Error("not paired");
    const ended: string[] = [];
    for (const device of devices.list()) devices.onGone(device, () => ended.push(device.name));
    isFull = true;
    expect(() => devices.revoke("one")).toThrow("ENOSPC");
    expect({ ended, found: devices.find(added) }).toEqual({ ended: ["one"], found: null });
  });

  test("are let in also where it cannot be written that they were seen, and one whose pairing cannot be kept is none", () => {
    let [now, isFull] = [0, false];
    const write = () => {
      if (isFull) throw new Error("ENOSPC");
    };
    const devices = createDevices({ read: () => [], write }, () => now);
    const added = devices.add("one", true);
    if (added === null) throw new Error("not paired");
    isFull = true;
    now += 2 * 3_600_000;
    expect(devices.find(added)?.name).toBe("one");
    expect(() => devices.add("two", true)).toThrow("ENOSPC");
    expect(devices.list().map(({ name }) => name)).toEqual(["one"]);
  });

  test("say when they were last seen, to the hour", () => {
    const store = kept();
    const devices = store.devices();
    const added = devices.add("device", true);
    if (added === null) throw new Error("not paired");
    store.pass(3_599_999);
    expect(devices.find(added)?.seen_at).toBe("2026-01-01T00:00:00.000Z");
    store.pass(1);
    expect(devices.find(added)?.seen_at).toBe("2026-01-01T01:00:00.000Z");
    expect(store.devices().list()[0]?.seen_at).toBe("2026-01-01T01:00:00.000Z");
  });
});

describe("the file of devices", () => {
  const home = testFolder("devices");
  const user = { platform: "linux", env: {}, home } as const;
  const path = join(home, ".local/state/ralph/ui/devices.json");

  test("is for its user alone, and one that is damaged or forged lets nobody in", () => {
    const devices = createDevices(deviceFile(user), Date.now);
    const added = devices.add("device", true);
    if (added === null) throw new Error("not paired");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(deviceFile(user).read()).toHaveLength(1);
    const whole = readFileSync(path, "utf8");
    for (const text of [whole.slice(0, -9), "[]", whole.replace(/"key_hash": ".*"/, '"key_hash": ""'), "\u0000"]) {
      writeFileSync(path, text);
      expect(createDevices(deviceFile(user), Date.now).find(added)).toBe(null);
    }
    rmSync(path);
    mkdirSync(path);
    expect(deviceFile(user).read()).toEqual([]);
  });

  test("that another program writes while the server runs lets nobody in", () => {
    const store = kept();
    const running = store.devices();
    const forged = store.devices().add("device", true);
    if (forged === null) throw new Error("not paired");
    expect(running.find(forged)).toBe(null);
  });
});

test.each([
  ["safari-iphone", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Safari/604.1"],
  ["chrome-android", "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36"],
  ["firefox-android", "Mozilla/5.0 (Android 15; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0"],
  ["edge-windows", "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0"],
  ["linux", "<script>alert(1)</script> \u001b[31m Linux"],
  ["device", "<img src=x onerror=alert(1)>"],
  ["device", ""],
])("a device is called %s by what its browser says", (name, agent) => {
  expect(labelOf(agent)).toBe(name);
});
