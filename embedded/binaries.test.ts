import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { locateBinaries, createMissingLinks } from "./binaries.ts";
import { asRoot, temporaryFolder } from "./fixtures/embedded_harness.ts";
import { firstUnreachableFolder } from "./reach.ts";
import { chooseRunUser } from "./run_user.ts";
import { copyForAllUsers } from "./shared_copy.ts";

/** Creates a package as npm unpacks it without running install scripts. */
function createBarePackage(): string {
  const root = temporaryFolder();
  mkdirSync(join(root, "native", "lib"), { recursive: true });
  writeFileSync(join(root, "native", "lib", "libx.so.1.2"), "code");
  const link = { source: "native/lib/libx.so.1.2", target: "native/lib/libx.so.1" };
  writeFileSync(join(root, "native", "pg-symlinks.json"), JSON.stringify([link]));
  return root;
}

test("the links that npm ci --ignore-scripts omits are created once", () => {
  const root = createBarePackage();
  createMissingLinks(root);
  createMissingLinks(root);
  expect(readlinkSync(join(root, "native", "lib", "libx.so.1"))).toBe("libx.so.1.2");
  expect(readFileSync(join(root, "native", "lib", "libx.so.1"), "utf8")).toBe("code");
});

test("a copy for all users is readable even if the source is not, and keeps relative links", async () => {
  const root = createBarePackage();
  createMissingLinks(root);
  writeFileSync(join(root, "native", "tool"), "#!", { mode: 0o700 });
  chmodSync(join(root, "native", "lib", "libx.so.1.2"), 0o600);
  chmodSync(join(root, "native", "lib"), 0o700);
  const base = join(temporaryFolder(), "shared");
  const copies = await Promise.all([1, 2].map(() => copyForAllUsers(join(root, "native"), "pg", base)));
  expect(copies).toEqual([join(base, "pg"), join(base, "pg")]);
  const mode = (...path: string[]): string => (statSync(join(base, "pg", ...path)).mode & 0o777).toString(8);
  expect([mode(), mode("lib"), mode("tool"), mode("lib", "libx.so.1.2")]).toEqual(["755", "755", "755", "644"]);
  expect(lstatSync(join(base, "pg", "lib", "libx.so.1")).isSymbolicLink()).toBe(true);
  expect(readlinkSync(join(base, "pg", "lib", "libx.so.1"))).toBe("libx.so.1.2");
});

test("the error for a folder without the programs names it", async () => {
  const folder = temporaryFolder();
  await expect(locateBinaries(undefined, folder)).rejects.toThrow(
    `${folder} contains no program "initdb": set LATCHKEY_POSTGRES_BIN to the bin folder`,
  );
});

test("the error for programs that cannot run contains their output", async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  const script = "#!/bin/sh\necho libicu is missing >&2\nexit 127\n";
  for (const name of ["initdb", "postgres", "pg_ctl"]) writeFileSync(join(folder, name), script, { mode: 0o755 });
  await expect(locateBinaries(undefined, folder)).rejects.toThrow(/PostgreSQL cannot run here \(.*libicu is missing/);
});

test.runIf(asRoot)("the error for programs that the run user cannot reach names the folder", async () => {
  const folder = temporaryFolder();
  for (const name of ["initdb", "postgres", "pg_ctl"]) symlinkSync("/bin/true", join(folder, name));
  chmodSync(folder, 0o700);
  await expect(locateBinaries(chooseRunUser([]), folder)).rejects.toThrow(`cannot enter ${folder}`);
});

test("firstUnreachableFolder finds the first folder that a user may not enter", () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, "closed", "open"), { recursive: true });
  chmodSync(join(folder, "closed", "open"), 0o755);
  const { uid, gid } = statSync(folder);
  const stranger = { name: "stranger", uid: uid + 1, gid: gid + 1 };
  const owner = { name: "owner", uid, gid };
  chmodSync(join(folder, "closed"), 0o710);
  expect(firstUnreachableFolder(join(folder, "closed", "open"), stranger)).toBe(join(folder, "closed"));
  expect(firstUnreachableFolder(join(folder, "closed", "open"), { ...stranger, gid })).toBeUndefined();
  expect(firstUnreachableFolder(join(folder, "closed", "open"), owner)).toBeUndefined();
  chmodSync(join(folder, "closed"), 0o011);
  expect(firstUnreachableFolder(folder, owner)).toBeUndefined();
  expect(firstUnreachableFolder(join(folder, "closed"), owner)).toBe(join(folder, "closed"));
  chmodSync(join(folder, "closed"), 0o700);
});

test.runIf(asRoot)("the run user is the first of three that exists, never root", () => {
  const passwd = join(temporaryFolder(), "passwd");
  writeFileSync(
    passwd,
    "root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:\nlatchkey:x:0:0::/:\npostgres:x:70:71::/:\n",
  );
  expect(chooseRunUser([], passwd)).toEqual({ name: "postgres", uid: 70, gid: 71 });
  writeFileSync(passwd, "root:x:0:0::/root:/bin/sh\n");
  expect(() => chooseRunUser([], passwd)).toThrow("none of the system users latchkey, postgres, nobody exists");
});
