import { expect, onTestFinished, test } from "vitest";
import { createLatchkey, memoryTokenStorage, type Session } from "../src/index.ts";
import { createLiveQueries } from "../src/live.ts";
import { sessionOf } from "../src/session_tokens.ts";
import type { OwnSession } from "../src/session.ts";
import { eventually } from "../../testing/eventually.ts";
import { accessToken, fakeFetch, FakeSocket } from "./fake_service.ts";

const query = "subscription { user_session { id } }";
const url = "https://auth.example.com";

/** Sockets that record the tokens that were sent to them. */
function recordTokens() {
  const tokens: (string | undefined)[] = [];
  class Socket extends FakeSocket {
    override send(text: string): void {
      const { type, payload } = JSON.parse(text) as {
        type: string;
        payload?: { headers: { Authorization: string } };
      };
      if (type === "connection_init") tokens.push(payload?.headers.Authorization.replace("Bearer ", ""));
      super.send(text);
    }
  }
  return { tokens, webSocket: Socket };
}

test("a live query that began before the sign-in has its rows after each sign-in", async () => {
  const { fetch } = fakeFetch(({ url }) =>
    Response.json({
      data: {
        access_token: accessToken(url.endsWith("/guest") ? { sid: "guest", user_type: "guest" } : { sid: "user" }),
        refresh_token: "r.e.f",
      },
      meta: {},
    }),
  );
  const latchkey = createLatchkey({ url, storage: memoryTokenStorage(), fetch, ...recordTokens() });
  onTestFinished(() => latchkey.close());
  const [results, stopped]: [string[], string[]] = [[], []];
  const stop = latchkey.live(query, ({ error }) => stopped.push(error?.code ?? "rows"));
  latchkey.live(query, ({ error }) => results.push(error?.code ?? "rows"));
  await eventually("the refusal", () => results.length === 1 && stopped.length === 1);
  stop();

  await latchkey.session.ensureGuest();
  await eventually("the guest's rows", () => results.length === 2);
  await latchkey.POST("/auth/login", { body: { phone: "+12125550123", password: "x" } });
  await eventually("the user's rows", () => results.length === 3);
  await latchkey.session.forget();
  await eventually("the end", () => results.length === 4);
  await latchkey.POST("/auth/login", { body: { phone: "+12125550123", password: "x" } });
  await eventually("the rows after another sign-in", () => results.length === 5);
  expect(results).toEqual(["access-denied", "rows", "rows", "access-denied", "rows"]);
  expect(stopped).toEqual(["access-denied"]);
});

/** A session whose tokens come one after the other. */
function fakeSession(...results: Awaited<ReturnType<OwnSession["accessToken"]>>[]) {
  const session = {
    current: sessionOf({ accessToken: accessToken({ sid: "new" }) }) as Session | null,
    accessToken: () => Promise.resolve(results.length > 1 ? results.shift()! : results[0]!),
    onChange: () => () => undefined,
  };
  return session as unknown as OwnSession;
}

test("a token of another session than the current one is not sent", async () => {
  const { tokens, webSocket } = recordTokens();
  const [old, current] = ["old", "new"].map((sid) => accessToken({ sid }));
  const session = fakeSession({ data: old! }, { data: current! });
  const { live, close } = createLiveQueries(url, session, { webSocket, onOnline: () => undefined });
  onTestFinished(close);
  const results: unknown[] = [];
  live(query, ({ data, error }) => results.push(data ?? error));
  await eventually("the rows", () => results.length === 1);
  expect(results).toEqual([{ rows: 1 }]);
  expect(tokens).toEqual([current]);
});

test("a socket that closes late, after its session was replaced, does not end the next socket's live query", async () => {
  class Late extends FakeSocket {
    override close(code = 1000, reason = ""): void {
      this.readyState = FakeSocket.CLOSING;
      setTimeout(() => this.onclose?.({ code, reason }), 50);
    }
  }
  const [old, current] = ["old", "new"].map((sid) => accessToken({ sid }));
  const session = fakeSession({ data: old! }, { data: current! });
  const { live, onConnection, close } = createLiveQueries(url, session, {
    webSocket: Late,
    onOnline: () => undefined,
  });
  onTestFinished(close);
  const results: unknown[] = [];
  let closings = 0;
  onConnection((isConnected) => (closings += Number(!isConnected)));
  live(query, ({ data, error }) => results.push(data ?? error));
  await eventually("the rows again after the late closing", () => closings === 1 && results.length >= 2);
  expect(results).toEqual([{ rows: 1 }, { rows: 1 }]);
});

test("a live query that is refused for now begins again, and one that is refused for good does not", async () => {
  const refusals = [{ code: "limit-exceeded", retryAfterSeconds: 2 }, { code: "limit-exceeded" }];
  let answered = 0;
  class Refusing extends FakeSocket {
    override send(text: string): void {
      const { type, id } = JSON.parse(text) as { type: string; id?: string };
      const extensions = type === "subscribe" ? refusals[answered++] : undefined;
      if (!extensions) {
        super.send(text);
        return;
      }
      const message = { type: "error", id, payload: [{ message: "Too much.", extensions }] };
      queueMicrotask(() => this.onmessage?.({ data: JSON.stringify(message) }));
    }
  }
  const session = fakeSession({ data: accessToken({ sid: "new" }) });
  const { live, close } = createLiveQueries(url, session, { webSocket: Refusing, onOnline: () => undefined });
  onTestFinished(close);
  const results: unknown[] = [];
  live(query, ({ data, error }) => results.push(data ?? error?.code));
  await eventually("the refusal for good", () => results.length === 1);
  expect([answered, results]).toEqual([2, ["limit-exceeded"]]);
});

test("a token that cannot be had now does not end a live query", async () => {
  const failure = { code: "NETWORK_FAILURE", message: "", aborted: false, cause: undefined } as const;
  const session = fakeSession({ error: failure }, { data: accessToken({ sid: "new" }) });
  const options = { webSocket: FakeSocket, onOnline: () => undefined };
  const { live, close } = createLiveQueries(url, session, options);
  onTestFinished(close);
  const results: unknown[] = [];
  live(query, ({ data, error }) => results.push(data ?? error));
  await eventually("the rows", () => results.length === 1);
  expect(results).toEqual([{ rows: 1 }]);
});

test("a storage that fails does not end a live query", async () => {
  let isLocked = true;
  const stored = JSON.stringify({
    accessToken: accessToken(),
    refreshToken: "r.e.f",
    receivedAt: Date.now(),
  });
  const storage = {
    read: () => (isLocked ? Promise.reject(new Error("The keychain is locked.")) : Promise.resolve(stored)),
    write: () => undefined,
  };
  const latchkey = createLatchkey({ url, storage, webSocket: FakeSocket });
  onTestFinished(() => latchkey.close());
  await expect(latchkey.session.ready).rejects.toThrow("The keychain is locked.");
  const results: unknown[] = [];
  const connections: boolean[] = [];
  latchkey.onConnection((isConnected) => connections.push(isConnected));
  latchkey.live(query, ({ data, error }) => results.push(data ?? error));
  await eventually("a failed attempt", () => connections.length > 0);
  isLocked = false;
  await eventually("the rows", () => results.length === 1);
  expect(results).toEqual([{ rows: 1 }]);
});
