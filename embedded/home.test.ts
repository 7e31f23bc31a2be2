import { existsSync, lstatSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { asRoot, temporaryFolder } from "./fixtures/harness.ts";
import { prepareHome } from "./home.ts";

/** A checkout that PostgreSQL's user cannot enter, and a folder that it can. */
function closedCheckout() {
  const folder = temporaryFolder();
  const home = join(folder, "closed", "checkout", ".latchkey");
  mkdirSync(join(folder, "closed"), { mode: 0o700 });
  mkdirSync(dirname(home));
  return { home, shared: join(folder, "shared") };
}

test.runIf(asRoot)("below a closed folder the home is a link to one that PostgreSQL's user can enter", () => {
  const given = closedCheckout();
  expect(prepareHome({}, given)).toBe(given.home);
  expect(realpathSync(given.home)).toMatch(`${given.shared}/home-`);
  const first = realpathSync(given.home);
  prepareHome({}, given);
  expect(realpathSync(given.home)).toBe(first);
});

test.runIf(asRoot)("a new checkout in a deleted one's place finds none of its data", () => {
  const given = closedCheckout();
  prepareHome({}, given);
  writeFileSync(join(given.home, "kept"), "");
  rmSync(dirname(given.home), { recursive: true });
  mkdirSync(dirname(given.home));
  prepareHome({}, given);
  expect(existsSync(join(given.home, "kept"))).toBe(false);
});

test("an open folder, and one that was named, stay where they are", () => {
  const home = join(temporaryFolder(), ".latchkey");
  const shared = join(dirname(home), "shared");
  expect(prepareHome({}, { home, shared })).toBe(home);
  expect(prepareHome({ LATCHKEY_HOME: home }, { home, shared })).toBe(home);
  expect(lstatSync(shared, { throwIfNoEntry: false })).toBeUndefined();
});
