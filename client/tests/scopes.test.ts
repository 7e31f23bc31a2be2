import { expect } from "vitest";
import type * as Client from "../src/index.ts";
import { accessToken, FakeSocket } from "./fake_service.ts";
import { asyncStorage, test, url, without, type Scope } from "./fixtures/scope_fixtures.ts";

interface Row {
  missing: string;
  /** Takes something away from the scope. */
  change?: (scope: Scope) => void;
  /** Runs in the scope before the client is loaded. */
  script?: string;
  options?: Client.LatchkeyOptions;
}

const storageOfThenables = (): Client.TokenStorage => {
  let stored: string | null = null;
  const then = (resolve: (value: string | null) => void) => resolve(stored);
  return { read: () => ({ then }) as Promise<string | null>, write: (value) => void (stored = value) };
};

const rows: Row[] = [
  { missing: "nothing: a page" },
  {
    missing: "the window's events (React Native)",
    change(scope) {
      without("document", "localStorage", "BroadcastChannel")(scope);
      Object.assign(scope, { window: {}, navigator: { product: "ReactNative" } });
    },
  },
  {
    missing: "the window (workers, servers)",
    change: without("window", "document", "location", "localStorage"),
  },
  { missing: "TextDecoder", change: without("TextDecoder") },
  { missing: "atob", change: without("atob") },
  {
    missing: "AbortSignal.timeout and AbortSignal.any",
    change: (scope) => Object.assign(scope, { AbortSignal: Object }),
  },
  {
    missing: "Promise.withResolvers, beside an IndexedDB that never answers",
    change: (scope) => Object.assign(scope, { indexedDB: { open: () => ({}) } }),
    script: "delete Promise.withResolvers",
  },
  { missing: "BroadcastChannel", change: without("BroadcastChannel") },
  { missing: "localStorage, with the default storage", change: without("localStorage"), options: {} },
  { missing: "navigator (Node 20)", change: without("navigator") },
  { missing: "Web Locks", change: (scope) => Object.assign(scope, { navigator: {} }) },
  {
    missing: 'redirect "error" (Cloudflare Workers)',
    change(scope) {
      const refuse = (init?: RequestInit) => {
        if (init?.redirect === "error") throw new TypeError("Invalid redirect value");
      };
      const { fetch } = scope;
      scope.Request = class extends Request {
        constructor(input: string | Request, init?: RequestInit) {
          refuse(init);
          super(input, init);
        }
      } as typeof Request;
      scope.fetch = async (input, init) => {
        refuse(init);
        return fetch!(input, init);
      };
    },
  },
  {
    missing: "Request, FormData and URLSearchParams",
    change: without("Request", "FormData", "URLSearchParams"),
  },
  {
    missing: "the engine's Promise (zone.js)",
    script: "globalThis.Promise = class ZoneAwarePromise extends Promise {}",
  },
  {
    missing: "promises of the storage that are more than thenables",
    options: { storage: storageOfThenables() },
  },
  {
    missing: "WebSocket (Node 20), given as an option",
    change: without("WebSocket"),
    options: { storage: asyncStorage(), webSocket: FakeSocket },
  },
];

test.for(rows)("the client works without $missing", async ({ change, script, options }, { load }) => {
  const { client, requests } = load(change, script);
  const latchkey = client.createLatchkey({ url, ...(options ?? { storage: asyncStorage() }) });
  await latchkey.session.ready;
  expect((await latchkey.session.ensureGuest()).data?.userType).toBe("guest");
  const login = await latchkey.POST("/auth/login", { body: { phone: "+12125550123", password: "x" } });
  expect(login.error).toBeUndefined();
  expect(latchkey.session.current).toEqual({ id: "user", userType: "user", userId: "user" });
  expect((await latchkey.GET("/auth/sessions")).data).toEqual({ sessions: [] });
  const { data } = await latchkey.graphql<{ user_account: unknown[] }>("{ user_account { phone } }");
  expect(data?.user_account).toEqual([]);
  const rows = await new Promise((resolve) => {
    latchkey.live("subscription { user_session { id } }", ({ data, error }) => resolve(error ?? data));
  });
  expect(rows).toEqual({ rows: 1 });
  expect((await latchkey.POST("/auth/logout")).error).toBeUndefined();
  expect((await latchkey.session.accessToken()).data).toBeNull();
  latchkey.close();
  expect(requests.map(({ route }) => route)).toHaveLength(5);
  expect(requests.filter(({ redirect }) => redirect !== "error" && redirect !== "manual")).toEqual([]);
});

test.for(rows)("a session is refreshed without $missing", async ({ change, script, options }, { load }) => {
  const { client, requests } = load(change, script);
  const storage = options?.storage ?? asyncStorage();
  const stored = {
    accessToken: accessToken({ sid: "user" }),
    refreshToken: "refresh.token.0",
    receivedAt: 0,
  };
  await storage.write(JSON.stringify(stored));
  const latchkey = client.createLatchkey({ url, ...options, storage });
  expect((await latchkey.GET("/auth/sessions")).error).toBeUndefined();
  expect(requests.map(({ route }) => route)).toEqual(["/api/v1/auth/session/refresh", "/api/v1/auth/sessions"]);
  latchkey.close();
});

test('where redirect "error" is missing, a redirect is the response, and is not followed', async ({ load }) => {
  let requests = 0;
  const { client } = load((scope) => {
    const row = rows.find(({ missing }) => missing.startsWith("redirect"));
    scope.fetch = () => {
      requests++;
      return Promise.resolve(new Response(null, { status: 307, headers: { location: "https://evil.example" } }));
    };
    row!.change!(scope);
  });
  const latchkey = client.createLatchkey({ url, storage: asyncStorage() });
  const { error } = await latchkey.POST("/auth/login", { body: { phone: "+12125550123", password: "x" } });
  expect(error).toMatchObject({ code: "UNEXPECTED_RESPONSE", status: 307 });
  expect(requests).toBe(1);
});
