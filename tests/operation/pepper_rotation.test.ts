import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { serverConfig } from "../../config/config.ts";
import { childEnvironment } from "../../testing/child_environment.ts";
import { importUsers } from "../../testing/service/import_users.ts";
import { goodPassword, logIn, newPhone, requestPasswordReset, signUp } from "../../testing/service/people.ts";
import type { RunningServer } from "../../testing/service/service.ts";
import { enrol, logInFirst, reasonOf, test as baseTest, totp } from "../fixtures/factor_fixtures.ts";

const next = Buffer.from("the next pepper of this service!").toString("base64");

interface Servers {
  /** Has both peppers, and hashes under the old one. */
  prepared: RunningServer;
  /** Hashes under the new one. */
  rotated: RunningServer;
  /** Has the new one alone. */
  done: RunningServer;
}

/** The service itself has the old pepper alone, as a server that runs since before the rotation. */
const test = baseTest
  .extend("old", { scope: "file" }, ({ database }) =>
    String(serverConfig(database.env).HASH_PEPPER[0]?.toString("base64")),
  )
  /** A phone whose account was imported before the rotation. */
  .extend("imported", { scope: "file" }, async ({ database }) => {
    const phone = newPhone();
    const [row] = await database.query<{ hash: string }>("select crypto.crypt($1, crypto.gen_salt('bf', 4)) as hash", [
      goodPassword,
    ]);
    await importUsers(database, [{ phone, password_hash: String(row?.hash) }]);
    return phone;
  })
  .extend("servers", { scope: "file" }, async ({ service, old, imported: _ }, { onCleanup }): Promise<Servers> => {
    const running: RunningServer[] = [];
    onCleanup(async () => {
      for (const server of running) await server.stop();
    });
    const start = async (HASH_PEPPER: string) => {
      const server = await service.startAnotherServer({ HASH_PEPPER });
      running.push(server);
      return server;
    };
    return {
      prepared: await start(`${old},${next}`),
      rotated: await start(`${next},${old}`),
      done: await start(next),
    };
  })
  .extend("idOf", ({ database, old }) => (pepper: "old" | "new") => {
    const HASH_PEPPER = pepper === "old" ? old : next;
    return String(serverConfig({ ...database.env, HASH_PEPPER }).passwordKeys[0]?.pepperId);
  })
  .extend("pepperOf", ({ database }) => async (phone: string) => {
    const [row] = await database.query<{ id: string }>(
      `select private.pepper_of_password(a.password_hash) as id from "user".account a where a.phone = $1`,
      [phone],
    );
    return row?.id;
  })
  .extend("status", ({ database }) => async (HASH_PEPPER: string) => {
    const { stdout } = await promisify(execFile)(process.execPath, ["scripts/pepper/main.ts", "status"], {
      cwd: join(import.meta.dirname, "../.."),
      env: { ...childEnvironment(), ...database.env, HASH_PEPPER },
    });
    return stdout;
  });

test("a password moves to the new pepper at its next login, and works at each server that has both", async ({
  service,
  servers: { prepared, rotated, done },
  idOf,
  pepperOf,
}) => {
  const person = await signUp(service);
  expect(await pepperOf(person.phone)).toBe(idOf("old"));
  await logIn(prepared, person);
  expect(await pepperOf(person.phone)).toBe(idOf("old"));
  expect(reasonOf(await done.client.post("/auth/login", { ...person }))).toEqual([401, "login_refused"]);
  await logIn(rotated, person);
  expect(await pepperOf(person.phone)).toBe(idOf("new"));
  for (const server of [rotated, prepared, rotated, done]) await logIn(server, person);
  for (const server of [prepared, rotated, done])
    expect(reasonOf(await server.client.post("/auth/login", { ...person, password: "a wrong one" }))).toEqual([
      401,
      "login_refused",
    ]);
});

test("a password of an import moves, too", async ({ imported, servers: { rotated, done }, pepperOf, idOf }) => {
  const person = { phone: imported, password: goodPassword };
  expect(reasonOf(await done.client.post("/auth/login", person))).toEqual([401, "login_refused"]);
  await logIn(rotated, person);
  expect(await pepperOf(imported)).toBe(idOf("new"));
  await logIn(done, person);
});

test("a login with a password of a dropped pepper is answered as one to a phone without an account", async ({
  service,
  servers: { done },
}) => {
  const person = await signUp(service);
  const refused = await done.client.post("/auth/login", { ...person });
  const unknown = await done.client.post("/auth/login", { phone: newPhone(), password: person.password });
  expect([refused.status, refused.body.error]).toEqual([unknown.status, unknown.body.error]);
});

test("codes on their way count at every server that has their pepper", async ({ service, servers }) => {
  const { prepared, rotated, done } = servers;
  for (const server of [prepared, rotated]) {
    const phone = newPhone();
    const password = goodPassword;
    await service.client.post("/auth/register", { phone, password });
    const [, otp] = await Promise.all([service.client.sendOtp(phone), service.gateway.nextCode(phone)]);
    expect((await done.client.post("/auth/register/verify", { phone, otp })).code).toBe("INVALID_OTP");
    expect((await server.client.post("/auth/register/verify", { phone, otp })).status).toBe(200);
    await logIn(server, { phone, password });
  }
});

test("a reset during the rotation is under the server's current pepper", async ({
  service,
  servers,
  pepperOf,
  idOf,
}) => {
  const { phone } = await signUp(service);
  const otp = await requestPasswordReset(service, phone);
  const newPassword = "another battery horse";
  const { status } = await servers.rotated.client.post("/auth/reset-password/verify", { phone, otp, newPassword });
  expect(status).toBe(200);
  expect(await pepperOf(phone)).toBe(idOf("new"));
  await logIn(servers.done, { phone, password: newPassword });
});

test("an app's secret and a recovery code work during the rotation; the secret moves when its code is used", async ({
  service,
  database,
  servers: { rotated, done },
  idOf,
}) => {
  const person = await enrol(service, await signUp(service));
  const answer = async ({ client }: RunningServer, body: object) =>
    client.post("/auth/login/factor", { challenge_id: await logInFirst({ client }, person), ...body });
  const factor = async () =>
    (
      await database.query<{ pepper_id: string }>(`select pepper_id from "user".factor where id = $1`, [
        person.factorId,
      ])
    )[0]?.pepper_id;
  const [first = "", second = ""] = person.recoveryCodes;
  expect((await answer(rotated, { recovery_code: first })).status).toBe(200);
  expect(await factor()).toBe(idOf("old"));
  expect((await answer(done, { recovery_code: second })).code).toBe("INVALID_OTP");
  expect((await answer(rotated, { code: totp(person.secret) })).status).toBe(200);
  expect(await factor()).toBe(idOf("new"));
  await database.query(`update "user".factor set last_step = null where id = $1`, [person.factorId]);
  expect((await answer(done, { code: totp(person.secret) })).status).toBe(200);
});

test("npm run pepper -- status says what is left, and when the previous pepper may be dropped", async ({
  service,
  database,
  servers: _,
  old,
  idOf,
  status,
}) => {
  const person = await enrol(service, await signUp(service));
  const during = await status(`${next},${old}`);
  const [titles = "", passwords = ""] = during.split("\n");
  expect(titles.trim().split(/ {2,}/)).toEqual([`current ${idOf("new")}`, `previous ${idOf("old")}`]);
  expect(passwords).toMatch(/^passwords +\d+ +[1-9]\d*$/);
  expect(during).toMatch(/If you drop it: \d+ passwords and \d+ imported ones are void/);
  await expect(status("not a pepper")).rejects.toMatchObject({
    stderr: expect.stringContaining("HASH_PEPPER: must be 32 bytes") as string,
  });
  expect(await status(old)).toContain(`HASH_PEPPER does not name the pepper of this database, ${idOf("new")}`);
  expect(await status(next)).toContain("under a pepper that HASH_PEPPER does not name is void");
  await database.query(`delete from "user".account where phone <> $1`, [person.phone]);
  await database.query("delete from private.pending_registration");
  await database.query("delete from private.recovery_code");
  await database.query("delete from platform.otp_transaction");
  const id = idOf("new");
  await database.query(`update "user".account set password_hash = left(password_hash, 61) || $1`, [id]);
  await database.query(`update "user".factor set pepper_id = $1 where pepper_id is not null`, [id]);
  expect(await status(`${next},${old}`)).toContain("Nothing is under the second pepper: drop it if it is the old one");
  expect(await status(next)).toContain("Everything is under the current pepper.");
});
