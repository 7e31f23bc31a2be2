import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { pino } from "pino";
import { expect } from "vitest";
import { test as baseTest } from "../../testing/fixtures.ts";
import { newPhone } from "../../testing/service/people.ts";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";

const warnings: { msg: string }[] = [];
const write = (line: string) => void warnings.push(JSON.parse(line) as { msg: string });
const test = baseTest.extend("serviceOptions", { scope: "file" }, () => ({
  worker: false,
  log: pino({ level: "warn" }, { write }),
}));

const warningsOfProxies = () => warnings.filter(({ msg }) => msg.includes("TRUST_PROXY"));

test("the server's own call of the webhook, which passes the client's headers on, causes no warning", async ({
  service,
}) => {
  const proxy = "127.0.0.2";
  const server = await service.startAnotherServer({ TRUST_PROXY: proxy });
  const guest = tokensOf(await server.client.post("/auth/session/guest"));
  const sent = request(`${server.url}/v1/graphql`, {
    method: "POST",
    localAddress: proxy,
    headers: {
      "content-type": "application/json",
      "x-forwarded-for": "198.51.100.7",
      ...bearer(guest.access_token),
    },
  }).end(JSON.stringify({ query: "{ __typename }" }));
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(200);
  await server.stop();
  expect(warningsOfProxies()).toEqual([]);
});

test("limits count the client that a trusted proxy names with a port, and an undeclared proxy causes one warning", async ({
  service,
  client,
  database,
}) => {
  const undeclared = await service.startAnotherServer({ TRUST_PROXY: "off" });
  const headers = { "x-forwarded-for": "198.51.100.7:4711, 127.0.0.2:80" };
  const body = { phone: newPhone(), password: "wrong" };
  await client.post("/auth/login", body, headers);
  expect(warningsOfProxies()).toEqual([]);
  for (let times = 0; times < 2; times++) await undeclared.client.post("/auth/login", body, headers);
  await undeclared.stop();

  expect(warningsOfProxies()).toHaveLength(1);
  const rows = await database.query<{ key: string }>(
    "select key from platform.rate_limit where key like 'LOGIN_FAILURES_PER_IP:%' order by key",
  );
  expect(rows.map(({ key }) => key.split(":")[1])).toEqual(["127.0.0.1", "198.51.100.7"]);
});
