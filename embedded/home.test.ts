import { existsSync, lstatSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { asRoot, temporaryFolder } from "./fixtures/embedded_harness.ts";
import { prepareHome } from "./home.ts";

/**
 * Creates a checkout that PostgreSQL's user cannot enter, and returns its home and a folder that the user can enter.
 */
function createClosedCheckout() {
  const folder = temporaryFolder();
  const home = join(folder, "closed", "checkout", ".latchkey");
  mkdirSync(join(folder, "closed"), { mode: 0o700 });
  mkdirSync(dirname(home));
  return { home, shared: join(folder, "shared") };
}

test.runIf(asRoot)("below a closed folder the home is a link to one that PostgreSQL's user can enter", () => {
  const folders = createClosedCheckout();
  expect(prepareHome({}, folders)).toBe(folders.home);
  expect(realpathSync(folders.home)).toMatch(`${folders.shared}/home-`);
  const first = realpathSync(folders.home);
  prepareHome({}, folders);
  expect(realpathSync(folders.home)).toBe(first);
});

test.runIf(asRoot)("a new checkout at the path of a deleted one finds none of its data", () => {
  const folders = createClosedCheckout();
  prepareHome({}, folders);
  writeFileSync(join(folders.home, "kept"), "");
  rmSync(dirname(folders.home), { recursive: true });
  mkdirSync(dirname(folders.home));
  prepareHome({}, folders);
  expect(existsSync(join(folders.home, "kept"))).toBe(false);
});

test("a reachable home, and one set by LATCHKEY_HOME, is not replaced by a link", () => {
  const home = join(temporaryFolder(), ".latchkey");
  const shared = join(dirname(home), "shared");
  expect(prepareHome({}, { home, shared })).toBe(home);
  expect(prepareHome({ LATCHKEY_HOME: home }, { home, shared })).toBe(home);
  expect(lstatSync(shared, { throwIfNoEntry: false })).toBeUndefined();
});
