import { describe, expect } from "vitest";
import { graphqlConfig } from "../../../config/config.ts";
import { askGraphql } from "../../../testing/graphql/graphql_client.ts";
import { collectLog } from "../../../testing/log_lines.ts";
import { test as baseTest } from "../fixtures/live_fixtures.ts";

const { log, lines } = collectLog();
const warn = 40;
const query = "{ settings_configuration(limit: 1) { key } }";
const wrong = "a guess of the secret, which is as long as it";

let lastClient = 0;

/** `ask` sends the admin secret from an address of its own for each test. */
const test = baseTest
  .extend("serviceOptions", { scope: "file" }, () => ({ worker: false, log }))
  .extend("secret", { scope: "file" }, ({ database }) => graphqlConfig(database.env).ADMIN_SECRET!)
  .extend("ask", ({ service }) => {
    const client = `192.0.2.${++lastClient}`;
    const ask = (secret: string, url = service.url, header = "x-admin-secret") =>
      askGraphql(url, { [header]: secret, "x-forwarded-for": client })(query);
    return Object.assign(ask, { client });
  })
  .extend("hits", ({ database }) => async (client: string) => {
    const rows = await database.query<{ count: string }>(
      `select l.totals[cardinality(l.totals)] - l.totals[1] as count from platform.rate_limit l where l.key = $1`,
      [`ADMIN_FAILURES_PER_IP:${client}`],
    );
    return Number(rows[0]?.count ?? "0");
  });

test.beforeEach(({ service }) => service.set("ADMIN_FAILURES_PER_IP", "30/900"));

const warningsOf = (client: string) =>
  lines.filter((line) => line.msg === "a wrong admin secret" && line.client === client);

describe("a wrong admin secret", () => {
  test("is 401, counted, and logged with its client at level warn", async ({ ask, secret, hits }) => {
    for (const header of ["x-admin-secret", "x-hasura-admin-secret"])
      expect(await ask(wrong, undefined, header)).toMatchObject({ status: 401, code: "access-denied" });
    expect(await ask("")).toMatchObject({ status: 401 });
    expect(await hits(ask.client)).toBe(3);
    const warnings = warningsOf(ask.client);
    expect(warnings).toHaveLength(3);
    for (const line of warnings) expect(line).toMatchObject({ level: warn, requestId: expect.any(String) as string });
    expect(JSON.stringify(lines)).not.toContain(wrong);
    expect(JSON.stringify(lines)).not.toContain(secret);
  });

  test("beyond the limit is 429, over all servers and in the contract's words, while the right one works", async ({
    service,
    ask,
    secret,
    hits,
  }) => {
    await service.set("ADMIN_FAILURES_PER_IP", "4/900");
    const other = await service.startAnotherServer();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => ask(wrong, index % 2 === 0 ? service.url : other.url)),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(4);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(16);
    const { headers, body } = await ask(wrong);
    const seconds = Number(headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(800);
    expect(headers.get("ratelimit-policy")).toBe('"ADMIN_FAILURES_PER_IP";q=4;w=900');
    expect(body).toEqual({
      errors: [
        {
          message: "Too many wrong admin secrets. Send the right one, or try again later.",
          extensions: { path: "$", code: "limit-exceeded", retryAfterSeconds: seconds },
        },
      ],
    });
    expect(warningsOf(ask.client)).toHaveLength(21);
    for (const url of [service.url, other.url])
      expect((await ask(secret, url)).data).toHaveProperty("settings_configuration");
    expect(await hits(ask.client)).toBe(4);
  });

  test("of one client does not count for another", async ({ service, ask, hits }) => {
    await service.set("ADMIN_FAILURES_PER_IP", "1/900");
    await ask(wrong);
    expect((await ask(wrong)).status).toBe(429);
    const other = askGraphql(service.url, { "x-admin-secret": wrong, "x-forwarded-for": "198.51.100.7" });
    expect((await other(query)).status).toBe(401);
    expect(await hits("198.51.100.7")).toBe(1);
  });

  test("is refused while the database is away, uncounted, and the right one is not asked for", async ({
    service,
    ask,
    secret,
    hits,
  }) => {
    await service.proxy.cut();
    const right = await askGraphql(service.url, { "x-admin-secret": secret })("{ __typename }");
    const refused = await ask(wrong);
    await service.proxy.restore();
    expect(right.data).toEqual({ __typename: "query_root" });
    expect(refused).toMatchObject({ status: 503, code: "unexpected" });
    expect(warningsOf(ask.client)).toHaveLength(1);
    expect(await hits(ask.client)).toBe(0);
  });
});

test("the right secret is neither counted nor logged as a failure", async ({ ask, secret, hits }) => {
  for (let times = 0; times < 3; times++) expect((await ask(secret)).status).toBe(200);
  expect(await hits(ask.client)).toBe(0);
  expect(warningsOf(ask.client)).toEqual([]);
});

test("a wrong secret over a socket is 4403, counted and logged; beyond the limit the reason says so", async ({
  service,
  connect,
  hits,
}) => {
  const close = async () => (await connect({ headers: { "x-hasura-admin-secret": wrong } }).closed).code;
  const before = await hits("127.0.0.1");
  expect(await close()).toBe(4403);
  expect(await hits("127.0.0.1")).toBe(before + 1);
  expect(warningsOf("127.0.0.1").at(-1)).toMatchObject({ level: warn });
  await service.set("ADMIN_FAILURES_PER_IP", "1/900");
  const { closed } = connect({ headers: { "x-hasura-admin-secret": wrong } });
  expect(await closed).toMatchObject({
    code: 4403,
    reason: expect.stringContaining("Too many wrong") as string,
  });
});
