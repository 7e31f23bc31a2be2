import { expect, test } from "vitest";
import { development, startGateway, send } from "./fixtures/http_fixtures.ts";

const production = { ...development, production: true, SMS_HTTP_HOSTS: ["localhost", "sms.example"] };

test("in production http is declined, on a listed host too, and nothing is sent", async () => {
  const { url, received } = await startGateway();
  const listed = { ...production, SMS_HTTP_HOSTS: [new URL(url).hostname] };
  expect(await send(url, listed)).toEqual({
    outcome: "declined",
    reason: "http.url is not https, which production requires",
  });
  expect(received).toEqual([]);
});

test.each([
  "https://127.0.0.1:1/",
  "https://evil.example/",
  "https://sms.example.evil.example/",
  "https://sms.example@evil.example/",
  "https://evil.example/?sms.example",
  "https://sms.example./",
])("in production %s, whose host is not listed, is declined", async (url) => {
  expect(await send(url, production)).toEqual({
    outcome: "declined",
    reason: "the host of http.url is not in SMS_HTTP_HOSTS",
  });
});

test("in production a message is sent to https on a listed host", async () => {
  expect(await send("https://LOCALHOST:1/", production)).toEqual({
    outcome: "unreachable",
    reason: "ECONNREFUSED",
  });
});

test("a host without a valid certificate receives nothing", async () => {
  const { url, received } = await startGateway();
  const { port } = new URL(url);
  expect((await send(`https://localhost:${port}/`, production)).outcome).not.toBe("sent");
  expect(received).toEqual([]);
});
