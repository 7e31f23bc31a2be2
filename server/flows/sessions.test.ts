import { randomUUID } from "node:crypto";
import { decodeJwt } from "jose";
import { expect } from "vitest";
import { bearer, tokensOf, type Answer } from "../../testing/client.ts";
import { goodPassword, logIn, newPhone, signUp, type Person } from "../../testing/people.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import { guards } from "../rest/guards.ts";
import { routes } from "../rest/routes.ts";

interface Listed {
  session_id: string;
  current: boolean;
  created_at: string;
  last_used_at: string;
  client: string | null;
  user_agent: string | null;
  label: string | null;
}
const listed = ({ body }: Answer) => (body.data as unknown as { sessions: Listed[] }).sessions;

const test = baseTest
  .extend("person", { scope: "file" }, ({ service }) => signUp(service))
  .extend("logInAs", ({ client }) => async (person: Person, headers = {}, fields = {}) => {
    const answer = await client.post("/auth/login", { ...person, ...fields }, headers);
    expect(answer.status).toBe(200);
    return tokensOf(answer);
  })
  .extend(
    "list",
    ({ client }) =>
      async (token: string) =>
        listed(await client.get("/auth/sessions", bearer(token))),
  )
  .extend("guest", async ({ client }) => tokensOf(await client.post("/auth/session/guest")));

test("a user asks who it is", async ({ client, service }) => {
  const phone = newPhone();
  const password = goodPassword;
  await client.post("/auth/register", { phone, password, email: "Ada@Example.com" });
  const [, otp] = await Promise.all([client.sendOtp(phone), service.gateway.nextCode(phone)]);
  await client.post("/auth/register/verify", { phone, otp });
  const { session_id, access_token } = await logIn(service, { phone, password });
  const { sub, exp } = decodeJwt(access_token);
  const { status, body } = await client.get("/auth/session", bearer(access_token));
  expect([status, body.data]).toEqual([
    200,
    {
      ...{ session_id, user_type: "user", role: "user", user_id: sub, phone, email: "ada@example.com" },
      created_at: expect.any(String) as string,
      access_token_expires_at: expect.any(String) as string,
      refresh_token_expires_at: expect.any(String) as string,
      deletion_due_at: null,
    },
  ]);
  const end = Date.parse(String(body.data?.access_token_expires_at));
  expect(Math.floor(end / 1_000)).toBe(exp);
});

test("a guest asks who it is", async ({ client, guest }) => {
  const { body } = await client.get("/auth/session", bearer(guest.access_token));
  expect(body.data).toMatchObject({
    ...{ session_id: guest.session_id, user_type: "guest", role: "guest" },
    ...{ user_id: null, phone: null, email: null },
  });
});

test("a user sees its live sessions, the newest first, with client and label", async ({
  client,
  service,
  logInAs,
  list,
}) => {
  const person = await signUp(service);
  const phone = await logInAs(person, { "user-agent": "An app", "x-forwarded-for": "203.0.113.7" });
  const laptop = await logInAs(
    person,
    { "user-agent": "x".repeat(300), "x-forwarded-for": "2001:db8::1" },
    { label: " Ada's laptop 💻 " },
  );
  const gone = await logInAs(person);
  await client.post("/auth/logout", undefined, bearer(gone.access_token));
  const sessions = await list(laptop.access_token);
  // The third is that of the verified registration.
  expect(sessions.slice(0, 2)).toMatchObject([
    {
      ...{ session_id: laptop.session_id, current: true, label: "Ada's laptop 💻" },
      ...{ client: "2001:db8::/64", user_agent: "x".repeat(256) },
    },
    {
      ...{ session_id: phone.session_id, current: false, label: null },
      ...{ client: "203.0.113.7", user_agent: "An app" },
    },
  ]);
  expect(sessions).toHaveLength(3);
});

test("last_used_at and the client move at a refresh, and at nothing else", async ({
  client,
  database,
  person,
  logInAs,
  list,
}) => {
  const { access_token, refresh_token, session_id } = await logInAs(person, { "user-agent": "before" });
  await database.query(`update "user".session set created_at = created_at - interval '1 day' where id = $1`, [
    session_id,
  ]);
  await client.get("/auth/session", bearer(access_token));
  const own = async () => (await list(access_token)).find(({ current }) => current);
  const before = await own();
  expect(before?.last_used_at).toBe(before?.created_at);
  await client.post(
    "/auth/session/refresh",
    { refresh_token },
    { ...bearer(refresh_token), "user-agent": "after", "x-forwarded-for": "203.0.113.8" },
  );
  const after = await own();
  expect(after).toMatchObject({ user_agent: "after", client: "203.0.113.8", created_at: before?.created_at });
  expect(Date.parse(after!.last_used_at) - Date.parse(before!.last_used_at)).toBeGreaterThan(86_000_000);
});

test("SESSION_CLIENT_DETAILS off stores neither address nor user agent", async ({
  service,
  person,
  logInAs,
  list,
}) => {
  await service.set("SESSION_CLIENT_DETAILS", "off");
  const { access_token } = await logInAs(person, { "user-agent": "An app" }, { label: "mine" });
  await service.set("SESSION_CLIENT_DETAILS", "on");
  expect((await list(access_token))[0]).toMatchObject({ client: null, user_agent: null, label: "mine" });
});

test.for([
  ["65 characters", "x".repeat(65)],
  ["a NUL", "a\u0000b"],
  ["an escape", "a\u001b[2Jb"],
  ["a lone surrogate", "a\ud800"],
  ["a number", 7],
])("a label with %s is refused", async ([_what, label], { client, person }) => {
  const answer = await client.post("/auth/login", { ...person, label });
  expect(answer).toMatchObject({ status: 400, code: "INVALID_REQUEST" });
  expect(answer.body.error?.details).toMatchObject({ field: "label" });
});

test("64 characters are a label, whatever their bytes, and blanks are none", async ({
  person,
  logInAs,
  list,
}) => {
  const label = "💻".repeat(64);
  const { access_token } = await logInAs(person, {}, { label });
  expect((await list(access_token))[0]).toMatchObject({ label });
  const other = await logInAs(person, {}, { label: "  " });
  expect((await list(other.access_token))[0]).toMatchObject({ label: null });
});

test("a user revokes one of its sessions, and it is dead at the next request", async ({
  client,
  person,
  logInAs,
}) => {
  const [mine, other] = [await logInAs(person), await logInAs(person)];
  const revoke = (id: string) => client.delete(`/auth/sessions/${id}`, undefined, bearer(mine.access_token));
  expect((await revoke(other.session_id)).status).toBe(200);
  expect((await client.get("/auth/session", bearer(other.access_token))).code).toBe("SESSION_REVOKED");
  expect((await client.refresh(other.refresh_token)).code).toBe("SESSION_REVOKED");
  expect((await revoke(mine.session_id)).status).toBe(200);
  expect(await revoke(mine.session_id)).toMatchObject({ status: 401, code: "SESSION_REVOKED" });
});

test("what is no live session of the caller is 404 without a challenge, and the token stays good", async ({
  client,
  service,
  person,
  logInAs,
  guest,
}) => {
  const mine = await logInAs(person);
  const stranger = await logInAs(await signUp(service));
  const gone = await logInAs(person);
  await client.post("/auth/logout", undefined, bearer(gone.access_token));
  const ids = [
    stranger.session_id,
    guest.session_id,
    gone.session_id,
    randomUUID(),
    "nothing",
    "%00",
    "a%2Fb",
  ];
  for (const id of ids) {
    const answer = await client.delete(`/auth/sessions/${id}`, undefined, bearer(mine.access_token));
    expect([id, answer.status, answer.code]).toEqual([id, 404, "SESSION_NOT_FOUND"]);
    expect(answer.body.error?.details).toEqual({ reason: "not_own_session" });
    expect(answer.headers.get("www-authenticate")).toBeNull();
  }
  for (const { access_token } of [mine, stranger, guest])
    expect((await client.get("/auth/session", bearer(access_token))).status).toBe(200);
});

test("a user revokes all other sessions, and nobody else's", async ({ client, service, logInAs, list }) => {
  const person = await signUp(service);
  const stranger = await logInAs(await signUp(service));
  const mine = await logInAs(person);
  const revokeOthers = () =>
    client.post("/auth/sessions/revoke-others", undefined, bearer(mine.access_token));
  // The session of the verified registration is the other one.
  expect((await revokeOthers()).body.data).toEqual({ revoked: 1 });
  expect((await revokeOthers()).body.data).toEqual({ revoked: 0 });
  expect(await list(mine.access_token)).toHaveLength(1);
  expect((await client.get("/auth/session", bearer(stranger.access_token))).status).toBe(200);
});

const forUsers = routes.filter(({ guard }) => guard === guards.userToken);

test.for(forUsers.map(({ method, path }) => [method, path] as const))(
  "%s %s is for users: a guest is 403, no token and a refresh token are 401",
  async ([method, path], { service, guest, person, logInAs }) => {
    const url = `${service.url}/api/v1${path.replace(/\{\w+\}/, guest.session_id)}`;
    const ask = async (headers: Record<string, string>) => {
      // An empty object, where the route takes a body: who is calling is checked before the fields are.
      const json = { "content-type": "application/json" };
      const response = await fetch(
        url,
        method === "POST" ? { method, headers: { ...json, ...headers }, body: "{}" } : { method, headers },
      );
      const { error } = (await response.json()) as Answer["body"];
      return [response.status, error?.code, error?.details?.reason];
    };
    expect(await ask(bearer(guest.access_token))).toEqual([403, "INVALID_REQUEST", "user_session_required"]);
    expect(await ask({})).toEqual([401, "SESSION_NOT_FOUND", "token_missing"]);
    const { refresh_token } = await logInAs(person);
    expect(await ask(bearer(refresh_token))).toEqual([401, "SESSION_NOT_FOUND", "token_invalid"]);
  },
);

test("a fixed path is not taken for an id, and each path names its methods", async ({
  service,
  person,
  logInAs,
}) => {
  const { access_token } = await logInAs(person);
  const ask = (method: string, path: string) =>
    fetch(`${service.url}/api/v1${path}`, { method, headers: bearer(access_token) });
  const answer = await ask("DELETE", "/auth/sessions/revoke-others");
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
  const list = await ask("POST", "/auth/sessions");
  expect([list.status, list.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});

test("tokens say how and when the user signed in, and a refresh keeps both", async ({
  client,
  service,
  guest,
}) => {
  const phone = newPhone();
  await client.post("/auth/register", { phone, password: goodPassword });
  const [, otp] = await Promise.all([client.sendOtp(phone), service.gateway.nextCode(phone)]);
  const verified = await client.post("/auth/register/verify", { phone, otp });
  const { access_token, refresh_token } = verified.body.data?.insert_user_session_one as typeof guest;
  expect(decodeJwt(access_token).amr).toEqual(["sms"]);
  expect(decodeJwt(refresh_token).amr).toEqual(["sms"]);
  const login = await logIn(service, { phone, password: goodPassword });
  const { amr, auth_time } = decodeJwt(login.access_token);
  expect(amr).toEqual(["pwd"]);
  expect(Math.abs(Number(auth_time) - Date.now() / 1_000)).toBeLessThan(60);
  await service.database.query(
    `update "user".session set authenticated_at = authenticated_at - interval '1 hour' where id = $1`,
    [login.session_id],
  );
  const fresh = tokensOf(await client.refresh(login.refresh_token));
  for (const token of [fresh.access_token, fresh.refresh_token])
    expect(decodeJwt(token)).toMatchObject({ amr: ["pwd"], auth_time: Number(auth_time) - 3_600 });
  for (const token of [guest.access_token, guest.refresh_token]) {
    expect(decodeJwt(token)).not.toHaveProperty("amr");
    expect(decodeJwt(token)).not.toHaveProperty("auth_time");
  }
});
