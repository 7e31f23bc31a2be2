import { describe, expect } from "vitest";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";
import { askGraphql } from "../../testing/graphql/graphql_client.ts";
import { test } from "../../testing/graphql/graphql_fixtures.ts";

const query = "{ user_session { id } }";

describe("with this server's own webhook", () => {
  test("a valid token is accepted, a revoked one is refused", async ({ service, client }) => {
    const { access_token } = tokensOf(await client.post("/auth/session/guest"));
    const ask = askGraphql(service.url, bearer(access_token));
    expect((await ask(query)).status).toBe(200);
    await client.post("/auth/logout", undefined, bearer(access_token));
    expect(await ask(query)).toMatchObject({ status: 401, code: "access-denied" });
  });

  test("a missing, malformed or forged token and a refresh token are refused", async ({ service, client }) => {
    const { access_token, refresh_token } = tokensOf(await client.post("/auth/session/guest"));
    const forged = `${access_token.slice(0, -4)}AAAA`;
    for (const headers of [{}, { authorization: access_token }, bearer(forged), bearer(refresh_token)]) {
      expect(await askGraphql(service.url, headers)(query)).toMatchObject({
        status: 401,
        code: "access-denied",
      });
    }
  });

  test("a lost database is 503, not 401", async ({ service, client }) => {
    const { access_token } = tokensOf(await client.post("/auth/session/guest"));
    await service.proxy.cut();
    const response = await askGraphql(service.url, bearer(access_token))(query);
    await service.proxy.restore();
    expect(response).toMatchObject({ status: 503, code: "unexpected" });
  });
});
