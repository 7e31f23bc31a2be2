import { expect } from "vitest";
import { bearer, type Answer } from "../../testing/client.ts";
import { guards } from "../rest/guards.ts";
import { routes } from "../rest/routes.ts";
import { test } from "./fixtures/session_fixtures.ts";

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
