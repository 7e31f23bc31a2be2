import { expect } from "vitest";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";
import { eventually } from "../../testing/eventually.ts";
import { test as baseTest } from "../../testing/graphql/graphql_fixtures.ts";
import { goodPassword, newPhone, requestPasswordReset, signUp } from "../../testing/service/people.ts";
import type { TestDatabase } from "../../testing/postgres/test_database.ts";

// The worker sends the codes.
const test = baseTest.extend("serviceOptions", { scope: "file" }, () => ({}));

const [earlierPhone, phone, askedPhone, takenPhone] = [newPhone(), newPhone(), newPhone(), newPhone()];
const [earlierEmail, email] = ["ada.byron@example.com", "ada.lovelace@example.com"];
const [earlierAddress, address] = ["198.51.100.76", "198.51.100.77"];
const phones = [earlierPhone, phone, askedPhone];
const person = [...phones, earlierEmail, email, earlierAddress, address, "a browser of Ada's", "Ada's phone"];

/** Returns the texts that occur in any row of any table. */
async function found(database: TestDatabase, texts: string[]): Promise<string[]> {
  const tables = await database.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'm') and n.nspname not in ('pg_catalog', 'information_schema')`,
  );
  expect(tables.map(({ name }) => name)).toContain("graphile_worker._private_jobs");
  const holders = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await database.query<{ row: string }>(`select t::text as row from ${name} t`);
      return texts.filter((text) => rows.some(({ row }) => row.includes(text))).map((text) => `${name}: ${text}`);
    }),
  );
  return holders.flat();
}

const workerIsDone = (database: TestDatabase) =>
  eventually("the worker has finished", async () => {
    const rows = await database.query("select from platform.otp_transaction where delivery in ('queued', 'sending')");
    return rows.length === 0;
  });

const cleanUp = (database: TestDatabase) =>
  database.query(
    `do $$ declare p delivery.clean_up_progress;
     begin
       loop p := delivery.clean_up(p.step, p.page); exit when p.step is null; end loop;
       while delivery.erase_due_account(0) loop null; end loop;
     end $$`,
  );

test("an erased account leaves no phone, email, address, user agent or label in any table", async ({
  service,
  client,
  gateway,
  admin,
  database,
}) => {
  // A life: a guest who registers, errs, changes the phone, gets another email, and long after that, elsewhere, logs
  // in, resets, requests codes and deletes the account.
  let from = { "x-forwarded-for": earlierAddress, "user-agent": "a browser of Ada's" };
  await signUp(service, takenPhone);
  const guest = tokensOf(await client.post("/auth/session/guest", undefined, from));
  await client.post("/auth/register", { phone: earlierPhone, email: earlierEmail, password: goodPassword }, from);
  const code = async (to: string, purpose: string) => {
    const [, otp] = await Promise.all([client.sendOtp(to, purpose, from), gateway.nextCode(to)]);
    return otp;
  };
  await client.post(
    "/auth/register/verify",
    { phone: earlierPhone, otp: await code(earlierPhone, "SIGNUP"), label: "Ada's phone" },
    { ...from, ...bearer(guest.access_token) },
  );
  const earlier = tokensOf(await client.post("/auth/login", { phone: earlierPhone, password: goodPassword }, from));
  await client.post(
    "/auth/reset-password/verify",
    { phone: earlierPhone, otp: "000000", newPassword: goodPassword },
    from,
  );
  const codeForChange = async (newPhone: string) => {
    const [, otp] = await Promise.all([
      client.post("/auth/phone", { newPhone, password: goodPassword }, { ...from, ...bearer(earlier.access_token) }),
      gateway.nextCode(newPhone),
    ]);
    return otp;
  };
  await codeForChange(takenPhone);
  await codeForChange(askedPhone);
  expect(
    await client.post(
      "/auth/phone/verify",
      { newPhone: phone, otp: await codeForChange(phone) },
      { ...from, ...bearer(earlier.access_token) },
    ),
  ).toMatchObject({ status: 200 });
  const requestEmailCode = (identifier: string) =>
    client.post("/otp/send", { input: { identifier, identifierType: "EMAIL", purpose: "LOGIN" } }, from);
  await requestEmailCode(earlierEmail);
  await workerIsDone(database);
  expect(await found(database, [earlierEmail])).toContain(`platform.otp_transaction: ${earlierEmail}`);
  const { data } = await admin(
    "mutation ($phone: String!, $email: String!) { update_user_account(where: { phone: { _eq: $phone } }, _set: { email: $email }) { affected_rows } }",
    { phone, email },
  );
  expect(data).toEqual({ update_user_account: { affected_rows: 1 } });
  expect(await found(database, [earlierEmail])).toEqual([]);

  // Forty days later nothing leads from the account to the address of that time: so no row may hold it that outlives
  // the account.
  await database.query(`
    update platform.otp_transaction set created_at = created_at - interval '40 days';
    update platform.send_decision set at = at - interval '40 days';
    update private.send_count set starts_at = starts_at - interval '40 days';
    update private.known_client set logged_in_at = logged_in_at - interval '40 days';
    update platform.rate_limit set hits = array(select h - interval '40 days' from unnest(hits) h) where strpos(key, '${earlierAddress}') > 0;
    delete from "user".session`);
  await cleanUp(database);
  const kept = await found(database, [...phones, takenPhone, earlierAddress]);
  expect(kept).toEqual(
    expect.arrayContaining([
      ...["platform.rate_limit", "private.verification_state", "private.earlier_phone"].map(
        (table) => `${table}: ${earlierPhone}`,
      ),
      ...["platform.rate_limit", "private.earlier_phone"].map((table) => `${table}: ${askedPhone}`),
    ]),
  );
  // Events lose their addresses with the account, however old they are.
  expect(kept.filter((line) => line.includes(earlierAddress) && !/\bevent/.test(line))).toEqual([]);
  expect(await database.query("select from platform.otp_transaction")).toEqual([]);
  expect(await database.query("select from platform.send_decision")).not.toEqual([]);
  from = { ...from, "x-forwarded-for": address };

  await client.post("/auth/login", { phone, password: "a wrong one" }, from);
  await client.post("/auth/reset-password/verify", { phone, otp: "000000", newPassword: goodPassword }, from);
  const { access_token } = tokensOf(await client.post("/auth/login", { phone, password: goodPassword }, from));
  await client.get("/auth/account/export", { ...from, ...bearer(access_token) });
  await requestPasswordReset(service, phone, from);
  await requestEmailCode(email);
  const otp = await code(phone, "LOGIN");
  expect((await client.delete("/auth/account", { otp }, { ...from, ...bearer(access_token) })).status).toBe(200);
  await workerIsDone(database);
  const before = await found(database, person);
  for (const table of [
    "platform.otp_transaction",
    "platform.rate_limit",
    "platform.send_decision",
    "private.send_count",
    "private.known_client",
    "private.verification_state",
    "private.guess_count",
    '"user".session',
  ])
    expect(
      before.filter((line) => line.startsWith(table)),
      table,
    ).not.toEqual([]);

  // Another person, whose rows stay.
  const other = newPhone();
  await client.post("/auth/register", { phone: other, password: goodPassword });
  await Promise.all([client.sendOtp(other), gateway.nextCode(other)]);

  // The grace ends, and with it the windows of the limits that count the address alone.
  // For a day the codes that were just sent delay the erasure, so that it frees no place of a phone's limit of sends.
  await database.query(`update "user".account set deletion_due_at = now() where phone = $1`, [phone]);
  await cleanUp(database);
  expect(await found(database, [phone])).toContain(`"user".account: ${phone}`);
  await database.query(`update "user".account set deletion_due_at = now() - interval '1 day' where phone = $1`, [
    phone,
  ]);
  await database.query(
    `update platform.rate_limit set hits = array(select h - interval '1 day' from unnest(hits) h)
     where not exists (select from unnest($1::text[]) p where strpos(key, p) > 0)`,
    [phones],
  );
  await cleanUp(database);
  expect(await found(database, person)).toEqual([]);
  for (const stays of [other, takenPhone]) expect(await found(database, [stays]), stays).not.toEqual([]);
});

test("limits that count an address stay in force after the account is erased", async ({
  client,
  gateway,
  database,
}) => {
  const [own, client_] = [newPhone(), "198.51.100.78"];
  await client.post("/auth/register", { phone: own, password: goodPassword }, { "x-forwarded-for": client_ });
  const [, otp] = await Promise.all([
    client.sendOtp(own, "SIGNUP", { "x-forwarded-for": client_ }),
    gateway.nextCode(own),
  ]);
  await client.post("/auth/register/verify", { phone: own, otp }, { "x-forwarded-for": client_ });
  await database.query(`select private.erase_account(id) from "user".account where phone = $1`, [own]);
  const rows = await database.query<{ key: string }>("select key from platform.rate_limit where strpos(key, $1) > 0", [
    client_,
  ]);
  expect(rows.map(({ key }) => key)).toContain(`OTP_SEND_PER_IP:${client_}`);
});
