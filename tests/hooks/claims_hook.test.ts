import { expect } from "vitest";
import { askGraphql } from "../../testing/graphql/graphql_client.ts";
import { logIn, signUp } from "../../testing/service/people.ts";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";
import { payloadOf, test } from "./fixtures/hook_fixtures.ts";

const claims = "claims(user_id uuid, session_id uuid) returns jsonb";
const editor = `return jsonb_build_object('plan', 'pro', 'org_id', 7, 'roles', array['editor'], 'of', coalesce(user_id, session_id));`;

test("hook.claims adds to access tokens, of guests too, from the request after it was made, and none once it is dropped", async ({
  service,
  client,
  hook,
  database,
}) => {
  const guest = async () => tokensOf(await client.post("/auth/session/guest"));
  expect(payloadOf((await guest()).access_token)).not.toHaveProperty("plan");
  await hook(claims, editor);
  const tokens = await guest();
  expect(payloadOf(tokens.access_token)).toMatchObject({
    role: "guest",
    plan: "pro",
    org_id: 7,
    roles: ["editor"],
    of: tokens.session_id,
    "https://hasura.io/jwt/claims": {
      "x-hasura-allowed-roles": ["guest", "editor"],
      "x-hasura-default-role": "guest",
      "x-hasura-session-id": tokens.session_id,
      "x-hasura-plan": "pro",
      "x-hasura-org-id": "7",
      "x-hasura-roles": '{"editor"}',
    },
  });
  expect(payloadOf(tokens.refresh_token)).not.toHaveProperty("plan");

  await hook(claims, `return '{"plan": "free"}';`);
  const refreshed = tokensOf(await client.refresh(tokens.refresh_token));
  expect(payloadOf(refreshed.access_token)).toMatchObject({ plan: "free" });
  const user = await logIn(service, await signUp(service));
  expect(payloadOf(user.access_token)).toMatchObject({ role: "user", plan: "free" });
  await database.query("drop function hook.claims");
  const last = tokensOf(await client.refresh(refreshed.refresh_token));
  expect(payloadOf(last.access_token)).not.toHaveProperty("plan");
});

test("the webhook has the claims as variables, and latchkey.claims() has them with their types in GraphQL", async ({
  service,
  client,
  hook,
}) => {
  const { access_token, session_id } = await logIn(service, await signUp(service));
  const authorize = async () =>
    (await fetch(`${service.url}/api/v1/auth/webhook/authorize`, { headers: bearer(access_token) })).json() as Promise<
      Record<string, string>
    >;
  expect(Object.keys(await authorize())).toEqual([
    "X-Hasura-Role",
    "X-Hasura-User-Id",
    "X-Hasura-Session-Id",
    "Expires",
  ]);
  await hook(claims, editor);
  const variables = await authorize();
  expect(variables).toMatchObject({
    "X-Hasura-Role": "user",
    "X-Hasura-Plan": "pro",
    "X-Hasura-Org-Id": "7",
    "X-Hasura-Roles": '{"editor"}',
  });
  expect(Object.values(variables).every((value) => typeof value === "string")).toBe(true);

  const ask = askGraphql(service.url, bearer(access_token));
  const { data, body } = await ask("mutation { insert_seen_one(object: {}) { claims is_editor } }");
  const sub = variables["X-Hasura-User-Id"];
  expect(data ?? body).toEqual({
    insert_seen_one: {
      claims: {
        sub,
        sid: session_id,
        role: "user",
        user_type: "user",
        plan: "pro",
        org_id: 7,
        roles: ["editor"],
        of: sub,
      },
      is_editor: true,
    },
  });
  await client.post("/auth/logout", undefined, bearer(access_token));
});

test("the webhook answers 503 while hook.claims fails, and everybody else's request goes on", async ({
  service,
  client,
  hook,
  database,
}) => {
  const { access_token } = tokensOf(await client.post("/auth/session/guest"));
  const victim = tokensOf(await client.post("/auth/session/guest"));
  await hook(claims, `if session_id = '${victim.session_id}' then raise exception 'no'; end if; return '{}';`);
  const statusOf = async (token: string) =>
    (await fetch(`${service.url}/api/v1/auth/webhook/authorize`, { headers: bearer(token) })).status;
  expect(await Promise.all([access_token, victim.access_token, access_token].map(statusOf))).toEqual([200, 503, 200]);
  const [one, other] = await Promise.all([client.refresh(victim.refresh_token), client.post("/auth/session/guest")]);
  expect([one.status, other.status]).toEqual([500, 200]);
  await database.query("drop function hook.claims");
  expect((await client.refresh(victim.refresh_token)).status).toBe(200);
});
