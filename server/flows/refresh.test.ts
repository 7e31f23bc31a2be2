import { afterAll, beforeAll, expect, test } from "vitest";
import { bearer, tokensOf, type Tokens } from "../../testing/client.ts";
import { logIn, signUp } from "../../testing/people.ts";
import { startService, type Service } from "../../testing/service.ts";

let service: Service;
let session: Tokens;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const newSession = async (): Promise<Tokens> => tokensOf(await service.client.post("/auth/session/guest"));
const refresh = (token: string) => service.client.refresh(token);
const pastGrace = ({ session_id }: Tokens) =>
  service.database.query(
    `update "user".session set rotated_at = rotated_at - interval '11 seconds' where id = $1`,
    [session_id],
  );

test("a lost answer can be asked for again inside the grace, without another rotation", async () => {
  session = await newSession();
  const first = tokensOf(await refresh(session.refresh_token));
  const again = await refresh(session.refresh_token);
  expect(again.status).toBe(200);
  // The same ids: the tokens of either answer go on.
  expect((await refresh(first.refresh_token)).status).toBe(200);
});

test("the token just replaced is theft after the grace: the session is revoked, and stays so", async () => {
  session = await newSession();
  const next = tokensOf(await refresh(session.refresh_token));
  await pastGrace(session);
  expect(await refresh(session.refresh_token)).toMatchObject({ status: 401, code: "SESSION_REVOKED" });
  expect((await refresh(next.refresh_token)).code).toBe("SESSION_REVOKED");
  expect((await service.client.post("/auth/logout", undefined, bearer(next.access_token))).code).toBe(
    "SESSION_REVOKED",
  );
});

test("a token older than the one just replaced is theft at any time", async () => {
  session = await newSession();
  const second = tokensOf(await refresh(session.refresh_token));
  const third = tokensOf(await refresh(second.refresh_token));
  expect((await refresh(session.refresh_token)).code).toBe("SESSION_REVOKED");
  expect((await refresh(third.refresh_token)).code).toBe("SESSION_REVOKED");
});

test("a grace of 0 seconds is none", async () => {
  await service.set("REFRESH_REUSE_GRACE_SECONDS", 0);
  session = await newSession();
  await refresh(session.refresh_token);
  expect((await refresh(session.refresh_token)).code).toBe("SESSION_REVOKED");
  await service.set("REFRESH_REUSE_GRACE_SECONDS", 10);
});

test("an access token outlives a refresh, and dies with its session", async () => {
  session = await newSession();
  const next = tokensOf(await refresh(session.refresh_token));
  const authorize = () => service.client.get("/auth/webhook/authorize", bearer(session.access_token));
  expect((await authorize()).status).toBe(200);
  await service.client.post("/auth/logout", undefined, bearer(next.access_token));
  expect((await authorize()).status).toBe(401);
});

test("a refresh starts both lifetimes anew", async () => {
  const person = await signUp(service);
  session = await logIn(service, person);
  await service.database.query(
    `update "user".session set access_token_expires_at = now() + interval '1 minute', refresh_token_expires_at = now() + interval '1 day'
     where id = $1`,
    [session.session_id],
  );
  const { body } = await refresh(session.refresh_token);
  expect(new Date(String(body.data?.expires_at)).getTime() - Date.now()).toBeGreaterThan(3_500_000);
  const [row] = await service.database.query<{ days: number }>(
    `select extract(day from refresh_token_expires_at - now())::int as days from "user".session where id = $1`,
    [session.session_id],
  );
  expect(row?.days).toBe(29);
});

test("header and body must carry the same token", async () => {
  session = await newSession();
  const other = await newSession();
  const answer = await service.client.post(
    "/auth/session/refresh",
    { refresh_token: session.refresh_token },
    bearer(other.refresh_token),
  );
  expect(answer).toMatchObject({ status: 401, code: "SESSION_MISMATCH" });
  expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer /);
  expect((await refresh(session.refresh_token)).status, "a mismatch spends nothing").toBe(200);
});

test("one token of the two is not enough", async () => {
  session = await newSession();
  const path = "/auth/session/refresh";
  const body = { refresh_token: session.refresh_token };
  expect(await service.client.post(path, body)).toMatchObject({
    status: 401,
    code: "SESSION_NOT_FOUND",
    body: { error: { details: { reason: "token_missing" } } },
  });
  expect(await service.client.post(path, {}, bearer(session.refresh_token))).toMatchObject({
    status: 400,
    code: "MISSING_FIELDS",
    body: { error: { details: { fields: ["refresh_token"] } } },
  });
});

test("an access token does not refresh, and a refresh token gives no access", async () => {
  session = await newSession();
  expect(await refresh(session.access_token)).toMatchObject({
    status: 401,
    code: "SESSION_NOT_FOUND",
    body: { error: { details: { reason: "token_invalid" } } },
  });
  expect((await service.client.post("/auth/logout", undefined, bearer(session.refresh_token))).code).toBe(
    "SESSION_NOT_FOUND",
  );
});

test("a session that is gone is not found", async () => {
  session = await newSession();
  await service.database.query(`delete from "user".session where id = $1`, [session.session_id]);
  expect(await refresh(session.refresh_token)).toMatchObject({
    status: 401,
    code: "SESSION_NOT_FOUND",
    body: { error: { details: { reason: "session_missing" } } },
  });
});
