import express from "express";
import { once } from "node:events";
import { request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import type { TrustProxy } from "../config/trust_proxy.ts";
import { clientAddress } from "./client_address.ts";
import { trustProxies, warnOfIgnoredForwarding, withoutPort } from "./trusted_proxies.ts";

let server: Server | undefined;
afterEach(() => server?.close());

/**
 * Starts a server that answers with the address that limits count. Returns its answer to a request with these headers.
 */
async function serve(setting: TrustProxy) {
  const warnings: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void warnings.push(line) });
  const app = express();
  trustProxies(app, setting);
  app.use(warnOfIgnoredForwarding(log));
  app.use((request, response) => void response.end(clientAddress(request.ip)));
  server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const ask = async (headers: Record<string, string | string[]>) => {
    const sent = request({ port, host: "127.0.0.1", headers, agent: false }).end();
    const [response] = (await once(sent, "response")) as [NodeJS.ReadableStream];
    return text(response);
  };
  return { ask, warnings };
}

const trusted = ["loopback", "10.0.0.0/8", "2001:db8:ffff::/48"];

test.each([
  ["an address with a port", "198.51.100.7:4711", "198.51.100.7"],
  ["an IPv6 address with a port", "[2001:db8:1:2::7]:4711", "2001:db8:1:2::/64"],
  ["an IPv6 address in brackets", "[2001:db8:1:2::7]", "2001:db8:1:2::/64"],
  ["an IPv6 address", "2001:db8:1:2::7", "2001:db8:1:2::/64"],
  ["a mapped IPv4 address with a port", "[::ffff:198.51.100.7]:80", "198.51.100.7"],
  ["a client behind a proxy with a port", "198.51.100.7, 10.1.1.1:80", "198.51.100.7"],
  ["a client behind a proxy with IPv6 and a port", "198.51.100.7:1, [2001:db8:ffff::1]:80", "198.51.100.7"],
  ["a client behind proxies, tabs between", "198.51.100.7,\t10.1.1.1:80\t, 10.2.2.2", "198.51.100.7"],
  ["what a client has forged before its proxy's entry", "10.9.9.9:1, 198.51.100.7:4711", "198.51.100.7"],
  ["a proxy that nobody trusts, before one that is", "198.51.100.7, 203.0.113.1:9, 10.1.1.1:80", "203.0.113.1"],
])("%s is counted as its address", async (_what, header, counted) => {
  const { ask, warnings } = await serve(trusted);
  expect(await ask({ "x-forwarded-for": header })).toBe(counted);
  expect(warnings).toEqual([]);
});

test.each([
  "198.51.100.7:port",
  "198.51.100.7:",
  "198.51.100.7:123456",
  "198.51.100.7:80:80",
  "[198.51.100.7",
  "[]:80",
  "198.51.100.7]:80",
  "[[::1]]:80",
  "[2001:db8::1]80",
  "unknown:80",
  "_hidden",
  "999.1.1.1:80",
  ":80",
])("invalid text from a trusted proxy, %j, is counted as unknown", async (header) => {
  const { ask } = await serve(trusted);
  expect(await ask({ "x-forwarded-for": header })).toBe("unknown");
  expect(await ask({ "x-forwarded-for": `198.51.100.7, ${header}` })).toBe("unknown");
});

test("a very long header from a trusted proxy is counted as unknown", async () => {
  const { ask } = await serve(trusted);
  expect(await ask({ "x-forwarded-for": "x".repeat(9_000) })).toBe("unknown");
});

test("hops are counted whether or not they have ports", async () => {
  const { ask } = await serve(2);
  expect(await ask({ "x-forwarded-for": "10.9.9.9, 198.51.100.7:4711, 203.0.113.1:80" })).toBe("198.51.100.7");
});

test.each<[string, TrustProxy, Record<string, string>]>([
  ["TRUST_PROXY off", false, { "x-forwarded-for": "198.51.100.7" }],
  ["TRUST_PROXY off, and Forwarded", false, { forwarded: "for=198.51.100.7" }],
  ["a sender that TRUST_PROXY does not name", ["10.0.0.0/8"], { "x-forwarded-for": "198.51.100.7" }],
])("%s: a forwarded header is ignored and warned about once", async (_what, setting, headers) => {
  const { ask, warnings } = await serve(setting);
  expect([await ask({}), warnings]).toEqual(["127.0.0.1", []]);
  for (let times = 0; times < 3; times++) expect(await ask(headers)).toBe("127.0.0.1");
  expect(warnings).toHaveLength(1);
  expect(JSON.parse(warnings[0]!)).toMatchObject({
    sender: "127.0.0.1",
    msg: expect.stringMatching(/ignored because TRUST_PROXY .* add its address to TRUST_PROXY/) as string,
  });
});

test("a trusted proxy that sends Forwarded alone is warned about: it is not read", async () => {
  const { ask, warnings } = await serve(trusted);
  for (let times = 0; times < 2; times++) expect(await ask({ forwarded: "for=198.51.100.7" })).toBe("127.0.0.1");
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(/TRUST_PROXY sent Forwarded .* Configure the proxy to send X-Forwarded-For/);
  expect(await ask({ forwarded: "for=192.0.2.1", "x-forwarded-for": "198.51.100.7" })).toBe("198.51.100.7");
});

test("a warning contains no text that a client wrote", async () => {
  const { ask, warnings } = await serve(false);
  await ask({ "x-forwarded-for": 'evil"}{"level":60', forwarded: "for=evil" });
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).not.toContain("evil");
});

test("text that is not an address is not changed", () => {
  expect(["", "x", "1.2.3.4:x", " ::1 ", "::1:80"].map(withoutPort)).toEqual(["", "x", "1.2.3.4:x", "::1", "::1:80"]);
});
