import { expect } from "vitest";
import { goodPassword } from "../../testing/service/people.ts";
import { bearer } from "../../testing/service/rest_client.ts";
import { newEmail, test } from "../fixtures/email_fixtures.ts";

test.beforeEach(({ database, mailbox }) => {
  expect(mailbox).toBeDefined();
  return database.query("delete from platform.rate_limit");
});

test("a user verifies an email, changes it and removes it; the phone and the earlier email are told", async ({
  client,
  gateway,
  mailbox,
  newUser,
  emailCode,
  verifyEmail,
}) => {
  const user = await newUser();
  const first = await verifyEmail(user);
  expect((await gateway.next(user.phone)).body).toMatch(
    /^The email address of your account was added, changed or removed/,
  );
  const second = newEmail();
  // In another spelling: what is stored is trimmed and lower-cased.
  const body = { newEmail: ` ${second.toUpperCase()} `, otp: await emailCode(user, second) };
  const changed = await client.post("/auth/email/verify", body, bearer(user.access_token));
  expect(changed).toMatchObject({ status: 200, body: { meta: { message: "Email verified." } } });
  expect(await mailbox.next(first)).toMatch(/^The email address of your account was added, changed or removed/);
  await gateway.next(user.phone);
  const me = () => client.get("/auth/session", bearer(user.access_token));
  expect((await me()).body.data).toMatchObject({ email: second });
  expect((await client.refresh(user.refresh_token)).status, "no session ends").toBe(200);

  const remove = (password: string) => client.delete("/auth/email", { password }, bearer(user.access_token));
  expect((await remove("a wrong one")).status).toBe(401);
  expect((await remove(goodPassword)).status).toBe(200);
  expect(await mailbox.next(second)).toMatch(/changed or removed/);
  await gateway.next(user.phone);
  expect((await me()).body.data).toMatchObject({ email: null });
});

test("only the holder of its code learns that another account has verified an email", async ({
  client,
  gateway,
  newUser,
  emailCode,
  verifyEmail,
}) => {
  const [owner, other] = [await newUser(), await newUser()];
  const email = await verifyEmail(owner);
  const otp = await emailCode(other, email);
  const verify = (code: string, newEmail = email) =>
    client.post("/auth/email/verify", { newEmail, otp: code }, bearer(other.access_token));
  const wrongCode = gateway.unsentCode();
  const [taken, free] = [await verify(wrongCode), await verify(wrongCode, newEmail())];
  expect([taken.code, taken.body.error?.details]).toEqual([free.code, free.body.error?.details]);
  expect(await verify(otp)).toMatchObject({
    status: 409,
    body: { error: { details: { reason: "already_registered" } } },
  });
  expect((await client.get("/auth/session", bearer(owner.access_token))).body.data).toMatchObject({ email });
});

test("ten minutes after signing in the password is needed", async ({ client, database, mailbox, newUser }) => {
  const user = await newUser();
  const email = newEmail();
  const ask = () => client.post("/auth/email", { newEmail: email }, bearer(user.access_token));
  expect((await ask()).status).toBe(200);
  await mailbox.nextCode(email);
  await database.query(`update "user".session set authenticated_at = now() - interval '10 minutes' where id = $1`, [
    user.session_id,
  ]);
  expect(await ask()).toMatchObject({
    status: 403,
    body: { error: { details: { reason: "recent_sign_in_required" } } },
  });
  expect((await client.delete("/auth/email", {}, bearer(user.access_token))).status).toBe(403);
});

test("while EMAIL_DELIVERY is off, the routes of email answer 404 not_enabled", async ({
  service,
  client,
  newUser,
}) => {
  const user = await newUser();
  await service.set("EMAIL_DELIVERY", "off");
  const headers = bearer(user.access_token);
  const answers = [
    await client.post("/auth/email", { newEmail: newEmail(), password: goodPassword }, headers),
    await client.post("/auth/email/verify", { newEmail: newEmail(), otp: "123456" }, headers),
    await client.delete("/auth/email", { password: goodPassword }, headers),
  ];
  await service.set("EMAIL_DELIVERY", "on");
  for (const answer of answers)
    expect(answer).toMatchObject({ status: 404, body: { error: { details: { reason: "not_enabled" } } } });
});
