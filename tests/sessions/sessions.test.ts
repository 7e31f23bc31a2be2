import { expect } from "vitest";
import { bearer } from "../../testing/service/rest_client.ts";
import { signUp } from "../../testing/service/people.ts";
import { test } from "../fixtures/session_fixtures.ts";

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
      session_id: laptop.session_id,
      current: true,
      label: "Ada's laptop 💻",
      client: "2001:db8::/64",
      user_agent: "x".repeat(256),
    },
    {
      session_id: phone.session_id,
      current: false,
      label: null,
      client: "203.0.113.7",
      user_agent: "An app",
    },
  ]);
  expect(sessions).toHaveLength(3);
});

test("last_used_at and the client change at a refresh, and at nothing else", async ({
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

test("SESSION_CLIENT_DETAILS off stores neither address nor user agent", async ({ service, person, logInAs, list }) => {
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

test("a label may have 64 characters, whatever their bytes, and a blank one is none", async ({
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
