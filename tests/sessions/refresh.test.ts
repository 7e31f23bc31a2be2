import { expect } from "vitest";
import { bearer, tokensOf, type Tokens } from "../../testing/service/rest_client.ts";
import { logIn, signUp } from "../../testing/service/people.ts";
import { test as baseTest } from "../../testing/fixtures.ts";

const test = baseTest
  .extend(
    "newSession",
    ({ client }) =>
      async (): Promise<Tokens> =>
        tokensOf(await client.post("/auth/session/guest")),
  )
  .extend(
    "pastGrace",
    ({ database }) =>
      ({ session_id }: Tokens) =>
        database.query(`update "user".session set rotated_at = rotated_at - interval '11 seconds' where id = $1`, [
          session_id,
        ]),
  );

test("a refresh whose answer was lost can be repeated within the grace period, without another rotation", async ({
  newSession,
  client,
}) => {
  const session = await newSession();
  const first = tokensOf(await client.refresh(session.refresh_token));
  const again = await client.refresh(session.refresh_token);
  expect(again.status).toBe(200);
  // Both answers carry the same token ids, so either can be refreshed.
  expect((await client.refresh(first.refresh_token)).status).toBe(200);
});

test("reuse of the replaced token after the grace counts as theft: the session is revoked, and stays so", async ({
  newSession,
  pastGrace,
  client,
}) => {
  const session = await newSession();
  const next = tokensOf(await client.refresh(session.refresh_token));
  await pastGrace(session);
  expect(await client.refresh(session.refresh_token)).toMatchObject({ status: 401, code: "SESSION_REVOKED" });
  expect((await client.refresh(next.refresh_token)).code).toBe("SESSION_REVOKED");
  expect((await client.post("/auth/logout", undefined, bearer(next.access_token))).code).toBe("SESSION_REVOKED");
});

test("reuse of an older token counts as theft at any time", async ({ newSession, client }) => {
  const session = await newSession();
  const second = tokensOf(await client.refresh(session.refresh_token));
  const third = tokensOf(await client.refresh(second.refresh_token));
  expect((await client.refresh(session.refresh_token)).code).toBe("SESSION_REVOKED");
  expect((await client.refresh(third.refresh_token)).code).toBe("SESSION_REVOKED");
});

test("with a grace period of 0 seconds there is none", async ({ service, newSession, client }) => {
  await service.set("REFRESH_REUSE_GRACE_SECONDS", 0);
  const session = await newSession();
  await client.refresh(session.refresh_token);
  expect((await client.refresh(session.refresh_token)).code).toBe("SESSION_REVOKED");
  await service.set("REFRESH_REUSE_GRACE_SECONDS", 10);
});

test("an access token stays valid after a refresh, and ends with its session", async ({ newSession, client }) => {
  const session = await newSession();
  const next = tokensOf(await client.refresh(session.refresh_token));
  const authorize = () => client.get("/auth/webhook/authorize", bearer(session.access_token));
  expect((await authorize()).status).toBe(200);
  await client.post("/auth/logout", undefined, bearer(next.access_token));
  expect((await authorize()).status).toBe(401);
});

test("a refresh restarts both lifetimes", async ({ service, database, client }) => {
  const person = await signUp(service);
  const session = await logIn(service, person);
  await database.query(
    `update "user".session set access_token_expires_at = now() + interval '1 minute', refresh_token_expires_at = now() + interval '1 day'
     where id = $1`,
    [session.session_id],
  );
  const { body } = await client.refresh(session.refresh_token);
  expect(new Date(String(body.data?.expires_at)).getTime() - Date.now()).toBeGreaterThan(3_500_000);
  const [row] = await database.query<{ days: number }>(
    `select extract(day from refresh_token_expires_at - now())::int as days from "user".session where id = $1`,
    [session.session_id],
  );
  expect(row?.days).toBe(29);
});

test("header and body must have the same token", async ({ newSession, client }) => {
  const session = await newSession();
  const other = await newSession();
  const answer = await client.post(
    "/auth/session/refresh",
    { refresh_token: session.refresh_token },
    bearer(other.refresh_token),
  );
  expect(answer).toMatchObject({ status: 401, code: "SESSION_MISMATCH" });
  expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer /);
  expect((await client.refresh(session.refresh_token)).status, "a mismatch uses no token up").toBe(200);
});

test("one token of the two is not enough", async ({ newSession, client }) => {
  const session = await newSession();
  const path = "/auth/session/refresh";
  const body = { refresh_token: session.refresh_token };
  expect(await client.post(path, body)).toMatchObject({
    status: 401,
    code: "SESSION_NOT_FOUND",
    body: { error: { details: { reason: "token_missing" } } },
  });
  expect(await client.post(path, {}, bearer(session.refresh_token))).toMatchObject({
    status: 400,
    code: "MISSING_FIELDS",
    body: { error: { details: { fields: ["refresh_token"] } } },
  });
});

test("an access token does not refresh, and a refresh token gives no access", async ({ newSession, client }) => {
  const session = await newSession();
  expect(await client.refresh(session.access_token)).toMatchObject({
    status: 401,
    code: "SESSION_NOT_FOUND",
    body: { error: { details: { reason: "token_invalid" } } },
  });
  expect((await client.post("/auth/logout", undefined, bearer(session.refresh_token))).code).toBe("SESSION_NOT_FOUND");
});

test("a session that is gone is not found", async ({ newSession, database, client }) => {
  const session = await newSession();
  await database.query(`delete from "user".session where id = $1`, [session.session_id]);
  expect(await client.refresh(session.refresh_token)).toMatchObject({
    status: 401,
    code: "SESSION_NOT_FOUND",
    body: { error: { details: { reason: "session_missing" } } },
  });
});
