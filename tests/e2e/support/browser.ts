/** The browser of the tests: Chromium, or Firefox with RALPH_TEST_BROWSER=firefox. */
import process from "node:process";
import type { Page } from "./browser-page.ts";
import { chromium, openChromium } from "./chromium.ts";
import { firefox, openFirefox } from "./firefox.ts";

const isFirefox = process.env.RALPH_TEST_BROWSER === "firefox";

/** Path of its program; null if it is not installed. */
export const browser = isFirefox ? firefox : chromium;

/** Starts it with one page. @param more flags of Chromium */
export function openPage(...more: string[]): Promise<Page> {
  return isFirefox ? openFirefox() : openChromium(...more);
}
