import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary_folder.ts";
import { homeDirectory, loadOrCreateSecret, refuseCreatedSecret } from "./secret_store.ts";

const root = join(import.meta.dirname, "..", "..");

test("the home is LATCHKEY_HOME, or .latchkey in the checkout where that is unset or empty", () => {
  expect(homeDirectory({ LATCHKEY_HOME: "/srv/latchkey" })).toBe("/srv/latchkey");
  expect(homeDirectory({})).toBe(join(root, ".latchkey"));
  expect(homeDirectory({ LATCHKEY_HOME: "" })).toBe(join(root, ".latchkey"));
});

test("a secret is created once", () => {
  const home = temporaryFolder();
  expect(loadOrCreateSecret(home, "one", () => "first")).toBe("first");
  expect(loadOrCreateSecret(home, "one", () => "second")).toBe("first");
  expect(loadOrCreateSecret(home, "other", () => "third")).toBe("third");
});

test("two calls that create a secret at the same time both return the one stored first, and no temporary file remains", () => {
  const home = temporaryFolder();
  const ours = loadOrCreateSecret(home, "one", () => {
    loadOrCreateSecret(home, "one", () => "theirs");
    return "ours";
  });
  expect(ours).toBe("theirs");
  expect(readdirSync(join(home, "secrets"))).toEqual(["one"]);
});

test("a refused secret is set aside if this process created it and nobody restored another one", () => {
  const home = temporaryFolder();
  const path = join(home, "secrets", "one");
  loadOrCreateSecret(home, "one", () => "new");
  writeFileSync(path, "restored");
  refuseCreatedSecret("one");
  expect(readFileSync(path, "utf8")).toBe("restored");
  writeFileSync(path, "new");
  refuseCreatedSecret("one");
  expect(existsSync(path)).toBe(false);
  expect(readFileSync(`${path}.refused`, "utf8")).toBe("new");
  refuseCreatedSecret("one");
  refuseCreatedSecret("another");
});

test("eight processes that create a secret at the same time get the same one", async () => {
  const home = join(temporaryFolder(), "new");
  const script = `import { loadOrCreateSecret, randomSecret } from ${JSON.stringify(join(root, "config/secrets/secret_store.ts"))};
    process.stdout.write(loadOrCreateSecret(${JSON.stringify(home)}, "one", randomSecret));`;
  const run = () => promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  const answers = await Promise.all(Array.from({ length: 8 }, run));
  expect(new Set(answers.map(({ stdout }) => stdout)).size).toBe(1);
  expect(answers[0]?.stdout).toMatch(/^[\w-]{43}$/);
});

test("only its owner may enter a new home; if the owner is root, others may enter but not list it", () => {
  const home = join(temporaryFolder(), "new");
  loadOrCreateSecret(home, "one", () => "secret");
  expect(statSync(home).mode & 0o777).toBe(process.getuid?.() === 0 ? 0o711 : 0o700);
});

test("a secret that cannot be read is an error that names the home, and is not replaced", () => {
  const home = temporaryFolder();
  mkdirSync(join(home, "secrets", "one"), { recursive: true });
  expect(() => loadOrCreateSecret(home, "one", () => "new")).toThrow(`Cannot store a secret in ${home}: EISDIR`);
  expect(existsSync(join(home, "secrets", "one"))).toBe(true);
});
