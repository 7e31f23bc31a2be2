import { expect } from "vitest";
import type { Ask } from "../../../testing/graphql/graphql_client.ts";
import { documentBlocks } from "../../../testing/documents/document_blocks.ts";
import { eventually } from "../../../testing/eventually.ts";
import {
  clearRateLimits,
  goodPassword,
  logIn,
  newPhone,
  requestPasswordReset,
  signUp,
} from "../../../testing/service/people.ts";
import { follow, sessionsQuery, test } from "../fixtures/live_fixtures.ts";

const fields = "id phone email disabled_at disabled_reason deletion_due_at";

const idOf = async (admin: Ask, phone: string): Promise<string> => {
  const { data } = await admin("query ($phone: String) { user_account(where: { phone: { _eq: $phone } }) { id } }", {
    phone,
  });
  return (data?.user_account as { id: string }[])[0]!.id;
};
test("a disabled account's socket is closed, and nobody signs in to it until it is enabled", async ({
  service,
  client,
  admin,
  connectAs,
}) => {
  const person = await signUp(service);
  const tokens = await logIn(service, person);
  const { socket, closed } = connectAs(tokens);
  const results = follow(socket, sessionsQuery);
  await eventually("it is open", () => results.length === 1);
  const id = await idOf(admin, person.phone);
  const { data } = await admin(`mutation ($id: uuid!) { disable_account(id: $id, reason: "spam") { ${fields} } }`, {
    id,
  });
  expect(data?.disable_account).toMatchObject({
    id,
    disabled_reason: "spam",
    deletion_due_at: null,
    disabled_at: expect.any(String) as unknown,
  });
  // The token lives for an hour, so nothing but the notification closes the socket.
  expect((await closed).code).toBe(4401);
  expect((await client.refresh(tokens.refresh_token)).code).toBe("SESSION_REVOKED");
  expect((await client.post("/auth/login", person)).status).toBe(401);

  const enabled = await admin(`mutation ($id: uuid!) { enable_account(id: $id) { ${fields} } }`, { id });
  expect(enabled.data?.enable_account).toMatchObject({ disabled_at: null, disabled_reason: null });
  expect((await client.post("/auth/login", person)).status).toBe(200);
});

test("the document's mutation disables an account", async ({ service, admin }) => {
  const [mutation = ""] = documentBlocks("docs/repair.md", "Accounts", "graphql");
  const id = await idOf(admin, (await signUp(service)).phone);
  expect((await admin(mutation, { id })).data).toEqual({
    disable_account: { disabled_at: expect.any(String) as unknown },
  });
});

test("an account is not disabled without a reason", async ({ service, admin }) => {
  const id = await idOf(admin, (await signUp(service)).phone);
  const answer = await admin(`mutation ($id: uuid!) { disable_account(id: $id, reason: " ") { disabled_at } }`, { id });
  expect(answer).toMatchObject({
    code: "constraint-violation",
    message: "an account is disabled with a reason, which other admins see",
  });
});

test("an account that the admin creates has no password until its holder sets one by a reset", async ({
  service,
  client,
  admin,
}) => {
  const phone = newPhone();
  const create = (variables: Record<string, unknown>) =>
    admin(
      `mutation ($phone: String!, $email: String) { create_account(phone: $phone, email: $email) { phone email } }`,
      variables,
    );
  expect((await create({ phone, email: "Ada@Example.com" })).data).toEqual({
    create_account: { phone, email: "ada@example.com" },
  });
  expect((await client.post("/auth/login", { phone, password: goodPassword })).status).toBe(401);
  const otp = await requestPasswordReset(service, phone);
  await client.post("/auth/reset-password/verify", { phone, otp, newPassword: goodPassword });
  expect((await client.post("/auth/login", { phone, password: goodPassword })).status).toBe(200);

  expect(await create({ phone })).toMatchObject({ code: "constraint-violation" });
  expect(await create({ phone: "12125550100" })).toMatchObject({ code: "constraint-violation" });
  expect((await create({ phone: newPhone() })).data?.create_account).toMatchObject({ email: null });
});

test("an erased account is gone, and its phone can register again", async ({ service, client, admin }) => {
  const person = await signUp(service);
  const { refresh_token } = await logIn(service, person);
  const id = await idOf(admin, person.phone);
  const erase = () => admin("mutation ($id: uuid!) { erase_account(id: $id) { phone } }", { id });
  expect((await erase()).data).toEqual({ erase_account: { phone: person.phone } });
  expect((await erase()).data).toEqual({ erase_account: null });
  expect((await client.refresh(refresh_token)).code).toBe("SESSION_NOT_FOUND");
  await clearRateLimits(service, person.phone);
  await signUp(service, person.phone);
});

test("revoke_sessions_of revokes every session of one account", async ({ service, client, admin, alice }) => {
  const person = await signUp(service);
  const [one, two, other] = [await logIn(service, person), await logIn(service, person), await logIn(service, alice)];
  const { data } = await admin("mutation ($id: uuid!) { revoke_sessions_of(user_id: $id) { id revoked_at } }", {
    id: await idOf(admin, person.phone),
  });
  const revoked = data?.revoke_sessions_of as { id: string }[];
  expect(revoked.map(({ id }) => id)).toEqual(expect.arrayContaining([one.session_id, two.session_id]));
  for (const { refresh_token } of [one, two])
    expect((await client.refresh(refresh_token)).code).toBe("SESSION_REVOKED");
  expect((await client.refresh(other.refresh_token)).status).toBe(200);
});

test("users and guests have no action and no column of the admin's", async ({
  service,
  guest,
  askAs,
  alice,
  admin,
}) => {
  const user = askAs(await logIn(service, alice));
  const id = await idOf(admin, alice.phone);
  for (const ask of [guest, user]) {
    for (const action of [
      `create_account(phone: "+12125550999") { id }`,
      `disable_account(id: "${id}", reason: "spam") { id }`,
      `enable_account(id: "${id}") { id }`,
      `erase_account(id: "${id}") { id }`,
      `revoke_sessions_of(user_id: "${id}") { id }`,
    ])
      expect((await ask(`mutation { ${action} }`)).code).toBe("validation-failed");
    for (const column of ["disabled_at", "disabled_reason", "deletion_due_at"])
      expect((await ask(`{ user_account { ${column} } }`)).code).toBe("validation-failed");
  }
});

test("the admin opens no session of an account that is disabled", async ({ service, admin }) => {
  const person = await signUp(service);
  const id = await idOf(admin, person.phone);
  await admin(`mutation ($id: uuid!) { disable_account(id: $id, reason: "spam") { id } }`, { id });
  const answer = await admin("mutation ($id: uuid!) { insert_user_session_one(object: { user_id: $id }) { id } }", {
    id,
  });
  expect(answer).toMatchObject({
    code: "constraint-violation",
    message: "the account is disabled, or is to be deleted",
  });
});
