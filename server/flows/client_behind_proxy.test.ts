import { pino } from "pino";
import { expect } from "vitest";
import { test } from "../../testing/fixtures.ts";
import { newPhone } from "../../testing/people.ts";

const warnings: { msg: string }[] = [];
const write = (line: string) => void warnings.push(JSON.parse(line) as { msg: string });
test.override("serviceOptions", { worker: false, log: pino({ level: "warn" }, { write }) });

test("limits count the client that a trusted proxy names with a port, and an undeclared proxy causes one warning", async ({
  service,
  client,
  database,
}) => {
  const undeclared = await service.startAnotherServer({ TRUST_PROXY: "off" });
  const headers = { "x-forwarded-for": "198.51.100.7:4711, 127.0.0.2:80" };
  const body = { phone: newPhone(), password: "wrong" };
  await client.post("/auth/login", body, headers);
  expect(warnings.filter(({ msg }) => msg.includes("TRUST_PROXY"))).toEqual([]);
  for (let times = 0; times < 2; times++) await undeclared.client.post("/auth/login", body, headers);
  await undeclared.stop();

  expect(warnings.filter(({ msg }) => msg.includes("TRUST_PROXY"))).toHaveLength(1);
  const rows = await database.query<{ key: string }>(
    "select key from platform.rate_limit where key like 'LOGIN_FAILURES_PER_IP:%' order by key",
  );
  expect(rows.map(({ key }) => key.split(":")[1])).toEqual(["127.0.0.1", "198.51.100.7"]);
});
