import { expect } from "vitest";
import { bearer, tokensOf, type Answer, type Client, type Tokens } from "../../testing/service/rest_client.ts";
import { raceBehindLock } from "../../testing/postgres/lock_race.ts";
import { goodPassword, newPhone, signUp } from "../../testing/service/people.ts";
import { count, test as baseTest } from "../fixtures/race_fixtures.ts";

const test = baseTest
  .extend(
    "newGuest",
    ({ client }) =>
      async () =>
        tokensOf(await client.post("/auth/session/guest")),
  )
  .extend("person", { scope: "file" }, ({ service }) => signUp(service))
  .extend(
    "promotions",
    ({ database }) =>
      ({ session_id }: Tokens) =>
        database.query<{ user_id: string }>(
          "select user_id from platform.guest_promotion where guest_session_id = $1",
          [session_id],
        ),
  );

const reasonOf = ({ body }: Answer) => body.error?.details?.reason;
const lockOf = ({ session_id }: Tokens) => ({
  text: `select from "user".session where id = $1 for update`,
  values: [session_id],
});

test("a guest who logs in becomes the user, and its own session ends", async ({
  client,
  person,
  newGuest,
  promotions,
}) => {
  const guest = await newGuest();
  const login = await client.post("/auth/login", person, bearer(guest.access_token));
  expect(login).toMatchObject({ status: 200, body: { data: { promoted_session_id: guest.session_id } } });
  const { session_id, access_token } = tokensOf(login);
  expect(session_id).not.toBe(guest.session_id);
  expect((await client.get("/auth/session", bearer(guest.access_token))).code).toBe("SESSION_REVOKED");
  expect((await client.refresh(guest.refresh_token)).code).toBe("SESSION_REVOKED");
  const { body } = await client.get("/auth/session", bearer(access_token));
  expect(await promotions(guest)).toEqual([{ user_id: body.data?.user_id }]);
  const again = await client.post("/auth/login", person, bearer(guest.access_token));
  expect(again).toMatchObject({ status: 401, code: "SESSION_REVOKED" });
});

test("a guest who registers becomes the user", async ({ client, gateway, newGuest, promotions }) => {
  const guest = await newGuest();
  const phone = newPhone();
  await client.post("/auth/register", { phone, password: goodPassword });
  const [, otp] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
  const verify = (headers = {}) => client.post("/auth/register/verify", { phone, otp }, headers);
  // A refused token consumes nothing: the code is still valid afterwards.
  expect(await verify(bearer("a.b.c"))).toMatchObject({ status: 401, code: "SESSION_NOT_FOUND" });
  const verified = await verify(bearer(guest.access_token));
  expect(verified).toMatchObject({ status: 200, body: { data: { promoted_session_id: guest.session_id } } });
  expect(Object.keys(verified.body.data ?? {})).toEqual(["insert_user_session_one", "promoted_session_id"]);
  expect(await promotions(guest)).toHaveLength(1);
});

test("without a guest's token the responses say nothing of a promotion", async ({ client, person }) => {
  const { body } = await client.post("/auth/login", person);
  expect(Object.keys(body.data ?? {})).toEqual(["session_id", "access_token", "refresh_token", "role"]);
});

test("a token of no live guest session is 401 and changes nothing: no session, no failure, no used code", async ({
  client,
  database,
  gateway,
  person,
  newGuest,
}) => {
  const [expired, revoked, refreshing] = [await newGuest(), await newGuest(), await newGuest()];
  await database.query(`update "user".session set refresh_token_expires_at = now() where id = $1`, [
    expired.session_id,
  ]);
  await client.post("/auth/logout", undefined, bearer(revoked.access_token));
  const member = tokensOf(await client.post("/auth/login", person));
  const phone = newPhone();
  await client.post("/auth/register", { phone, password: goodPassword });
  const [, otp] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
  const state = () =>
    database.query(
      `select (select count(*) from "user".session) as sessions, (select count(*) from "user".account) as accounts,
              (select count(*) from platform.guest_promotion) as promotions,
              (select sum(attempts) from platform.otp_transaction) as attempts,
              (select jsonb_agg(to_jsonb(l) order by l.key) from platform.rate_limit l) as limits`,
    );
  const before = await state();
  const refused = {
    SESSION_MISMATCH: [member.access_token],
    SESSION_REVOKED: [revoked.access_token],
    SESSION_NOT_FOUND: [expired.access_token, refreshing.refresh_token, "a.b.c"],
  };
  for (const [code, tokens] of Object.entries(refused))
    for (const token of tokens)
      for (const [path, body] of [
        ["/auth/login", person],
        ["/auth/login", { ...person, password: "a wrong one" }],
        ["/auth/register/verify", { phone, otp }],
        ["/auth/register/verify", { phone, otp: "000000" }],
      ] as const) {
        const answer = await client.post(path, body, bearer(token));
        expect([path, answer.status, answer.code]).toEqual([path, 401, code]);
        expect(answer.headers.get("www-authenticate")).toContain("invalid_token");
      }
  expect(await state()).toEqual(before);
  expect((await client.post("/auth/login", person, bearer(member.access_token))).code).toBe("SESSION_MISMATCH");
  expect((await client.get("/auth/session", bearer(member.access_token))).status).toBe(200);
});

test("a refused login leaves the guest as it was", async ({ client, person, newGuest, promotions }) => {
  const guest = await newGuest();
  const wrong = { ...person, password: "a wrong one" };
  expect(reasonOf(await client.post("/auth/login", wrong, bearer(guest.access_token)))).toBe("login_refused");
  expect((await client.get("/auth/session", bearer(guest.access_token))).status).toBe(200);
  expect(await promotions(guest)).toEqual([]);
});

test("of several logins at once with one guest's token exactly one promotes it, and the others open no session", async ({
  service,
  database,
  parallel,
  newGuest,
  promotions,
}) => {
  const guest = await newGuest();
  const people = [await signUp(service), await signUp(service), await signUp(service), await signUp(service)];
  const logIn = (client: Client, headers: Record<string, string>, index: number) =>
    client.post("/auth/login", people[index], { ...headers, ...bearer(guest.access_token) });
  const sessions = async () =>
    (await database.query<{ n: number }>(`select count(*)::int as n from "user".session`))[0]!.n;
  const before = await sessions();
  // All of them have read the guest as live before the first one continues.
  const answers = await raceBehindLock(database, lockOf(guest), 4, () => parallel(4, logIn));
  expect([count(answers, 200), count(answers, "SESSION_REVOKED")]).toEqual([1, 3]);
  expect(await promotions(guest)).toHaveLength(1);
  expect(await sessions()).toBe(before + 1);
});

test("of two registrations at once with one guest's token one succeeds, and the other one's code is still valid", async ({
  database,
  clients,
  gateway,
  newGuest,
  promotions,
}) => {
  const guest = await newGuest();
  const register = async (client: Client) => {
    const phone = newPhone();
    await client.post("/auth/register", { phone, password: goodPassword });
    const [, otp] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
    return { phone, otp };
  };
  const codes = [await register(clients[0]!), await register(clients[1]!)];
  const verify = () =>
    Promise.all(
      codes.map((code, index) => clients[index]!.post("/auth/register/verify", code, bearer(guest.access_token))),
    );
  const answers = await raceBehindLock(database, lockOf(guest), 2, verify);
  expect([count(answers, 200), count(answers, "SESSION_REVOKED")]).toEqual([1, 1]);
  const loser = answers.findIndex(({ status }) => status === 401);
  expect((await clients[0]!.post("/auth/register/verify", codes[loser])).status).toBe(200);
  expect(await promotions(guest)).toHaveLength(1);
});

test("a promotion and a refresh of the guest at once leave no live guest", async ({
  clients,
  database,
  person,
  newGuest,
  promotions,
}) => {
  const guest = await newGuest();
  const [refreshed, login] = await raceBehindLock(database, lockOf(guest), 2, () =>
    Promise.all([
      clients[0]!.refresh(guest.refresh_token),
      clients[1]!.post("/auth/login", person, bearer(guest.access_token)),
    ]),
  );
  // Either may come first; a refresh that did gives tokens of a session that has ended.
  expect(login.status).toBe(200);
  expect([200, 401]).toContain(refreshed.status);
  const tokens = refreshed.status === 200 ? tokensOf(refreshed) : guest;
  expect((await clients[2]!.get("/auth/session", bearer(tokens.access_token))).code).toBe("SESSION_REVOKED");
  expect((await clients[2]!.refresh(tokens.refresh_token)).code).toBe("SESSION_REVOKED");
  expect(await promotions(guest)).toHaveLength(1);
});
