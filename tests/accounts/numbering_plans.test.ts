import { expect } from "vitest";
import { bearer } from "../../testing/service/rest_client.ts";
import { test } from "../../testing/fixtures.ts";
import { recipe } from "../../testing/postgres/installation.ts";
import { raceBehindLock } from "../../testing/postgres/lock_race.ts";
import { runRecipe } from "../../testing/documents/run_recipe.ts";
import { importUsers } from "../../testing/service/import_users.ts";
import { numberingChanges, presentNumbers } from "../../testing/service/numbering_changes.ts";
import { clearRateLimits, goodPassword, logIn, requestPasswordReset, signUp } from "../../testing/service/people.ts";
import { normalizePhone } from "../../runtime/identifiers.ts";

test("the database and the server agree on what a number of a former plan is today", async ({ database }) => {
  const phones = [...numberingChanges.flat(), ...presentNumbers.filter((phone) => phone.startsWith("+"))];
  const rows = await database.query<{ phone: string; current: string }>(
    "select p.phone, private.current_number(p.phone) as current from unnest($1::text[]) p (phone)",
    [phones],
  );
  const known = rows.filter(({ phone }) => normalizePhone(phone) !== undefined);
  expect(known.map(({ phone }) => normalizePhone(phone))).toEqual(known.map(({ current }) => current));
  expect(known.length).toBeGreaterThan(2 * numberingChanges.length);
});

test.for([
  ["+22997123456", "+2290197123456"],
  ["+24106123456", "+24166123456"],
  ["+5215512345678", "+525512345678"],
  ["+551187654321", "+5511987654321"],
  ["+22507051811", "+2250707051811"],
] as const)(
  "an account with the former number %s has one identifier, whichever form is typed or was stored",
  async ([former, current], { service, database }) => {
    const { client } = service;
    const person = await signUp(service, current);
    const find = () =>
      database.query<{ id: string; phone: string }>(`select id, phone from "user".account where phone in ($1, $2)`, [
        former,
        current,
      ]);
    const accounts = await find();
    expect(accounts).toMatchObject([{ phone: current }]);
    // As a version stored it that did not know of the change yet.
    await database.query(`update "user".account set phone = $1 where phone = $2`, [former, current]);
    await database.query("select from private.renumber()");
    expect(await find()).toEqual(accounts);

    for (const phone of [former, current]) await logIn(service, { ...person, phone });
    await clearRateLimits(service, current);
    expect((await client.post("/auth/reset-password", { phone: former })).status).toBe(200);
    const otp = await service.gateway.nextCode(current);
    await clearRateLimits(service, current);
    const newPassword = "another horse battery";
    const reset = async (phone: string) => client.post("/auth/reset-password/verify", { phone, otp, newPassword });
    await expect.poll(async () => (await reset(former)).status).toBe(200);
    await logIn(service, { phone: former, password: newPassword });

    const line = { phone: former, email: "ada@example.com" };
    await expect(importUsers(database, [line])).rejects.toThrow("another account");
    expect(await find()).toEqual(accounts);
  },
);

test("a number that is registered while accounts are renumbered keeps its account, and the other one is named", async ({
  database,
}) => {
  const [former, current] = ["+22995550199", "+2290195550199"];
  const insert = (phone: string) =>
    `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '${phone}', now())`;
  await database.query(insert(former));
  const rows = await raceBehindLock(database, { text: insert(current), values: [] }, 1, () =>
    database.query("select account_id, holder_id from private.renumber()"),
  );
  const accounts = `select (select id from "user".account where phone = $1) as account_id,
                           (select id from "user".account where phone = $2) as holder_id`;
  expect(rows).toEqual(await database.query(accounts, [former, current]));
  await database.query(`delete from "user".account where phone in ($1, $2)`, [former, current]);
});

test("the phone of an account is never refused, although no numbering plan has it any more", async ({
  service,
  database,
}) => {
  const { client, gateway } = service;
  const person = await signUp(service);
  const phone = "+10005550199";
  await database.query(`update "user".account set phone = $1 where phone = $2`, [phone, person.phone]);
  await logIn(service, { phone, password: goodPassword });
  await clearRateLimits(service, phone);
  const [sent, otp] = await Promise.all([client.sendOtp(phone, "LOGIN"), gateway.nextCode(phone)]);
  expect(sent.status).toBe(200);
  expect((await client.post("/auth/login/otp", { phone, otp })).status).toBe(200);
  await clearRateLimits(service, phone);
  const code = await requestPasswordReset(service, phone);
  const verified = await client.post("/auth/reset-password/verify", {
    phone,
    otp: code,
    newPassword: "another horse battery",
  });
  expect(verified.status).toBe(200);
});

test("an invalid number without an account gets no first code, no registration and no account's place", async ({
  service,
  database,
}) => {
  const { client } = service;
  const phone = "+10005550198";
  const refused = { code: "INVALID_IDENTIFIER", status: 400 };
  expect(await client.sendOtp(phone)).toMatchObject(refused);
  expect(await client.post("/auth/register", { phone, password: goodPassword })).toMatchObject(refused);
  const { access_token } = await logIn(service, await signUp(service));
  const change = { newPhone: phone, password: goodPassword };
  expect(await client.post("/auth/phone", change, { authorization: `Bearer ${access_token}` })).toMatchObject(refused);
  // No account shows in the answer to a reset.
  expect((await client.post("/auth/reset-password", { phone })).status).toBe(200);
  expect(
    await database.query("select from platform.otp_transaction where identifier = $1 and purpose <> 'PASSWORD_RESET'", [
      phone,
    ]),
  ).toEqual([]);
});

test("an import keeps the phone of a user, although no numbering plan has it any more", async ({ database }) => {
  expect(await importUsers(database, [{ phone: "+10005550197" }])).toMatchObject({ imported: 1 });
});

test.for([
  ["behind two prefixes", "+55 00 15 11 98765 4321"],
  ["longer than E.164 allows", `+49 1${"0".repeat(14)}`],
] as const)("a number %s is refused by every route that sends a code", async ([, phone], { service }) => {
  const { client } = service;
  const own = bearer((await logIn(service, await signUp(service))).access_token);
  const refused = { code: "INVALID_IDENTIFIER", status: 400 };
  for (const purpose of ["LOGIN", "SIGNUP", "PASSWORD_RESET"])
    expect(await client.sendOtp(phone, purpose)).toMatchObject(refused);
  for (const path of ["/auth/register", "/auth/reset-password", "/auth/login"])
    expect(await client.post(path, { phone, password: goodPassword })).toMatchObject(refused);
  expect(await client.post("/auth/phone", { newPhone: phone, password: goodPassword }, own)).toMatchObject(refused);
});

test("the recipe for phones that no client can type shows such phones, and no other", async ({ service, database }) => {
  const person = await signUp(service);
  const double = "+4407400123499";
  await database.query(
    `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), $1, now())`,
    [double],
  );
  const shown = (await runRecipe(recipe("repair", "Numbering plans"), { DATABASE_URL: database.superuserUrl })).split(
    "\n",
  );
  expect(shown).toContain(double);
  expect(shown).not.toContain(person.phone);
  await database.query(`delete from "user".account where phone = $1`, [double]);
});
