import { expect } from "vitest";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";
import { test } from "./fixtures/hook_fixtures.ts";

const claims = "claims(user_id uuid, session_id uuid) returns jsonb";

test("a hook that sleeps, computes or waits for a row for too long fails its request, is named in the log, and the next one works", async ({
  client,
  hook,
  database,
  logLines,
}) => {
  const [{ version } = { version: 0 }] = await database.query<{ version: number }>(
    "select current_setting('server_version_num')::integer as version",
  );
  const guest = tokensOf(await client.post("/auth/session/guest"));
  await database.query("insert into public.cart values ($1, 'tea')", [guest.session_id]);
  // Before PostgreSQL 17 nothing ends a statement of a hook early, so those there end by themselves.
  const slow = version >= 170_000 ? ["perform pg_sleep(30);", "loop null; end loop;"] : ["perform pg_sleep(0.6);"];
  for (const body of slow) {
    logLines.length = 0;
    await hook(claims, `if session_id = '${guest.session_id}' then ${body} end if; return '{"plan": "pro"}';`);
    expect(await client.refresh(guest.refresh_token), body).toMatchObject({ status: 500, code: "INTERNAL_ERROR" });
    expect(JSON.stringify(logLines)).toMatch(/hook\.claims/);
    if (version >= 170_000)
      expect(JSON.stringify(logLines), "ended by its own time-out").toContain("due to transaction timeout");
    expect((await client.post("/auth/session/guest")).status).toBe(200);
  }
  await database.query("drop function hook.claims");
  // Nothing happened: its token is still the session's.
  expect((await client.refresh(guest.refresh_token)).status).toBe(200);
});

test("a hook waits for a locked row of the application less than its time", async ({
  client,
  hook,
  database,
  holdCarts,
}) => {
  const guest = tokensOf(await client.post("/auth/session/guest"));
  await database.query("insert into public.cart values ($1, 'tea')", [guest.session_id]);
  await hook(claims, `perform from public.cart c where c.owner_id = session_id for update; return '{}';`);
  const release = await holdCarts();
  expect(await client.refresh(guest.refresh_token)).toMatchObject({ status: 500, code: "INTERNAL_ERROR" });
  await release();
  const answer = await client.refresh(guest.refresh_token);
  expect(answer.status).toBe(200);
  expect((await client.get("/auth/session", bearer(tokensOf(answer).access_token))).status).toBe(200);
});
