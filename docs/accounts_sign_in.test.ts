import { expect } from "vitest";
import { adminOf } from "../testing/graphql/graphql_client.ts";
import { bearer, tokensOf, type Answer } from "../testing/service/rest_client.ts";
import { documentBlocks } from "../testing/documents/document_blocks.ts";
import { eventually } from "../testing/eventually.ts";
import { test as baseTest } from "../testing/fixtures.ts";
import { goodPassword, logIn, newPhone, signUp } from "../testing/service/people.ts";
import { runRecipe } from "../testing/documents/run_recipe.ts";
import { isMissing } from "../testing/installed_programs.ts";

const document = "docs/accounts.md";
const [helper = ""] = documentBlocks(document, "Signing in", "sh");
const commandsOf = (heading: string) => documentBlocks(document, heading, "sh");

const test = baseTest.extend(
  "run",
  ({ service }) =>
    async (command: string, variables: Record<string, string>): Promise<Answer["body"]> =>
      JSON.parse(await runRecipe(helper + command, { API: service.url, ...variables })) as Answer["body"],
);

test.for([["dash"], ["bash", "--norc"], ["zsh", "-f"]] as [string, ...string[]][])(
  "the document's helper sends the token, where there is one, in %j",
  async (shell, { service, skip }) => {
    skip(isMissing(shell[0]));
    const { access_token: TOKEN } = await logIn(service, await signUp(service));
    const logOut = async (variables: Record<string, string>) =>
      JSON.parse(
        await runRecipe(`${helper}post /auth/logout ''`, { API: service.url, ...variables }, "", shell),
      ) as Answer["body"];
    expect((await logOut({})).error).toMatchObject({ details: { reason: "token_missing" } });
    expect(await logOut({ TOKEN })).toMatchObject({ meta: { message: "Logged out." } });
  },
);

test("the document's commands sign a person up, with the password of the registration that userId names", async ({
  client,
  gateway,
  run,
}) => {
  const [register = "", send = "", verify = ""] = commandsOf("Sign up with a password");
  const person = { phone: newPhone(), password: goodPassword };
  const variables = { PHONE: person.phone, PASSWORD: goodPassword };
  const registered = await run(register, variables);
  await client.post("/auth/register", { ...person, password: "a stranger's password" });
  await run(send, variables);
  const CODE = await gateway.nextCode(person.phone);
  const USER_ID = String(registered.data?.userId);
  expect((await run(verify, { ...variables, CODE, USER_ID })).data).toHaveProperty("insert_user_session_one");
  expect((await client.post("/auth/login", person)).status).toBe(200);
});

test("the document's commands make a guest's session a user's", async ({ service, client, database, run }) => {
  const [open = "", logInAsGuest = ""] = commandsOf("A guest who signs in");
  const { phone: PHONE, password: PASSWORD } = await signUp(service);
  const guest = tokensOf({ body: await run(open, {}) });
  const login = await run(logInAsGuest, { PHONE, PASSWORD, TOKEN: guest.access_token });
  expect(login.data).toMatchObject({ role: "user", promoted_session_id: guest.session_id });
  const promotions = "select from platform.guest_promotion where guest_session_id = $1";
  expect(await database.query(promotions, [guest.session_id])).toHaveLength(1);
  expect((await client.get("/auth/session", bearer(guest.access_token))).code).toBe("SESSION_REVOKED");
});

test("the document's commands list a user's sessions, revoke one, and revoke all others", async ({ service, run }) => {
  const [list = "", revoke = "", revokeOthers = ""] = commandsOf("Show and end them");
  const person = await signUp(service);
  const { access_token: TOKEN, session_id: current } = await logIn(service, person);
  const { session_id: SESSION_ID } = await logIn(service, person);
  const { session_id: other } = await logIn(service, person);
  const listed = async () => {
    const { sessions } = (await run(list, { TOKEN })).data as { sessions: { session_id: string }[] };
    return sessions.map(({ session_id }) => session_id);
  };
  expect(await listed()).toEqual(expect.arrayContaining([other, SESSION_ID, current]));
  expect((await run(revoke, { TOKEN, SESSION_ID })).error).toBeUndefined();
  expect(await listed()).not.toContain(SESSION_ID);
  // The session of the sign-up is another one.
  expect((await run(revokeOthers, { TOKEN })).data).toEqual({ revoked: 2 });
  expect(await listed()).toEqual([current]);
});

test("the document's commands sign up, and then log in, by code", async ({ gateway, run }) => {
  const [send = "", enter = ""] = commandsOf("Sign in by code");
  const PHONE = newPhone();
  for (const created of [true, false]) {
    const [sent, CODE] = await Promise.all([run(send, { PHONE }), gateway.nextCode(PHONE)]);
    expect(sent.data).toHaveProperty("otpId");
    expect((await run(enter, { PHONE, CODE })).data).toMatchObject({ role: "user", created });
  }
});

test("the document's command changes the password", async ({ service, client, run }) => {
  const [change = ""] = commandsOf("Change the password");
  const person = await signUp(service);
  const { access_token: TOKEN } = await logIn(service, person);
  const NEW_PASSWORD = "another correct horse";
  expect((await run(change, { TOKEN, PASSWORD: goodPassword, NEW_PASSWORD })).error).toBeUndefined();
  expect((await client.post("/auth/login", { ...person, password: NEW_PASSWORD })).status).toBe(200);
});

test("the document's commands change the phone", async ({ service, client, gateway, run }) => {
  const [ask = "", verify = ""] = commandsOf("Change the phone");
  const person = await signUp(service);
  const { access_token: TOKEN } = await logIn(service, person);
  const variables = { TOKEN, PASSWORD: goodPassword, NEW_PHONE: newPhone() };
  const [, CODE] = await Promise.all([run(ask, variables), gateway.nextCode(variables.NEW_PHONE)]);
  expect((await run(verify, { ...variables, CODE })).error).toBeUndefined();
  expect((await client.post("/auth/login", { ...person, phone: variables.NEW_PHONE })).status).toBe(200);
  expect((await gateway.next(person.phone)).body).not.toMatch(/[0-9]/);
});

test("the document's SQL sets the time, and its mutation gives the old account another phone", async ({
  service,
  client,
  gateway,
  database,
}) => {
  const [setTime = ""] = documentBlocks(document, "Recycled numbers", "sql");
  const [query = ""] = documentBlocks(document, "Recycled numbers", "graphql");
  await database.query(setTime);
  const person = await signUp(service);
  const [old] = await database.query<{ id: string }>(
    `update "user".account set last_used_on = last_used_on - 91 where phone = $1 returning id`,
    [person.phone],
  );
  await signUp(service, person.phone, "the newcomer's password");
  const phone = newPhone();
  const response = await fetch(`${service.url}/v1/graphql`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...adminOf(database),
    },
    body: JSON.stringify({ query, variables: { id: old!.id, phone } }),
  });
  expect(await response.json()).toEqual({ data: { update_user_account_by_pk: { id: old!.id, phone } } });
  const [, otp] = await Promise.all([client.sendOtp(phone, "LOGIN"), gateway.nextCode(phone)]);
  const login = await client.post("/auth/login/otp", { phone, otp });
  const caller = bearer(tokensOf(login).access_token);
  await eventually(
    "the token is live",
    async () => (await client.post("/auth/logout", undefined, caller)).status === 200,
  );
});
