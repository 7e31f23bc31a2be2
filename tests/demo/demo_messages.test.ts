import { request } from "node:http";
import { describe, expect } from "vitest";
import { serverConfig } from "../../config/config.ts";
import { createPrintedMessages } from "../../runtime/printed_messages.ts";
import { secrets } from "../../testing/service/environments.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import { newPhone } from "../../testing/service/people.ts";
import type { RunningServer } from "../../testing/service/service.ts";
import { demoMessages } from "../../server/pages/demo_messages.ts";

const test = baseTest.extend("serviceOptions", { scope: "file" }, () => ({ console: true }));

const post = ({ url }: Pick<RunningServer, "url">, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${url}/demo/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

test("the page gets what was printed for one phone, in any spelling, and for no other", async ({ service }) => {
  const [phone, otherPhone] = [newPhone(), newPhone()];
  for (const to of [phone, otherPhone]) expect((await service.client.sendOtp(to)).status).toBe(200);
  const written = phone.replace("+1212", "+1 (212) ");
  const response = await post(service, { phone: written });
  expect(response.headers.get("cache-control")).toBe("no-store");
  const { messages } = (await response.json()) as { messages: string[] };
  expect(messages).toEqual([expect.stringMatching(/^\d{6} is your code/)]);
  expect(await (await post(service, { phone: newPhone() })).json()).toEqual({ messages: [] });
});

test("what another provider sends is not shown", async ({ startOtherService }) => {
  const service = await startOtherService();
  const withMessages = await startOtherService({ console: true });
  await withMessages.set("OTP_PROVIDER", {
    providerToUse: "http",
    template: "{{code}}",
    http: { url: withMessages.gateway.url },
  });
  const phone = newPhone();
  expect((await withMessages.client.sendOtp(phone)).status).toBe(200);
  expect(withMessages.gateway.received.length).toBe(1);
  expect(await (await post(withMessages, { phone })).json()).toEqual({ messages: [] });
  expect((await post(service, { phone })).status, "no worker in the server's process").toBe(404);
});

describe("there is no such route", () => {
  test("where DEMO is off", async ({ service }) => {
    const server = await service.startAnotherServer({ DEMO: "off" });
    expect((await post(server, { phone: newPhone() })).status).toBe(404);
    await server.stop();
  });

  test("in production, even where DEMO is on", async ({ startOtherService }) => {
    const service = await startOtherService({ console: true });
    // Simulates a migration for production, which would not read secrets from the tests' files.
    await service.database.query("update private.installation set pepper_fingerprint = null, production = true");
    const { SERVER_DATABASE_URL } = serverConfig(service.database.env);
    const server = await service.startAnotherServer({
      ...secrets,
      SERVER_DATABASE_URL,
      NODE_ENV: "production",
      DEMO: "on",
      SMS_HTTP_SIGNING_SECRET: "",
      WEBAUTHN_RP_ID: "",
      WEBAUTHN_ORIGINS: "",
    });
    expect((await fetch(`${server.url}/demo`)).status).toBe(200);
    expect((await post(server, { phone: newPhone() })).status).toBe(404);
    await server.stop();
    expect(
      demoMessages({ DEMO: true, NODE_ENV: "production", PUBLIC_URL: undefined }, createPrintedMessages()),
    ).toEqual([]);
  });

  test("for a page of another site", async ({ service }) => {
    const headers = { "sec-fetch-site": "cross-site" };
    expect((await post(service, { phone: newPhone() }, headers)).status).toBe(404);
    expect((await post(service, { phone: newPhone() }, { "sec-fetch-site": "same-site" })).status).toBe(404);
    for (const origin of ["https://app.example.com", "null", "http://localhost:1"])
      expect((await post(service, { phone: newPhone() }, { origin })).status, origin).toBe(404);
    const { origin } = new URL(service.url);
    expect((await post(service, { phone: newPhone() }, { origin })).status).toBe(200);
  });
});

test("only a name that no other site's DNS can give the server is answered", async ({ service }) => {
  const another = await service.startAnotherServer({ PUBLIC_URL: "http://codes.example.com/latchkey" });
  const statusOf = ({ url }: Pick<RunningServer, "url">, host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const { port } = new URL(url);
      const headers = { "content-type": "application/json", host: `${host}:${port}` };
      request({ host: "127.0.0.1", port, path: "/demo/messages", method: "POST", headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on("error", reject)
        .end(JSON.stringify({ phone: newPhone() }));
    });
  for (const host of ["localhost", "app.localhost", "127.0.0.1", "192.0.2.7", "[::1]"])
    expect(await statusOf(service, host), host).toBe(200);
  for (const host of [
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "notlocalhost",
    "codes.example.com",
  ])
    expect(await statusOf(service, host), host).toBe(404);
  expect(await statusOf(another, "codes.example.com"), "the host of PUBLIC_URL").toBe(200);
  expect(await statusOf(another, "evil.example")).toBe(404);
  await another.stop();
});

test("a body that is not JSON with a phone is refused", async ({ service }) => {
  expect((await post(service, {})).status).toBe(400);
  expect((await post(service, { phone: 1 })).status).toBe(400);
  expect((await post(service, { phone: "1".repeat(2_000) })).status).toBe(413);
  expect((await post(service, { phone: "1" }, { "content-type": "text/plain" })).status).toBe(415);
  expect((await fetch(`${service.url}/demo/messages`)).status).toBe(405);
});
