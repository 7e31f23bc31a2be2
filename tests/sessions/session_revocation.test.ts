import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { bearer } from "../../testing/service/rest_client.ts";
import { signUp } from "../../testing/service/people.ts";
import { test } from "../fixtures/session_fixtures.ts";

test("a user revokes one of its sessions, which is refused from the next request on", async ({
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

test("an id that is no live session of the caller's is 404 without a challenge, and the token stays valid", async ({
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
  const ids = [stranger.session_id, guest.session_id, gone.session_id, randomUUID(), "nothing", "%00", "a%2Fb"];
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
  const revokeOthers = () => client.post("/auth/sessions/revoke-others", undefined, bearer(mine.access_token));
  // The session of the verified registration is the other one.
  expect((await revokeOthers()).body.data).toEqual({ revoked: 1 });
  expect((await revokeOthers()).body.data).toEqual({ revoked: 0 });
  expect(await list(mine.access_token)).toHaveLength(1);
  expect((await client.get("/auth/session", bearer(stranger.access_token))).status).toBe(200);
});
