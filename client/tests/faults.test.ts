import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createLatchkey, memoryTokenStorage, type TokenStorage } from "../src/index.ts";
import { eventually } from "../../testing/eventually.ts";
import { accessToken, fakeFetch } from "./fake_service.ts";

const url = "https://auth.example.com";
const storage = memoryTokenStorage();
const success = () => Response.json({ data: {}, meta: {} });

test("a network failure has what fetch threw as its cause", async () => {
  const cause = new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") });
  const latchkey = createLatchkey({ url, storage, fetch: () => Promise.reject(cause) });
  const failure = { code: "NETWORK_FAILURE", message: "fetch failed", aborted: false, cause };
  expect((await latchkey.GET("/health")).error).toEqual(failure);
  expect((await latchkey.graphql("{ user_account { phone } }")).error).toEqual(failure);
  expect((await latchkey.session.ensureGuest()).error).toEqual(failure);
});

test.for([[undefined], [null], [{}]])("errors of another server are no GraphQL response: %j", async ([extensions]) => {
  const { fetch } = fakeFetch(() => Response.json({ data: {}, errors: [{ message: "No.", extensions }] }));
  const { error } = await createLatchkey({ url, storage, fetch }).graphql("{ user_account { phone } }");
  expect(error).toMatchObject({ code: "UNEXPECTED_RESPONSE", status: 200 });
});

test("a response that ends in the middle is a network failure", async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-length": 100 });
    response.write('{"data":', () => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const latchkey = createLatchkey({ url: `http://127.0.0.1:${port}`, storage });
  const { error } = await latchkey.GET("/health");
  expect(error).toMatchObject({ code: "NETWORK_FAILURE", cause: expect.any(Error) as Error });
  server.close();
});

test.for([
  [new TypeError("transform is not a function")],
  [new TypeError("Cannot read properties of undefined (reading 'body')")],
  [new ReferenceError("TextDecoder is not defined")],
])("a fault in the application's own fetch is thrown: %s", async ([fault]) => {
  const latchkey = createLatchkey({ url, storage, fetch: () => Promise.reject(fault!) });
  await expect(latchkey.GET("/health")).rejects.toBe(fault);
  await expect(latchkey.graphql("{ user_account { phone } }")).rejects.toBe(fault);
  await expect(latchkey.session.ensureGuest()).rejects.toBe(fault);
});

test("a body that cannot be written as JSON, and a storage that fails, are thrown", async () => {
  const { fetch, requests } = fakeFetch(success);
  const circular: { phone: string; password: string; self?: unknown } = {
    phone: "+12125550123",
    password: "x",
  };
  circular.self = circular;
  const latchkey = createLatchkey({ url, storage, fetch });
  await expect(latchkey.POST("/auth/login", { body: circular })).rejects.toThrow("circular");
  expect(requests).toHaveLength(0);

  const full: TokenStorage = {
    read: () => null,
    write: () => {
      throw new TypeError("keychain.set is not a function");
    },
  };
  const { fetch: signIn } = fakeFetch(() =>
    Response.json({ data: { access_token: accessToken(), refresh_token: "r.e.f" }, meta: {} }),
  );
  const other = createLatchkey({ url, storage: full, fetch: signIn });
  const body = { phone: "+12125550123", password: "x" };
  await expect(other.POST("/auth/login", { body })).rejects.toThrow("keychain.set is not a function");
});

test.for([
  "auth.example.com",
  "localhost:3000",
  "//auth.example.com",
  "ws://auth.example.com",
  "/",
  "",
  "null",
  `${url}/api/v1`,
  `${url}/api/v1/`,
  `${url}/sso/api/v1/auth`,
  `${url}/v1/graphql`,
  `${url}?a`,
  `${url}/#a`,
  "https://user:password@auth.example.com",
  "https://",
])("the address %j is refused", (address) => {
  expect(() => createLatchkey({ url: address, storage })).toThrow(
    "url must be the address of the service, with http:// or https:// and without /api/v1",
  );
});

test("an address is required where there is no page", () => {
  expect(() => createLatchkey({ storage })).toThrow("url must be the address of the service");
});

test.for([
  "http://localhost:3000",
  `${url}/`,
  "https://example.com/sso/",
  "HTTPS://Auth.Example.com",
  "http://[::1]:3000",
])("the address %j is taken", async (address) => {
  const { fetch, requests } = fakeFetch(success);
  await createLatchkey({ url: address, storage, fetch }).GET("/health");
  expect(requests[0]!.url).toBe(`${new URL(address).href.replace(/\/$/, "")}/api/v1/health`);
});

test("a read of the storage that a sign-in overtakes does not bring the session from before back", async () => {
  let stored: string | null = null;
  const reads: (() => void)[] = [];
  const slow: TokenStorage = {
    read: () => {
      const value = stored;
      return new Promise((resolve) => reads.push(() => resolve(value)));
    },
    write: (value) => void (stored = value),
  };
  const { fetch } = fakeFetch(() =>
    Response.json({ data: { access_token: accessToken(), refresh_token: "r.e.f" }, meta: {} }),
  );
  const latchkey = createLatchkey({ url, storage: slow, fetch });
  const changes: unknown[] = [];
  latchkey.session.onChange((session) => changes.push(session?.id));
  const token = latchkey.session.accessToken();
  await latchkey.POST("/auth/login", { body: { phone: "+12125550123", password: "x" } });
  // Reads from before the sign-in, which arrive after it, and then those that begin again.
  await eventually("no read is pending", () => {
    const pending = reads.splice(0);
    for (const resolve of pending) resolve();
    return pending.length === 0;
  });
  expect((await token).data).toBeTruthy();
  expect(latchkey.session.current?.id).toBe("session");
  expect(changes).toEqual(["session"]);
});
