import { join } from "node:path";
import { createContext, runInContext, type Context } from "node:vm";
import { build, type Rolldown } from "vite";
import { beforeAll, expect, test } from "vitest";
import type * as Client from "../src/index.ts";
import { accessToken, FakeSocket } from "./fake_service.ts";

/** The client as one script, for scopes that lack what Node has. */
let bundle: string;
beforeAll(async () => {
  const output = await build({
    configFile: false,
    logLevel: "error",
    root: join(import.meta.dirname, ".."),
    build: { write: false, minify: false, lib: { entry: "src/index.ts", formats: ["iife"], name: "client" } },
  });
  bundle = (output as Rolldown.RolldownOutput[])[0]!.output[0].code;
});

const url = "https://auth.example.com";

/** The fetch of a scope: answers as the service does, and collects the requests. */
function createService() {
  const requests: (RequestInit & { route: string })[] = [];
  let issued = 0;
  const tokens = (user_type: "guest" | "user") => ({
    access_token: accessToken({ sid: user_type, user_type, jti: `${++issued}`, name: "Zoë 😀" }),
    refresh_token: `refresh.token.${issued}`,
  });
  const answers: Record<string, () => object> = {
    "/api/v1/auth/session/guest": () => tokens("guest"),
    "/api/v1/auth/login": () => tokens("user"),
    "/api/v1/auth/session/refresh": () => tokens("user"),
    "/api/v1/auth/sessions": () => ({ sessions: [] }),
    "/api/v1/auth/logout": () => ({}),
    "/v1/graphql": () => ({ user_account: [] }),
  };
  const fetch = async (input: string | Request, init: RequestInit = {}): Promise<Response> => {
    const request = typeof input === "string" ? { ...init, url: input } : input;
    const route = request.url.slice(url.length);
    requests.push({ ...init, redirect: request.redirect!, route });
    await Promise.resolve();
    return Response.json({ data: answers[route]!(), meta: {} });
  };
  return { fetch, requests };
}

/** The globals of a page, besides those of the language. */
const page = (service: ReturnType<typeof createService>) => {
  const stored = new Map<string, string>();
  return {
    URL,
    URLSearchParams,
    Headers,
    Request,
    Response,
    FormData,
    AbortController,
    AbortSignal,
    setTimeout,
    clearTimeout,
    performance,
    atob,
    TextDecoder,
    DOMException,
    BroadcastChannel,
    fetch: service.fetch,
    WebSocket: FakeSocket,
    location: { origin: url },
    document: {},
    navigator: { locks: { request: (_name: string, work: () => unknown) => work() } },
    window: { addEventListener: () => undefined, removeEventListener: () => undefined },
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    },
  };
};
type Scope = Partial<ReturnType<typeof page>> & Record<string, unknown>;

interface Row {
  missing: string;
  /** Takes something away from the scope. */
  change?: (scope: Scope) => void;
  /** Runs in the scope before the client is loaded. */
  script?: string;
  options?: Client.LatchkeyOptions;
}

/** A shared storage whose promises are those of Node, not of the scope. */
function asyncStorage(): Client.TokenStorage {
  let stored: string | null = null;
  return {
    sharedAs: "scopes",
    read: () => Promise.resolve(stored),
    write: (value) => Promise.resolve().then(() => void (stored = value)),
  };
}

const storageOfThenables = (): Client.TokenStorage => {
  let stored: string | null = null;
  const then = (resolve: (value: string | null) => void) => resolve(stored);
  return { read: () => ({ then }) as Promise<string | null>, write: (value) => void (stored = value) };
};

const without =
  (...names: (keyof Scope)[]) =>
  (scope: Scope) => {
    for (const name of names) Reflect.deleteProperty(scope, name);
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

function load(change: (scope: Scope) => void = () => undefined, script = "") {
  const service = createService();
  const scope: Scope = page(service);
  change(scope);
  const context: Context = createContext(scope);
  runInContext(script, context);
  return { ...service, client: runInContext(`${bundle};client`, context) as typeof Client };
}

test.for(rows)("the client works without $missing", async ({ change, script, options }) => {
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

test.for(rows)("a session is refreshed without $missing", async ({ change, script, options }) => {
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

test('where redirect "error" is missing, a redirect is the response, and is not followed', async () => {
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
])("without a storage no client is created $surroundings", ({ change }) => {
  const { client } = load(change);
  expect(() => client.createLatchkey({ url })).toThrow(
    "createLatchkey needs the option storage outside of a page. On a server one client would sign all visitors in",
  );
  client.createLatchkey({ url, storage: client.memoryTokenStorage() }).close();
});

test("a network failure keeps its cause in an engine whose errors take none", async () => {
  const cause = new TypeError("Network request failed");
  const change = (scope: Scope) => Object.assign(scope, { fetch: () => Promise.reject(cause) });
  const script = "globalThis.Error = class extends Error { constructor(message) { super(message); } }";
  const latchkey = load(change, script).client.createLatchkey({ url, storage: asyncStorage() });
  expect((await latchkey.GET("/health")).error).toMatchObject({ code: "NETWORK_FAILURE", cause });
});

test("without a WebSocket live() says what to pass, and everything else works", async () => {
  const { client } = load(without("WebSocket"));
  const latchkey = client.createLatchkey({ url, storage: asyncStorage() });
  expect((await latchkey.session.ensureGuest()).data?.userType).toBe("guest");
  expect(() => latchkey.live("subscription { user_session { id } }", () => undefined)).toThrow(
    "Live queries need a WebSocket, which is missing here: pass a class as the option webSocket",
  );
  latchkey.close();
});

test("without the page's events the application says when it is visible and online", async () => {
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
