import { openBrowser } from "./browser.ts";
import { test as baseTest } from "../fixtures.ts";

/** `browser` is one for all tests of a file, because a start takes seconds on a busy machine. */
export const test = baseTest.extend("browser", { scope: "file" }, async ({}, { onCleanup }) => {
  const browser = await openBrowser();
  onCleanup(() => browser.close());
  return browser;
});
