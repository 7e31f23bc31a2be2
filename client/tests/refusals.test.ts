import { expect, test } from "vitest";
import { createLatchkey } from "../src/index.ts";
import { endedSession, fakeFetch, refreshed, refused } from "./fake_service.ts";

const url = "https://auth.example.com";
const success = () => Response.json({ data: {}, meta: {} });

test("a refresh that the service refuses is not tried again, and every request that waits for it shares the refusal", async () => {
  const { requests, fetch } = fakeFetch(() =>
    refused(429, "RATE_LIMIT_EXCEEDED", { retryAfterSeconds: 60, policy: "REFRESH" }),
  );
  const latchkey = createLatchkey({ url, storage: endedSession(), fetch });
  const results = await Promise.all(Array.from({ length: 5 }, () => latchkey.GET("/auth/session")));
  expect(results.map(({ error }) => error?.code)).toEqual(Array(5).fill("RATE_LIMIT_EXCEEDED"));
  expect(requests.length).toBe(1);
  expect(latchkey.session.current).not.toBeNull();
});

test("a failing service gets three attempts of a refresh, however many requests wait for it", async () => {
  const { requests, fetch } = fakeFetch(() => refused(503, "SERVICE_UNAVAILABLE"));
  const latchkey = createLatchkey({ url, storage: endedSession(), fetch });
  const results = await Promise.all(Array.from({ length: 5 }, () => latchkey.GET("/auth/session")));
  expect(results.map(({ error }) => error?.code)).toEqual(Array(5).fill("SERVICE_UNAVAILABLE"));
  expect(requests.length).toBe(3);
});

test("no request follows a redirect, which would hand passwords and refresh tokens to another host", async () => {
  const { requests, fetch } = fakeFetch(({ url }) => (url.endsWith("/refresh") ? refreshed() : success()));
  const latchkey = createLatchkey({ url, storage: endedSession(), fetch });
  await latchkey.GET("/auth/session");
  await latchkey.graphql("{ user_account { phone } }");
  await latchkey.POST("/auth/register", { body: { phone: "+12125550123", password: "correct horse" } });
  expect(requests.map(({ redirect }) => redirect)).toEqual(Array(4).fill("error"));
});

test("whatever the spelling of the service's address, a public route gets no token", async () => {
  for (const written of ["https://auth.example.com:443", "HTTPS://Auth.Example.com", `${url}//`]) {
    const { requests, fetch } = fakeFetch(success);
    const latchkey = createLatchkey({
      url: written,
      storage: endedSession({ receivedAt: Date.now() }),
      fetch,
    });
    await latchkey.POST("/auth/register", { body: { phone: "+12125550123", password: "correct horse" } });
    expect(requests.map(({ url, headers }) => [url, headers.get("authorization")])).toEqual([
      [`${url}/api/v1/auth/register`, null],
    ]);
  }
});

test("a request is aborted whatever the reason of its signal", async () => {
  // Kept, because a signal that nothing refers to may be collected before it is aborted.
  const requests: Request[] = [];
  const never: typeof fetch = (input, init) => {
    const request = new Request(input, init);
    requests.push(request);
    return new Promise((_, reject) => {
      const abort = () => reject(request.signal.reason as Error);
      if (request.signal.aborted) abort();
      else request.signal.addEventListener("abort", abort);
    });
  };
  const latchkey = createLatchkey({ url, storage: endedSession({ receivedAt: Date.now() }), fetch: never });
  const { error } = await latchkey.GET("/auth/session", { signal: AbortSignal.timeout(1) });
  expect(error).toMatchObject({ code: "NETWORK_FAILURE", aborted: true });
  expect(requests).toHaveLength(1);
});

test("stored tokens that cannot be sent count as no session", async () => {
  for (const changes of [
    { refreshToken: 5 },
    { refreshToken: "a\nb" },
    { refreshToken: undefined },
    { receivedAt: "x" },
  ]) {
    const { requests, fetch } = fakeFetch(success);
    const latchkey = createLatchkey({ url, storage: endedSession(changes), fetch });
    expect(latchkey.session.current, JSON.stringify(changes)).toBeNull();
    expect((await latchkey.GET("/auth/session")).error).toBeUndefined();
    expect(requests.length).toBe(1);
  }
});
