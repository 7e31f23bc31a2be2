import { readFileSync } from "node:fs";
import { expect, inject } from "vitest";
import { test } from "../../testing/fixtures.ts";
import { importUsers } from "../../testing/import_users.ts";
import { goodPassword } from "../../testing/people.ts";

// Numbers and addresses that no other test has: all of them share PostgreSQL's log.
const taken = "+12027746001";
const [other, third] = ["+12027746002", "+12027746003"];
const malformed = "+1202774600x";
const email = "log-reader@ada.example";
const wrongEmail = "log-reader is no address";

test("no refusal writes a phone or an email to PostgreSQL's log", async ({ service, database }) => {
  const { client, gateway } = service;
  const register = (phone: string) => client.post("/auth/register", { phone, password: goodPassword, email });
  await Promise.all([register(taken), register(taken)]);
  const [, otp] = await Promise.all([client.sendOtp(taken), gateway.nextCode(taken)]);
  const verify = () => client.post("/auth/register/verify", { phone: taken, otp });
  await Promise.all([verify(), verify()]);
  await Promise.all([register(taken), register(taken)]);
  await importUsers(database, [{ phone: other, email }]);
  await expect(importUsers(database, [{ phone: taken, email }])).rejects.toThrow("another account");
  await expect(importUsers(database, [{ phone: malformed }])).rejects.toThrow("not a valid number");
  await database.query(
    `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), null, now())`,
  );

  // Past the programs, which check first: by SQL, with parameters.
  const importUser = `select private.import_users(array[row($1, $2, null, null, null, '\\x01', null, null)::private.imported_user], 4)`;
  const registerBy = `select api.register($1, $2, $3, 20, false, '192.0.2.1')`;
  const asAdmin = `with r as materialized (select set_config('role', 'latchkey_admin', true))`;
  for (const [statement, values] of [
    [importUser, [malformed, null]],
    [importUser, [third, wrongEmail]],
    [registerBy, [malformed, null, Buffer.alloc(32).toString("base64")]],
    [`${asAdmin} select "user".create_account($1, null) from r`, [malformed]],
    [`${asAdmin} select "user".create_account($1, null) from r`, [taken]],
    [`${asAdmin} select "user".create_account($1, $2) from r`, [third, wrongEmail]],
  ] as const)
    await expect(database.query(statement, [...values]), `${statement} ${values.join()}`).rejects.toThrow();

  await expect(database.query("select 'the log is read'::integer")).rejects.toThrow();
  const log = readFileSync(inject("cluster").log, "utf8");
  expect(log).toContain("the log is read");
  const found = [taken, other, third, malformed, email, wrongEmail].flatMap((secret) =>
    log.split("\n").filter((line) => line.includes(secret)),
  );
  expect(found).toEqual([]);
});
