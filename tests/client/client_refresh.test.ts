import { describe, expect } from "vitest";
import { memoryTokenStorage } from "../../client/src/index.ts";
import { test } from "../../testing/fixtures.ts";
import { age, connect, refreshesIn, sessionRow, signIn, spoil } from "./fixtures/client_fixtures.ts";

const hour = 3_600;

describe("the access token is refreshed", () => {
  test("shortly before it ends, once for all requests of that moment", async ({ service }) => {
    const storage = memoryTokenStorage();
    const { latchkey, network } = connect(service, { storage });
    await signIn(service, latchkey);
    await latchkey.GET("/auth/session");
    expect(refreshesIn(network)).toBe(0);
    await age(storage, hour - 30);
    const answers = await Promise.all(Array.from({ length: 5 }, () => latchkey.GET("/auth/session")));
    expect(answers.map(({ error }) => error)).toEqual([undefined, undefined, undefined, undefined, undefined]);
    expect(refreshesIn(network)).toBe(1);
  });

  test("when the server refuses it, and the request is repeated once", async ({ service }) => {
    const storage = memoryTokenStorage();
    const { latchkey, network } = connect(service, { storage });
    const { phone } = await signIn(service, latchkey);
    await spoil(storage);
    expect((await latchkey.GET("/auth/session")).data).toMatchObject({ phone });
    expect(network.requests.slice(-3)).toEqual([
      "GET /auth/session",
      "POST /auth/session/refresh",
      "GET /auth/session",
    ]);
  });

  test("for GraphQL too", async ({ service }) => {
    const storage = memoryTokenStorage();
    const { latchkey, network } = connect(service, { storage });
    const { phone } = await signIn(service, latchkey);
    await spoil(storage);
    const { data } = await latchkey.graphql<{ user_account: { phone: string }[] }>("{ user_account { phone } }");
    expect(data?.user_account).toEqual([{ phone }]);
    expect(refreshesIn(network)).toBe(1);
  });

  test("but not for a 401 that has another reason", async ({ service }) => {
    const { latchkey, network } = connect(service);
    await signIn(service, latchkey);
    const { error } = await latchkey.DELETE("/auth/account", { body: { password: "another password" } });
    expect(error).toMatchObject({
      code: "INVALID_REQUEST",
      details: { reason: "login_refused" },
      status: 401,
    });
    expect(refreshesIn(network)).toBe(0);
    expect(latchkey.session.current).not.toBeNull();
  });
});

describe("a lost response", () => {
  test("of a refresh is requested again with the same token, and the session stays live", async ({ service }) => {
    const storage = memoryTokenStorage();
    const { latchkey, network } = connect(service, { storage });
    await signIn(service, latchkey);
    await age(storage, hour);
    const before = await sessionRow(service, latchkey);
    network.lostResponses = 1;
    expect((await latchkey.GET("/auth/session")).error).toBeUndefined();
    expect(refreshesIn(network)).toBe(2);
    const after = await sessionRow(service, latchkey);
    expect(after).toMatchObject({ is_live: true });
    expect(after.refresh_token_id).not.toBe(before.refresh_token_id);
    await age(storage, hour);
    expect((await latchkey.GET("/auth/session")).error).toBeUndefined();
  });

  test("of a login signs nobody in, and the next attempt succeeds", async ({ service }) => {
    const { latchkey, network } = connect(service);
    const person = await signIn(service, connect(service).latchkey);
    await latchkey.session.ensureGuest();
    network.lostResponses = 1;
    const first = await latchkey.POST("/auth/login", { body: person });
    expect(first.error).toMatchObject({ code: "NETWORK_FAILURE", aborted: false });
    expect(latchkey.session.current?.userType).toBe("guest");
    // The guest was promoted by the first attempt and is gone.
    expect((await latchkey.POST("/auth/login", { body: person })).error).toBeUndefined();
    expect(latchkey.session.current?.userType).toBe("user");
  });
});

describe("the network fails", () => {
  test("a session is kept, and works when the network is back", async ({ service }) => {
    const storage = memoryTokenStorage();
    const { latchkey, network } = connect(service, { storage });
    await signIn(service, latchkey);
    await age(storage, 2 * hour);
    network.isOffline = true;
    expect((await latchkey.GET("/auth/session")).error?.code).toBe("NETWORK_FAILURE");
    expect(latchkey.session.current).not.toBeNull();
    network.isOffline = false;
    expect((await latchkey.GET("/auth/session")).error).toBeUndefined();
  });

  test("an access token that is still good is used", async ({ service }) => {
    const storage = memoryTokenStorage();
    const { latchkey, network } = connect(service, { storage });
    await signIn(service, latchkey);
    await age(storage, hour - 30);
    network.isOffline = true;
    expect(await latchkey.session.accessToken()).toEqual({ data: expect.any(String) as string });
  });

  test("after a refusal, before the refresh: that is a network failure, and the session is kept", async ({
    service,
  }) => {
    const storage = memoryTokenStorage();
    const unreachable: typeof fetch = (input, init) => {
      const request = new Request(input, init);
      return request.url.endsWith("/refresh") ? Promise.reject(new TypeError("Failed to fetch")) : fetch(request);
    };
    const { latchkey } = connect(service, { storage, fetch: unreachable });
    await signIn(service, latchkey);
    await spoil(storage);
    expect((await latchkey.GET("/auth/session")).error?.code).toBe("NETWORK_FAILURE");
    expect(latchkey.session.current).not.toBeNull();
  });

  test("if something other than the service responds, the session is kept", async ({ service }) => {
    const storage = memoryTokenStorage();
    const portal: typeof fetch = () => Promise.resolve(new Response("<h1>Welcome to our hotel</h1>", { status: 401 }));
    const { latchkey } = connect(service, { storage });
    await signIn(service, latchkey);
    await age(storage, 2 * hour);
    const behind = connect(service, { storage, fetch: portal }).latchkey;
    expect((await behind.GET("/auth/session")).error).toMatchObject({
      code: "UNEXPECTED_RESPONSE",
      status: 401,
    });
    expect(behind.session.current).not.toBeNull();
  });
});

describe("the session is over", () => {
  test("once the server says so, and the application is notified", async ({ service }) => {
    const { latchkey } = connect(service);
    const other = connect(service).latchkey;
    const person = await signIn(service, latchkey);
    await signIn(service, other, person);
    const seen: (string | undefined)[] = [];
    latchkey.session.onChange((session) => seen.push(session?.id));
    await other.POST("/auth/sessions/revoke-others");
    expect((await latchkey.GET("/auth/session")).error?.code).toBe("SESSION_REVOKED");
    expect(seen).toEqual([undefined]);
    expect(latchkey.session.current).toBeNull();
  });

  test("when a refresh is refused", async ({ service, database }) => {
    const storage = memoryTokenStorage();
    const { latchkey } = connect(service, { storage });
    await signIn(service, latchkey);
    await database.query(`update "user".session set revoked_at = now() where id = $1`, [latchkey.session.current?.id]);
    await age(storage, hour);
    expect(await latchkey.session.accessToken()).toEqual({ data: null });
    expect(latchkey.session.current).toBeNull();
  });

  test("after a logout", async ({ service }) => {
    const { latchkey } = connect(service);
    await signIn(service, latchkey);
    expect((await latchkey.POST("/auth/logout")).error).toBeUndefined();
    expect(latchkey.session.current).toBeNull();
  });
});
