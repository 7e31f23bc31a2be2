import pg from "pg";
import { expect } from "vitest";
import { blockedConnections } from "../../testing/postgres/lock_race.ts";
import { owner, stranger, test } from "../fixtures/registration_fixtures.ts";
import { newPhone } from "../../testing/service/people.ts";

test("a stranger who registers while the owner verifies cannot set a password", async ({
  register,
  logsIn,
  verify,
}) => {
  const phone = newPhone();
  await register(phone, owner);
  const [verified] = await Promise.all([verify(phone), ...Array.from({ length: 4 }, () => register(phone, stranger))]);
  expect(verified.status).toBe(200);
  expect(await logsIn(phone, stranger)).toBe(false);
});

test("both at once for the first time leave no password", async ({ register, logsIn, verify }) => {
  const phone = newPhone();
  await Promise.all([register(phone, owner), register(phone, stranger)]);
  await verify(phone);
  expect(await logsIn(phone, stranger)).toBe(false);
});

test("20 registrations of one phone at once, with one password, leave one account that works", async ({
  register,
  logsIn,
  verify,
}) => {
  const phone = newPhone();
  const answers = await Promise.all(Array.from({ length: 20 }, () => register(phone, owner)));
  expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(1);
  expect((await verify(phone)).status).toBe(200);
  expect(await logsIn(phone, owner)).toBe(true);
});

test("registrations of one phone are stored one after another, so that each sees the others", async ({
  database,
  register,
  logsIn,
  verify,
}) => {
  const phone = newPhone();
  const call = (password: string) => ({
    text: "select (error).code from api.register($1, null, encode(sha256($2), 'base64'), 8, false, '10.0.0.9')",
    values: [phone, password],
  });
  // A registration that is stored but not committed, as by another process at the same moment.
  const other = new pg.Client({ connectionString: database.superuserUrl });
  await other.connect();
  await other.query("begin");
  await other.query(call(owner.password));
  const registering = register(phone, stranger);
  await blockedConnections(database, 1);
  await other.query("commit");
  await other.end();
  await registering;
  expect((await verify(phone)).status).toBe(200);
  expect(await logsIn(phone, stranger)).toBe(false);
});
