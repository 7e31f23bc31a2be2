import { expect } from "vitest";
import { accessToken } from "./fake_service.ts";
import { asyncStorage, test, url, without, type Scope } from "./fixtures/scope_fixtures.ts";

test.for([
  {
    surroundings: "on a server, where all visitors would share the session",
    change: without("window", "document"),
  },
  { surroundings: "on a server that has a localStorage", change: without("window") },
  {
    surroundings: "in React Native, where it would end with the app",
    change: (scope: Scope) => {
      without("document", "localStorage")(scope);
      scope.window = {} as never;
    },
  },
])("without a storage no client is created $surroundings", ({ change }, { load }) => {
  const { client } = load(change);
  expect(() => client.createLatchkey({ url })).toThrow(
    "createLatchkey needs the option storage outside of a page. On a server one client would sign all visitors in",
  );
  client.createLatchkey({ url, storage: client.memoryTokenStorage() }).close();
});

test("a network failure keeps its cause in an engine whose errors take none", async ({ load }) => {
  const cause = new TypeError("Network request failed");
  const change = (scope: Scope) => Object.assign(scope, { fetch: () => Promise.reject(cause) });
  const script = "globalThis.Error = class extends Error { constructor(message) { super(message); } }";
  const latchkey = load(change, script).client.createLatchkey({ url, storage: asyncStorage() });
  expect((await latchkey.GET("/health")).error).toMatchObject({ code: "NETWORK_FAILURE", cause });
});

test("without a WebSocket live() says what to pass, and everything else works", async ({ load }) => {
  const { client } = load(without("WebSocket"));
  const latchkey = client.createLatchkey({ url, storage: asyncStorage() });
  expect((await latchkey.session.ensureGuest()).data?.userType).toBe("guest");
  expect(() => latchkey.live("subscription { user_session { id } }", () => undefined)).toThrow(
    "Live queries need a WebSocket, which is missing here: pass a class as the option webSocket",
  );
  latchkey.close();
});

test("without the page's events the application says when it is visible and online", async ({ load }) => {
  const { client, requests } = load((scope) => Object.assign(scope, { window: {} }));
  const storage = asyncStorage();
  const listeners: Record<"visible" | "online", Set<() => void>> = { visible: new Set(), online: new Set() };
  const moments = (name: keyof typeof listeners) => (listener: () => void) => {
    listeners[name].add(listener);
    return () => listeners[name].delete(listener);
  };
  const latchkey = client.createLatchkey({
    url,
    storage,
    onVisible: moments("visible"),
    onOnline: moments("online"),
  });
  await latchkey.session.ready;
  const seen = new Promise((resolve) => latchkey.session.onChange((session) => resolve(session?.id)));
  const stored = {
    accessToken: accessToken({ sid: "user" }),
    refreshToken: "refresh.token.0",
    receivedAt: 0,
  };
  await storage.write(JSON.stringify(stored));
  for (const listener of listeners.visible) listener();
  expect(await seen).toBe("user");
  for (const listener of listeners.online) listener();
  await latchkey.session.accessToken();
  expect(requests.map(({ route }) => route)).toEqual(["/api/v1/auth/session/refresh"]);
  latchkey.close();
  expect([listeners.visible.size, listeners.online.size]).toEqual([0, 0]);
});
