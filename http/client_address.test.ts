import type { Request } from "express";
import { expect, test } from "vitest";
import { createLog } from "../runtime/log.ts";
import { clientAddress, foldAddress } from "./client_address.ts";
import { contextOf, openContext } from "./request_context.ts";

test.each([
  ["an IPv4 address", "192.0.2.7", "192.0.2.7"],
  ["an IPv4-mapped IPv6 address", "::ffff:192.0.2.7", "192.0.2.7"],
  ["the same in hexadecimal", "::ffff:c000:207", "192.0.2.7"],
  ["an IPv6 address", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["the same subscriber's other address", "2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
  ["the next subscriber's", "2001:db8:1:3::1", "2001:db8:1:3::/64"],
  ["one with a zone id", "fe80::1%eth0", "fe80::/64"],
  ["loopback", "::1", "::1"],
  ["loopback, written out", "0:0:0:0:0:0:0:1", "::1"],
  ["what shares loopback's /64", "::2", "::/64"],
])("%s is counted as limits count it", (_what, address, counted) => {
  expect(foldAddress(address)).toBe(counted);
});

test.each([
  "",
  "unknown",
  "_hidden",
  "192.0.2",
  "3221225991",
  "0xc0.0.2.7",
  "192.0.2.256",
  "192.0.2.7:80",
  "[2001:db8::1]",
  "2001:db8",
  "%eth0",
  "192.0.2.7, 192.0.2.8",
  "1:2:3:4:5:6:7:8:9",
])("%j is not an address", (text) => {
  expect(foldAddress(text)).toBeUndefined();
});

test("a request whose socket has closed is counted as the client that sent it", () => {
  const request = { headers: {}, ip: "192.0.2.7" } as { -readonly [Name in keyof Request]: Request[Name] };
  openContext(request, createLog("test", "silent"));
  request.ip = undefined;
  expect(contextOf(request).client).toBe("192.0.2.7");
});

test("a forwarded text that is not an address counts as unknown, and not as the proxy, which a limit may exempt", () => {
  expect(clientAddress("198.51.100.1")).toBe("198.51.100.1");
  expect(clientAddress("drop table")).toBe("unknown");
  expect(clientAddress(undefined)).toBe("unknown");
});
