import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createLatchkey, memoryTokenStorage, type Session } from "../src/index.ts";
import { createLiveQueries } from "../src/live.ts";
import { retryWait } from "../src/retry_wait.ts";
import { sessionOf } from "../src/session_tokens.ts";
import type { OwnSession } from "../src/session.ts";
import { eventually } from "../../testing/eventually.ts";
import { accessToken, fakeFetch, FakeSocket } from "./fake_service.ts";

vi.mock("../src/retry_wait.ts", { spy: true });
beforeEach(() => void vi.mocked(retryWait).mockReset());

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

/** Sockets that answer each subscription with the errors that this makes of its query, if it makes some. */
function refusing(errorsOf: (query: string) => unknown[] | undefined) {
  return class extends FakeSocket {
    override send(text: string): void {
      const { type, id, payload } = JSON.parse(text) as { type: string; id?: string; payload?: { query: string } };
      const errors = type === "subscribe" && payload ? errorsOf(payload.query) : undefined;
      if (!errors) super.send(text);
      else queueMicrotask(() => this.onmessage?.({ data: JSON.stringify({ type: "error", id, payload: errors }) }));
    }
  };
}

const forNow = { message: "Too much.", extensions: { code: "limit-exceeded", retryAfterSeconds: 2 } };
const forGood = { message: "Too much.", extensions: { code: "limit-exceeded" } };
/** The first argument of retryWait, of each pause. */
const pauses = () => vi.mocked(retryWait).mock.calls.map(([retries]) => retries);

test.for([[[forGood]], [[forNow, forGood]]])(
  "a live query that is refused for now begins again, and one that is refused for good does not: %j",
  async ([last]) => {
    vi.mocked(retryWait).mockResolvedValue();
    const refusals = [[forNow], last];
    let answered = 0;
    const webSocket = refusing(() => refusals[answered++]);
    const session = fakeSession({ data: accessToken({ sid: "new" }) });
    const { live, close } = createLiveQueries(url, session, { webSocket, onOnline: () => undefined });
    onTestFinished(close);
    const results: unknown[] = [];
    live(query, ({ data, error }) => results.push(data ?? error?.code));
    await eventually("the refusal for good", () => results.length === 1);
    expect([answered, results]).toEqual([2, ["limit-exceeded"]]);
    // 2 to 4 seconds: not before the server's retryAfterSeconds.
    expect(pauses()).toEqual([4]);
  },
);

test("the pauses of a live query that is refused for now grow, whatever others get", async () => {
  vi.mocked(retryWait).mockResolvedValue();
  const left = new Map([2, 2, 2, 0].map((refusals, index) => [`subscription { q${index} }`, refusals]));
  const webSocket = refusing((asked) => {
    const refusals = left.get(asked) ?? 0;
    left.set(asked, refusals - 1);
    return refusals > 0 ? [forNow] : undefined;
  });
  const session = fakeSession({ data: accessToken({ sid: "new" }) });
  const { live, close } = createLiveQueries(url, session, { webSocket, onOnline: () => undefined });
  onTestFinished(close);
  const results: unknown[] = [];
  for (const each of left.keys()) live(each, ({ data }) => results.push(data));
  await eventually("the rows of all", () => results.length === 4);
  expect(pauses()).toEqual([4, 4, 4, 5, 5, 5]);
});

test("a live query that waits to begin again learns of a sign-out at once, and of a sign-in", async () => {
  // Ends at the moments alone: the time never comes.
  vi.mocked(retryWait).mockImplementation((_, moments) => new Promise((resolve) => void moments?.(resolve)));
  const refusals = [[forNow], undefined, [forNow]];
  const webSocket = refusing(() => refusals.shift());
  const session = fakeSession(
    { data: accessToken({ sid: "new" }) },
    { data: accessToken({ sid: "new" }) },
    { data: null },
  );
  const { current } = session;
  const change = (next: Session | null) => {
    Object.assign(session, { current: next });
    for (const listener of [...listeners]) listener(next);
  };
  const listeners = new Set<(session: Session | null) => void>();
  session.onChange = (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const { live, close } = createLiveQueries(url, session, { webSocket, onOnline: () => undefined });
  onTestFinished(close);
  const results: unknown[] = [];
  live(query, ({ data, error }) => results.push(data ?? error?.code));
  await eventually("the first refusal", () => pauses().length === 1);
  change(current);
  await eventually("the rows", () => results.length === 1);
  const stop = live(query, ({ data, error }) => results.push(data ?? error?.code));
  await eventually("the second refusal", () => pauses().length === 2);
  change(null);
  await eventually("the end of both", () => results.length === 3);
  stop();
  expect(results).toEqual([{ rows: 1 }, "access-denied", "access-denied"]);
});

test.for([[undefined], [null], ["busy"], [{}], [{ code: 7, retryAfterSeconds: "2" }]])(
  "an error of another server ends a live query with an error: %j",
  async ([extensions]) => {
    const webSocket = refusing(() => [{ message: "No.", extensions }]);
    const session = fakeSession({ data: accessToken({ sid: "new" }) });
    const { live, close } = createLiveQueries(url, session, { webSocket, onOnline: () => undefined });
    onTestFinished(close);
    const results: unknown[] = [];
    live(query, ({ data, error }) => results.push(data ?? error?.code));
    await eventually("the error", () => results.length === 1);
    expect(results).toEqual(["UNEXPECTED_RESPONSE"]);
    expect(pauses()).toEqual([]);
  },
);

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
