import { describe, expect } from "vitest";
import { test as baseTest } from "../../testing/fixtures.ts";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";
import { logIn, signUp } from "../../testing/service/people.ts";

const secrets = { orders: "the+orders/secret=0123456789abcdef", billing: "the-billing-secret-0123456789abc" };
const RESOURCE_SERVERS = Object.entries(secrets).map((pair) => pair.join(":"));

const basic = (credentials: string) => ({
  authorization: `Basic ${Buffer.from(credentials).toString("base64")}`,
});
const orders = basic(`orders:${secrets.orders}`);
const form = { "content-type": "application/x-www-form-urlencoded" };

const test = baseTest
  .extend("serviceOptions", { scope: "file" }, () => ({
    env: { RESOURCE_SERVERS: RESOURCE_SERVERS.join(", "), JWT_ISSUER: "https://auth.example.com/tenant" },
  }))
  .extend("ask", ({ service }) => {
    return async (path: string, body: string, headers: Record<string, string> = { ...orders, ...form }) => {
      const response = await fetch(service.url + path, { method: "POST", headers, body });
      const { status, headers: received } = response;
      return { status, headers: received, body: (await response.json()) as Record<string, unknown> };
    };
  })
  .extend("introspect", ({ ask }) => async (token: string) => {
    const { status, body } = await ask("/oauth/introspect", new URLSearchParams({ token }).toString());
    expect(status).toBe(200);
    return body;
  });

describe("introspection", () => {
  test("tells a live token's claims, until its session ends", async ({ client, service, introspect }) => {
    const user = await logIn(service, await signUp(service));
    expect(await introspect(user.access_token)).toMatchObject({
      active: true,
      token_type: "Bearer",
      iss: "https://auth.example.com/tenant",
      aud: "latchkey-api",
      client_id: "latchkey",
      sid: user.session_id,
      role: "user",
      token_use: "access",
      exp: expect.any(Number) as number,
      iat: expect.any(Number) as number,
      jti: expect.any(String) as string,
    });
    await client.post("/auth/logout", {}, bearer(user.access_token));
    expect(await introspect(user.access_token)).toEqual({ active: false });
  });

  test("a guest is told by its role, a refresh token and anything else is inactive", async ({ client, introspect }) => {
    const guest = tokensOf(await client.post("/auth/session/guest"));
    expect(await introspect(guest.access_token)).toMatchObject({ active: true, role: "guest", sub: guest.session_id });
    for (const token of [guest.refresh_token, `${guest.access_token}x`, "x", "ä".repeat(1000)])
      expect(await introspect(token)).toEqual({ active: false });
  });

  test("a token of another audience, or of another issuer, is inactive", async ({ service, introspect }) => {
    for (const env of [{ JWT_AUDIENCE: "another" }, { JWT_ISSUER: "https://another.example.com" }]) {
      const { client } = await service.startAnotherServer(env);
      const guest = tokensOf(await client.post("/auth/session/guest"));
      expect(await introspect(guest.access_token)).toEqual({ active: false });
    }
  });

  test("a claim of hook.claims does not say whether the token is live", async ({ client, database, introspect }) => {
    await database.query(`create function hook.claims(user_id uuid, session_id uuid) returns jsonb language sql
      as $$ select '{"active": false, "token_type": "x", "plan": "pro"}'::jsonb $$`);
    const guest = tokensOf(await client.post("/auth/session/guest"));
    await database.query("drop function hook.claims");
    expect(await introspect(guest.access_token)).toMatchObject({ active: true, token_type: "Bearer", plan: "pro" });
  });

  test("the answer is for nobody's cache, and a database that is away is no refusal", async ({
    service,
    ask,
    client,
  }) => {
    const { access_token: token } = tokensOf(await client.post("/auth/session/guest"));
    const body = new URLSearchParams({ token, token_type_hint: "refresh_token" }).toString();
    expect((await ask("/oauth/introspect", body)).headers.get("cache-control")).toBe("no-store");
    await service.proxy.cut();
    const answer = await ask("/oauth/introspect", body).finally(() => service.proxy.restore());
    expect([answer.status, answer.body.error]).toEqual([503, "temporarily_unavailable"]);
    expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
  });
});

describe("revocation", () => {
  test.for(["access_token", "refresh_token"] as const)("of the %s ends its session", async (kind, { client, ask }) => {
    const tokens = tokensOf(await client.post("/auth/session/guest"));
    for (let time = 1; time <= 2; time++)
      expect(await ask("/oauth/revoke", new URLSearchParams({ token: tokens[kind] }).toString())).toMatchObject({
        status: 200,
        body: {},
      });
    const answer = await client.get("/auth/session", bearer(tokens.access_token));
    expect(answer.body).toMatchObject({ error: { code: "SESSION_REVOKED" } });
  });

  test("a token that nobody knows is answered alike, and ends nothing", async ({ client, ask }) => {
    const { access_token } = tokensOf(await client.post("/auth/session/guest"));
    const answer = await ask("/oauth/revoke", new URLSearchParams({ token: `${access_token}x` }).toString());
    expect(answer).toMatchObject({ status: 200, body: {} });
    expect((await client.get("/auth/session", bearer(access_token))).status).toBe(200);
  });
});

describe.for(["/oauth/introspect", "/oauth/revoke"])("%s", (path) => {
  test("answers nobody but a resource server with its own secret", async ({ client, ask }) => {
    const { access_token } = tokensOf(await client.post("/auth/session/guest"));
    const body = new URLSearchParams({ token: access_token }).toString();
    const refused: Record<string, string>[] = [
      {},
      bearer(access_token),
      basic(`orders:${secrets.billing}`),
      basic("orders:"),
      basic("orders"),
      basic(`nobody:${secrets.orders}`),
      basic(`ORDERS:${secrets.orders}`),
      basic(":"),
      { authorization: `Basic ${secrets.orders}` },
      { authorization: "Basic" },
    ];
    for (const headers of refused) {
      const answer = await ask(path, body, { ...form, ...headers });
      expect([headers, answer.status, answer.body.error]).toEqual([headers, 401, "invalid_client"]);
      expect(answer.headers.get("www-authenticate")).toMatch(/^Basic realm=/);
    }
    const inBody = new URLSearchParams({ token: access_token, client_id: "orders", client_secret: secrets.orders });
    expect((await ask(path, inBody.toString(), form)).status).toBe(401);
    expect((await client.get("/auth/session", bearer(access_token))).status, "nothing was revoked").toBe(200);
  });

  test("takes credentials as they are, and encoded as OAuth's clients do", async ({ ask }) => {
    for (const credentials of [`orders:${secrets.orders}`, `orders:${encodeURIComponent(secrets.orders)}`])
      expect((await ask(path, "token=x", { ...form, ...basic(credentials) })).status).toBe(200);
  });

  test("says in OAuth's words what a request lacks", async ({ ask }) => {
    const requests: [string, Record<string, string>?][] = [
      [""],
      ["token="],
      ["token=a&token=b"],
      ["token[x]=a"],
      ["x=1"],
      [`token=${"x".repeat(20_000)}`],
      ["token=x", { "content-type": "text/plain" }],
      ['{"token":"x"}', { "content-type": "application/json" }],
      ["token=x", { ...form, "content-encoding": "gzip" }],
    ];
    for (const [body, headers = form] of requests) {
      const answer = await ask(path, body, { ...orders, ...headers });
      expect([body.slice(0, 30), answer.status, answer.body.error]).toEqual([
        body.slice(0, 30),
        400,
        "invalid_request",
      ]);
      expect(answer.body).not.toHaveProperty("meta");
    }
  });

  test("takes POST alone: a token is never part of a URL", async ({ service }) => {
    const answer = await fetch(`${service.url}${path}?token=x`, { headers: orders });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
  });
});

test("neither path exists where no resource server is named, and no discovery where the issuer is a name", async ({
  service,
}) => {
  const { url } = await service.startAnotherServer({ RESOURCE_SERVERS: "", JWT_ISSUER: "" });
  for (const path of ["/oauth/introspect", "/oauth/revoke"])
    expect((await fetch(url + path, { method: "POST" })).status).toBe(404);
  for (const name of ["openid-configuration", "oauth-authorization-server"])
    expect((await fetch(`${url}/.well-known/${name}`)).status).toBe(404);
});

test("a secret is replaced without a pause: a name may have two", async ({ service }) => {
  const both = `orders:${secrets.billing},${RESOURCE_SERVERS[0]}`;
  const { url } = await service.startAnotherServer({ RESOURCE_SERVERS: both });
  for (const secret of [secrets.orders, secrets.billing]) {
    const headers = { ...form, ...basic(`orders:${secret}`) };
    expect((await fetch(`${url}/oauth/introspect`, { method: "POST", headers, body: "token=x" })).status).toBe(200);
  }
});

test("discovery names what there is and nothing else, for both standards", async ({ service }) => {
  const issuer = "https://auth.example.com/tenant";
  const expected = {
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    response_types_supported: [],
    id_token_signing_alg_values_supported: ["ES256"],
    introspection_endpoint: `${issuer}/oauth/introspect`,
    introspection_endpoint_auth_methods_supported: ["client_secret_basic"],
    revocation_endpoint: `${issuer}/oauth/revoke`,
  };
  for (const path of ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"]) {
    const answer = await fetch(service.url + path);
    expect([path, answer.status, answer.headers.get("cache-control")]).toEqual([path, 200, "public, max-age=300"]);
    const body: unknown = await answer.json();
    expect(body).toMatchObject(expected);
    expect(body).not.toHaveProperty("token_endpoint");
    expect(body).not.toHaveProperty("authorization_endpoint");
  }
  const { url } = await service.startAnotherServer({ RESOURCE_SERVERS: "", JWT_ISSUER: "https://auth.example.com/" });
  const plain: unknown = await (await fetch(`${url}/.well-known/openid-configuration`)).json();
  expect(plain).toMatchObject({
    issuer: "https://auth.example.com/",
    jwks_uri: "https://auth.example.com/.well-known/jwks.json",
  });
  expect(plain).not.toHaveProperty("introspection_endpoint");
});
