import { expect } from "vitest";
import { goodPassword, newPhone, signUp } from "../../testing/service/people.ts";
import type { Answer } from "../../testing/service/rest_client.ts";
import { visiblePartsBut } from "../../testing/service/visible_parts.ts";
import { test as baseTest } from "../../testing/graphql/graphql_fixtures.ts";

const test = baseTest
  // signUp needs a worker.
  .extend("serviceOptions", { scope: "file" }, () => ({}))
  .extend(
    "invite",
    ({ admin }) =>
      (variables: { phone: string; email?: string; until?: string; send?: boolean }) =>
        admin(
          `mutation ($phone: String!, $email: String, $until: timestamptz, $send: Boolean) {
             invite(phone: $phone, email: $email, valid_until: $until, send: $send) { phone email valid_until }
           }`,
          variables,
        ),
  );

const visible = visiblePartsBut("retryAfterSeconds");

test.afterEach(({ service }) => service.set("REGISTRATION", "open"));

test("whether a phone is invited shows to nobody who does not hold it", async ({
  service,
  client,
  gateway,
  database,
  invite,
}) => {
  const person = await signUp(service);
  const [invited, stranger] = [newPhone(), newPhone()];
  await service.set("REGISTRATION", "invited");
  await invite({ phone: invited });
  const script = [
    (phone: string) => client.post("/auth/register", { phone, password: goodPassword }),
    (phone: string) => client.sendOtp(phone, "SIGNUP"),
    (phone: string) => client.post("/auth/register/verify", { phone, otp: gateway.unsentCode() }),
    (phone: string) => client.sendOtp(phone, "LOGIN"),
    ...Array.from({ length: 6 }, () => (phone: string) => {
      return client.post("/auth/login/otp", { phone, otp: gateway.unsentCode() });
    }),
    // Guesses are forgotten with a new code, also where none is sent.
    (phone: string) => client.sendOtp(phone, "LOGIN"),
    (phone: string) =>
      client.post("/auth/login/otp", { phone, otp: gateway.unsentCode() }, { "x-forwarded-for": "10.9.9.9" }),
    (phone: string) => client.sendOtp(phone, "LOGIN"),
  ];
  const answersFor = async (phone: string) => {
    const answers: Answer[] = [];
    for (const step of script) answers.push(await step(phone));
    await database.query("delete from platform.rate_limit");
    return answers.map(visible);
  };
  const expected = await answersFor(invited);
  const statuses = [201, 200, 400, 200, ...Array<number>(5).fill(400), 429, 200, 400, 429];
  expect(expected.map(({ status }) => status)).toEqual(statuses);
  const before = gateway.received.length;
  expect(await answersFor(stranger)).toEqual(expected);
  expect(gateway.received.length).toBe(before);
  expect((await answersFor(person.phone)).map(({ status }) => status)).toEqual(statuses);
  const stored = await database.query("select distinct phone from private.pending_registration where phone = $1", [
    stranger,
  ]);
  expect(stored).toEqual([]);
});

test("an SMS that is not sent takes as long as the latest that was", async ({ service, client, gateway, database }) => {
  const phone = newPhone();
  await Promise.all([client.sendOtp(phone, "LOGIN"), gateway.nextCode(phone)]);
  await database.query(
    `update platform.otp_transaction set created_at = current_since - interval '1.5 seconds' where current_since is not null`,
  );
  await service.set("REGISTRATION", "invited");
  expect((await client.sendOtp(newPhone(), "LOGIN")).status).toBe(200);
  const answers = await database.query(
    `select extract(epoch from answer_at - created_at)::float as due_after, current_since > answer_at - interval '0.1 seconds' as was_due
     from platform.otp_transaction where delivery = 'withheld' order by id desc limit 1`,
  );
  expect(answers).toEqual([{ due_after: 1.5, was_due: true }]);
});

test("an invited phone registers, or signs up by code, with the invitation's email", async ({
  service,
  client,
  gateway,
  admin,
  invite,
}) => {
  await service.set("REGISTRATION", "invited");
  const [byPassword, byCode, withdrawn] = [newPhone(), newPhone(), newPhone()];
  for (const phone of [byPassword, byCode, withdrawn]) {
    const { data } = await invite({ phone, email: `A${phone.slice(1)}@Example.com`, send: phone === byCode });
    expect(data?.invite).toMatchObject({ phone, email: `a${phone.slice(1)}@example.com` });
  }
  expect((await gateway.next(byCode)).body).toContain("You are invited");
  await signUp(service, byPassword);
  const [, otp] = await Promise.all([client.sendOtp(byCode, "LOGIN"), gateway.nextCode(byCode)]);
  expect((await client.post("/auth/login/otp", { phone: byCode, otp })).body.data).toMatchObject({ created: true });
  const emails = await admin(
    `query ($phones: [String!]) { user_account(where: { phone: { _in: $phones } }, order_by: [{ created_at: asc }]) { email } }`,
    { phones: [byPassword, byCode] },
  );
  expect(emails.data?.user_account).toEqual(
    [byPassword, byCode].map((phone) => ({ email: `a${phone.slice(1)}@example.com` })),
  );

  const left = await admin(
    "query ($phones: [String!]) { user_invitation(where: { phone: { _in: $phones } }) { phone } }",
    { phones: [byPassword, byCode, withdrawn] },
  );
  expect(left.data?.user_invitation).toEqual([{ phone: withdrawn }]);
  const deleted = await admin("mutation ($phone: String!) { delete_user_invitation_by_pk(phone: $phone) { phone } }", {
    phone: withdrawn,
  });
  expect(deleted.data?.delete_user_invitation_by_pk).toEqual({ phone: withdrawn });
  const received = gateway.received.length;
  expect((await client.sendOtp(withdrawn, "LOGIN")).status).toBe(200);
  expect(gateway.received.length).toBe(received);
});

test("the admin is told why a phone is not invited", async ({ service, invite }) => {
  const { phone } = await signUp(service);
  expect(await invite({ phone })).toMatchObject({
    code: "constraint-violation",
    message: "the phone has an account already",
  });
  expect(await invite({ phone: "+1212555" })).toMatchObject({ code: "constraint-violation" });
  expect(await invite({ phone: newPhone(), until: "2020-01-01T00:00:00Z" })).toMatchObject({
    message: "valid_until must be in the future, and within a year",
  });
  await service.set("INVITATION_SENDS", "1/3600");
  await invite({ phone: newPhone(), send: true });
  expect((await invite({ phone: newPhone(), send: true })).message).toMatch(/^The limit INVITATION_SENDS is reached/);
});

test("closed, nobody registers, and an invited phone signs up by code alone", async ({
  service,
  client,
  gateway,
  invite,
}) => {
  await service.set("REGISTRATION", "closed");
  const phone = newPhone();
  await invite({ phone });
  const refused = { status: 404, code: "INVALID_REQUEST", body: { error: { details: { reason: "not_enabled" } } } };
  expect(await client.post("/auth/register", { phone, password: goodPassword })).toMatchObject(refused);
  expect(await client.sendOtp(phone, "SIGNUP")).toMatchObject(refused);
  const [, otp] = await Promise.all([client.sendOtp(phone, "LOGIN"), gateway.nextCode(phone)]);
  expect((await client.post("/auth/login/otp", { phone, otp })).body.data).toMatchObject({ created: true });
});
