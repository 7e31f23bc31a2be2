import express from "express";
import { once } from "node:events";
import { request, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { allowOrigins } from "./cross_origin.ts";

let server: Server | undefined;
afterEach(() => server?.close());

/**
 * Starts a server that allows these origins. Returns status and headers of its response to a request with these
 * headers.
 */
async function serve(origins?: string[]) {
  const lines: { level: number; origin: string; msg: string }[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]);
  const app = express();
  app.use(allowOrigins(origins, pino({ level: "warn" }, { write })));
  app.use((_request, response) => void response.status(405).end());
  server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const ask = async (headers: Record<string, string>, method = "POST") => {
    const sent = request({ port, host: "127.0.0.1", method, headers, agent: false }).end();
    const [response] = (await once(sent, "response")) as [
      { statusCode: number; headers: IncomingHttpHeaders; resume: () => void },
    ];
    response.resume();
    return { status: response.statusCode, allowed: response.headers["access-control-allow-origin"] };
  };
  return { ask, lines, host: `127.0.0.1:${port}` };
}

const preflight = (origin: string) => ({ origin, "access-control-request-method": "POST" });

test("a refused origin is named once, with what to do, and its preflights are answered as before", async () => {
  const { ask, lines } = await serve(["https://app.example.com"]);
  const origin = "capacitor://localhost";
  for (let i = 0; i < 3; i++)
    expect(await ask(preflight(origin), "OPTIONS")).toEqual({ status: 204, allowed: undefined });
  expect(await ask({ origin })).toEqual({ status: 405, allowed: undefined });
  expect(lines).toMatchObject([{ level: 40, origin, msg: expect.stringContaining("CORS_ORIGINS") as string }]);
  await ask({ origin: "https://other.example.com" });
  expect(lines.map((line) => line.origin)).toEqual([origin, "https://other.example.com"]);
});

test("without CORS_ORIGINS every origin is refused, and named", async () => {
  const { ask, lines } = await serve();
  expect(await ask(preflight("http://localhost:5173"), "OPTIONS")).toEqual({
    status: 405,
    allowed: undefined,
  });
  expect(lines.map(({ origin }) => origin)).toEqual(["http://localhost:5173"]);
});

test("an allowed origin is not named, whatever its scheme", async () => {
  const origins = ["https://app.example.com", "capacitor://localhost"];
  const { ask, lines } = await serve(origins);
  for (const origin of origins)
    expect(await ask(preflight(origin), "OPTIONS")).toEqual({ status: 204, allowed: origin });
  expect(lines).toEqual([]);
});

test("the server's own pages, forms, and programs without an origin are not named", async () => {
  const { ask, lines, host } = await serve(["https://app.example.com"]);
  await ask({});
  await ask({ origin: `http://${host}` });
  await ask({ origin: "https://auth.example.com", host: "auth.example.com" });
  await ask({ origin: "https://auth.example.com", "sec-fetch-site": "same-origin" });
  await ask({
    origin: "https://shop.example.com",
    "sec-fetch-site": "cross-site",
    "sec-fetch-mode": "navigate",
  });
  expect(lines).toEqual([]);
  await ask({ origin: "https://auth.example.com", "sec-fetch-site": "cross-site" });
  await ask({ origin: "null" });
  expect(lines.map(({ origin }) => origin)).toEqual(["https://auth.example.com", "null"]);
});

test("a client that makes up origins fills neither the log nor the memory", async () => {
  const { ask, lines } = await serve();
  await ask({ origin: `https://${"a".repeat(5_000)}` });
  for (let i = 0; i < 30; i++) await ask({ origin: `https://${i}.example` });
  expect(lines).toHaveLength(20);
  expect(lines[0]!.origin).toHaveLength(300);
  expect(lines[19]!.msg).toContain("Further origins are not named.");
});
