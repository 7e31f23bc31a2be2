import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Environment } from "../../config/environment.ts";
import { secrets } from "../../testing/service/environments.ts";
import {
  installedHome,
  newHome,
  start,
  startAndListen,
  startError,
  withoutGraphql,
} from "../../testing/service/npm_start.ts";
import { tokensOf } from "../../testing/service/rest_client.ts";

test("a database whose pepper is lost or another one is not served, and the message can be followed", async () => {
  const home = await installedHome();
  const file = join(home, "secrets", "HASH_PEPPER");
  const first = await startAndListen(home, withoutGraphql);
  const guest = tokensOf(await first.client.post("/auth/session/guest"));
  expect(await first.end("SIGINT")).toEqual([0, null]);
  const pepper = readFileSync(file, "utf8");
  const remedy = `Put the one that belongs to the database into ${file} or into the environment. If it is lost, delete ${home} to begin with an empty database.\n`;

  rmSync(file);
  expect(await startError(home)).toBe(
    `HASH_PEPPER is missing: this database's passwords were hashed with it. ${remedy}`,
  );
  expect(existsSync(file), "no other one is created").toBe(false);
  expect(await startError(home, { HASH_PEPPER: secrets.HASH_PEPPER })).toBe(
    `HASH_PEPPER is not the one that this database's passwords were hashed with: nobody could sign in. ${remedy}`,
  );

  writeFileSync(file, pepper);
  const restored = await startAndListen(home, withoutGraphql);
  expect((await restored.client.refresh(guest.refresh_token)).status).toBe(200);
  await restored.end("SIGINT");

  rmSync(home, { recursive: true });
  const restarted = await startAndListen(home, withoutGraphql);
  expect((await restarted.client.refresh(guest.refresh_token)).status).toBe(401);
  await restarted.end("SIGINT");
});

test("with a database of its own, a lost pepper is not replaced, nor is one whose file is empty", async () => {
  const home = await installedHome();
  const first = await startAndListen(home, withoutGraphql);
  const DATABASE_URL = readFileSync(join(home, "secrets", "DATABASE_URL"), "utf8");
  const other = newHome();
  mkdirSync(join(other, "secrets"), { recursive: true });
  chmodSync(other, 0o711);
  for (const name of ["server", "graphql", "worker"].map((role) => `latchkey_${role}.password`))
    writeFileSync(join(other, "secrets", name), readFileSync(join(home, "secrets", name)));
  const errorOf = async (env: Environment, program?: string) => {
    const { output, ended } = start(other, { DATABASE_URL, ...env }, program);
    expect(await ended).toEqual([1, null]);
    if (program === undefined) return output.err;
    // Server and worker write a log, in which a collector expects JSON also where the start fails.
    expect(output.err).toBe("");
    const lines = output.out.split("\n").filter((line) => line !== "");
    return lines.map((line) => (JSON.parse(line) as { msg: string }).msg).join("\n");
  };
  const pepper = join(other, "secrets", "HASH_PEPPER");
  for (const program of [undefined, "server/main.ts", "worker/main.ts"]) {
    expect(await errorOf({}, program)).toMatch(/^HASH_PEPPER is not the one that this database's passwords/m);
    expect(existsSync(pepper), `${program ?? "npm start"} leaves no other one`).toBe(false);
  }
  writeFileSync(pepper, secrets.HASH_PEPPER);
  expect(await errorOf({}, "server/main.ts")).toMatch(/^HASH_PEPPER is not the one/m);
  expect(readFileSync(pepper, "utf8"), "one that was there before is kept").toBe(secrets.HASH_PEPPER);
  rmSync(pepper);
  const empty = join(other, "empty");
  writeFileSync(empty, "\n");
  expect(await errorOf({ HASH_PEPPER_FILE: empty })).toMatch(/^ {2}HASH_PEPPER_FILE names an empty file$/m);
  expect(existsSync(pepper), "no other one is left").toBe(false);
  await first.end("SIGINT");
});
