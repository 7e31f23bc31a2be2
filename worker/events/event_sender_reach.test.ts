import { expect, test } from "vitest";
import { startVendor } from "../../testing/network/vendor_stand_in.ts";
import { createEventSender } from "./event_sender.ts";
import { development, event, production, send } from "./fixtures/sender_fixtures.ts";

test.each([
  ["http://hooks.example/", "url is not https, which production requires"],
  ["https://evil.example/", "the host of url is not in EVENT_HTTP_HOSTS"],
  ["https://hooks.example.evil.example/", "the host of url is not in EVENT_HTTP_HOSTS"],
  ["https://hooks.example@evil.example/", "the host of url is not in EVENT_HTTP_HOSTS"],
  ["https://hooks.example./", "the host of url is not in EVENT_HTTP_HOSTS"],
  ["hooks.example", "url is not a URL"],
])("in production %s is not reached", async (url, reason) => {
  expect(await send({ url }, production)).toBe(reason);
});

test.each([
  "127.0.0.1",
  "0x7f.1",
  "2130706433",
  "localhost",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "169.254.169.254",
  "10.0.0.1",
])("%s is not reached, unless it is listed outside production", async (host) => {
  const { url, requests } = await startVendor({ status: 200, body: "" });
  const { port } = new URL(url);
  const unlisted = { ...development, EVENT_HTTP_HOSTS: [] };
  expect(await send({ url: `http://${host}:${port}/` }, unlisted)).toBe("PRIVATE_ADDRESS");
  const listed = { ...production, EVENT_HTTP_HOSTS: [new URL(`https://${host}`).hostname] };
  expect(await send({ url: `https://${host}:${port}/` }, listed)).toBe("PRIVATE_ADDRESS");
  expect(requests).toEqual([]);
});

test("a name is resolved once, and a private address among its addresses refuses it", async () => {
  const { url, requests } = await startVendor({ status: 200, body: "" });
  const { port } = new URL(url);
  let looked = 0;
  const resolve = () => {
    looked += 1;
    return Promise.resolve([
      { address: "93.184.215.14", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ]);
  };
  expect(await send({ url: `https://hooks.example:${port}/` }, production, { resolve })).toBe("PRIVATE_ADDRESS");
  expect(looked).toBe(1);
  expect(requests).toEqual([]);
});

test("a name that does not resolve, and a port where nobody listens, are told by their codes", async () => {
  const resolve = () => Promise.reject(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }));
  expect(await send({ url: "https://hooks.example/" }, production, { resolve })).toBe("ENOTFOUND");
  expect(await send({ url: "http://127.0.0.1:9/" })).toBe("ECONNREFUSED");
});

test("a name that hangs is looked up once, however many events wait for it", async () => {
  let looked = 0;
  const resolve = () => {
    looked += 1;
    return new Promise<never>(() => undefined);
  };
  const sender = createEventSender(production, { resolve, timeoutMs: 100 });
  const sends = Array.from({ length: 8 }, () =>
    sender.send({ ...event, url: "https://hooks.example/" }, new AbortController().signal),
  );
  expect(new Set(await Promise.all(sends))).toEqual(new Set(["TimeoutError"]));
  expect(looked).toBe(1);
});
