import { expect } from "vitest";
import { newPhone, requestPasswordReset, signUp } from "../../testing/service/people.ts";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";
import { payloadOf, test } from "./fixtures/hook_fixtures.ts";

test("hook.before_register and hook.before_send refuse with their reason, whether or not the phone has an account", async ({
  service,
  client,
  gateway,
  hook,
  database,
}) => {
  const { phone } = await signUp(service);
  const other = newPhone();
  await hook("before_register(phone text, client text) returns text", `return 'no registration of ' || phone;`);
  await hook(
    "before_send(phone text, purpose text, client text) returns text",
    `return lower(purpose) || ' from ' || client;`,
  );
  const password = "correct horse battery";
  for (const each of [phone, other]) {
    const refused = (hookReason: string) => ({
      status: 400,
      code: "INVALID_REQUEST",
      body: { error: { details: { reason: "refused_by_hook", hookReason } } },
    });
    expect(await client.post("/auth/register", { phone: each, password })).toMatchObject(
      refused(`no registration of ${each}`),
    );
    expect(await client.sendOtp(each, "LOGIN")).toMatchObject(refused("login from 127.0.0.1"));
    expect(await client.post("/auth/reset-password", { phone: each })).toMatchObject(
      refused("password_reset from 127.0.0.1"),
    );
  }
  expect(await database.query("select from private.pending_registration where phone = $1", [other])).toEqual([]);
  await database.query("drop function hook.before_send");
  // What a hook refused is not counted against the phone.
  const [sent] = await Promise.all([client.sendOtp(other, "LOGIN"), gateway.next(other)]);
  expect(sent.status).toBe(200);
});

test("a code opens no account that hook.before_register refuses, and stays unused", async ({
  client,
  gateway,
  hook,
  database,
}) => {
  const phone = newPhone();
  const [, otp] = await Promise.all([client.sendOtp(phone, "LOGIN"), gateway.nextCode(phone)]);
  await hook("before_register(phone text, client text) returns text", `return 'closed';`);
  const refused = await client.post("/auth/login/otp", { phone, otp });
  expect(refused).toMatchObject({
    status: 400,
    body: { error: { details: { reason: "refused_by_hook", hookReason: "closed" } } },
  });
  await database.query("drop function hook.before_register");
  expect(await client.post("/auth/login/otp", { phone, otp })).toMatchObject({
    status: 200,
    body: { data: { created: true } },
  });
});

test("a cart moves in the transaction of the sign-in; the account's beginning and end are told", async ({
  client,
  gateway,
  hook,
  database,
}) => {
  await hook(
    "account_created(user_id uuid) returns void",
    `insert into public.call values ('account_created', array[user_id]);`,
  );
  await hook(
    "guest_promoted(guest_session_id uuid, user_id uuid) returns void",
    `update public.cart c set owner_id = user_id where c.owner_id = guest_session_id;
     insert into public.call values ('guest_promoted', array[guest_session_id, user_id]);`,
  );
  await hook(
    "account_erased(user_id uuid) returns void",
    `insert into public.call values ('account_erased', array[user_id]);`,
  );
  const guest = tokensOf(await client.post("/auth/session/guest"));
  await database.query("insert into public.cart values ($1, 'tea')", [guest.session_id]);
  const phone = newPhone();
  const [, otp] = await Promise.all([client.sendOtp(phone, "LOGIN"), gateway.nextCode(phone)]);
  const user = tokensOf(await client.post("/auth/login/otp", { phone, otp }, bearer(guest.access_token)));
  const userId = payloadOf(user.access_token).sub;
  expect(await database.query("select owner_id from public.cart")).toEqual([{ owner_id: userId }]);
  await database.query(`select private.erase_account($1)`, [userId]);
  expect(await database.query("select * from public.call")).toEqual([
    { hook: "account_created", ids: [userId], role: "latchkey_hook" },
    { hook: "guest_promoted", ids: [guest.session_id, userId], role: "latchkey_hook" },
    { hook: "account_erased", ids: [userId], role: "latchkey_hook" },
  ]);
});

test("a fault fails the request with 500 and its name in the log, and nothing happens", async ({
  client,
  gateway,
  hook,
  database,
  logLines,
}) => {
  const guest = tokensOf(await client.post("/auth/session/guest"));
  const phone = newPhone();
  const [, otp] = await Promise.all([client.sendOtp(phone, "LOGIN"), gateway.nextCode(phone)]);
  await hook("guest_promoted(guest_session_id uuid, user_id uuid) returns void", `raise exception 'the cart is lost';`);
  const signIn = () => client.post("/auth/login/otp", { phone, otp }, bearer(guest.access_token));
  const failed = await signIn();
  expect(failed).toMatchObject({ status: 500, code: "INTERNAL_ERROR", body: { error: { details: null } } });
  expect(JSON.stringify(failed.body)).not.toContain("cart");
  expect(
    logLines
      .map((line) => JSON.stringify(line))
      .filter((line) => line.includes("hook.guest_promoted failed: the cart is lost")),
  ).not.toEqual([]);
  expect(await database.query(`select from "user".account where phone = $1`, [phone])).toEqual([]);
  await database.query("drop function hook.guest_promoted");
  expect((await signIn()).status).toBe(200);
});

test("a reset that hook.before_send allows is sent", async ({ service, hook }) => {
  const { phone } = await signUp(service);
  await hook("before_send(phone text, purpose text, client text) returns text", "return null;");
  expect(await requestPasswordReset(service, phone)).toMatch(/^\d{6}$/);
});
