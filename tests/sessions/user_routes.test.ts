import { expect } from "vitest";
import { bearer, type Answer, type Client } from "../../testing/service/rest_client.ts";
import { guards } from "../../server/rest/guards.ts";
import type { Method } from "../../server/rest/route.ts";
import { routes } from "../../server/rest/routes.ts";
import { test } from "../fixtures/session_fixtures.ts";

const forUsers = routes.filter(({ guard }) => guard === guards.userToken);

const send = (
  client: Client,
  method: Method,
  path: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<Answer> =>
  method === "GET" ? client.get(path, headers) : client[method === "POST" ? "post" : "delete"](path, body, headers);

test.for(forUsers.map(({ method, path }) => [method, path] as const))(
  "%s %s is for users: a guest is 403, no token and a refresh token are 401",
  async ([method, path], { client, guest, person, logInAs }) => {
    const ownPath = path.replace(/\{\w+\}/, guest.session_id);
    const request = async (headers: Record<string, string>) => {
      // An empty object, where the route takes a body: who is calling is checked before the fields are.
      const answer = await send(client, method, ownPath, headers, method === "POST" ? {} : undefined);
      return [answer.status, answer.code, answer.body.error?.details?.reason];
    };
    expect(await request(bearer(guest.access_token))).toEqual([403, "INVALID_REQUEST", "user_session_required"]);
    expect(await request({})).toEqual([401, "SESSION_NOT_FOUND", "token_missing"]);
    const { refresh_token } = await logInAs(person);
    expect(await request(bearer(refresh_token))).toEqual([401, "SESSION_NOT_FOUND", "token_invalid"]);
  },
);

test("a fixed path is not mistaken for an id, and each path names its methods", async ({ client, person, logInAs }) => {
  const { access_token } = await logInAs(person);
  const answer = await client.delete("/auth/sessions/revoke-others", undefined, bearer(access_token));
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
  const list = await client.post("/auth/sessions", undefined, bearer(access_token));
  expect([list.status, list.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});
