import { Writable } from "node:stream";
import { once } from "node:events";
import { type AddressInfo } from "node:net";
import express from "express";
import { pino } from "pino";
import { expect, test as baseTest } from "vitest";
import { ClientBusyError, UnavailableError } from "../runtime/database/errors.ts";
import { eventually } from "../testing/eventually.ts";
import { handleErrors } from "./failures.ts";
import { contextOf } from "./request_context.ts";
import { logRequests } from "./request_log.ts";

const lines: Record<string, unknown>[] = [];
const log = pino(
  new Writable({
    write(line: Buffer, _encoding, done) {
      lines.push(JSON.parse(line.toString()) as Record<string, unknown>);
      done();
    },
  }),
);

const test = baseTest.extend("ask", { scope: "file" }, async ({}, { onCleanup }) => {
  const app = express();
  app.use(logRequests(log));
  app.get("/login/:name", (_request, response) => void response.status(418).json({}));
  app.get("/limited", () => {
    throw new ClientBusyError("the client has 8 password calls at once", "PASSWORD_CALLS_PER_CLIENT");
  });
  app.get("/busy", () => {
    throw new UnavailableError("the queue for passwords is full");
  });
  app.use((request, response) => {
    contextOf(request).log.info("inside");
    const [, status] = /^\/status\/(\d+)/.exec(request.path) ?? [];
    response.status(request.path.endsWith("/authorize") ? 200 : Number(status ?? 418)).json({});
  });
  app.use(handleErrors());
  const server = app.listen(0, "127.0.0.1");
  onCleanup(() => void server.close());
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return async (path: string, headers: Record<string, string> = {}): Promise<string> => {
    const response = await fetch(url + path, { headers });
    await response.text();
    return response.headers.get("X-Request-Id") ?? "";
  };
});

async function linesOf(requestId: string): Promise<Record<string, unknown>[]> {
  const found = () => lines.filter((line) => line.requestId === requestId);
  await eventually("the request's line", () => found().some(({ msg }) => msg === "request"));
  return found();
}

test("a request id is echoed and on every line of its request", async ({ ask }) => {
  expect(await ask("/", { "X-Request-Id": "edge-7:a.b_c" })).toBe("edge-7:a.b_c");
  expect((await linesOf("edge-7:a.b_c")).map(({ msg }) => msg)).toEqual(["inside", "request"]);
});

test("a 503 by a limit of the client is logged as a refusal, any other as a fault", async ({ ask }) => {
  const [limited] = await linesOf(await ask("/limited"));
  expect(limited).toMatchObject({ level: 30, status: 503, policy: "PASSWORD_CALLS_PER_CLIENT" });
  const [busy] = await linesOf(await ask("/busy"));
  expect(busy).toMatchObject({ level: 50, status: 503, cause: "the queue for passwords is full" });
});

test("a request without an id gets one of its own", async ({ ask }) => {
  const [one, other] = [await ask("/"), await ask("/")];
  expect(one).toMatch(/^[0-9a-f-]{36}$/);
  expect(other).not.toBe(one);
});

test.for([
  ["a forged line", 'x","level":60,"msg":"forged'],
  ["a space", "a b"],
  ["a letter outside ASCII", "\u00e9"],
  ["129 characters", "a".repeat(129)],
  ["nothing", ""],
] as const)("an id of %s is replaced", async ([, forged], { ask }) => {
  const id = await ask("/", { "X-Request-Id": forged });
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(JSON.stringify(await linesOf(id))).not.toContain("forged");
});

test("the line has method, route, status and time, and neither path, query nor headers", async ({ ask }) => {
  const id = await ask("/login/secret?phone=12125550123", { Authorization: "Bearer secret" });
  const line = (await linesOf(id)).at(-1);
  expect(line).toMatchObject({ method: "GET", route: "/login/:name", status: 418, answered: true });
  expect(line?.ms).toEqual(expect.any(Number));
  expect(JSON.stringify(line)).not.toMatch(/12125550123|secret/);
});

test("the line of a request that matches no route does not repeat what a client put into the path", async ({ ask }) => {
  const line = (await linesOf(await ask("/auth/eyJhbGciOiJFUzI1NiJ9.secret.12125550123"))).at(-1);
  expect(line).toMatchObject({ msg: "request", status: 418 });
  expect(line).not.toHaveProperty("route");
  expect(JSON.stringify(line)).not.toMatch(/eyJ|secret|12125550123/);
});

test.for([
  [200, 30],
  [404, 30],
  [429, 30],
  [500, 50],
  [502, 50],
  [503, 50],
] as const)("the line of a request that is answered %d has level %d", async ([status, level], { ask }) => {
  const line = (await linesOf(await ask(`/status/${status}`))).at(-1);
  expect(line).toMatchObject({ status, level });
});

test("the line has the client's address, which a closed socket does not have", async ({ ask }) => {
  expect((await linesOf(await ask("/"))).at(-1)).toMatchObject({ client: "127.0.0.1" });
});

test("a probe has no line", async ({ ask }) => {
  for (const path of ["/live", "/ready"]) await ask(path, { "X-Request-Id": "probe" });
  await linesOf(await ask("/later"));
  expect(lines.filter(({ requestId }) => requestId === "probe").map(({ msg }) => msg)).toEqual(["inside", "inside"]);
});

test("the webhook call of an engine has no line, unless it is refused", async ({ ask }) => {
  const path = "/api/v1/auth/webhook/authorize";
  await ask(path, { "X-Request-Id": "let-in" });
  await ask(`${path}/`, { "X-Request-Id": "later" });
  await linesOf("later");
  expect(lines.filter(({ requestId }) => requestId === "let-in").map(({ msg }) => msg)).toEqual(["inside"]);
});
