import { expect } from "vitest";
import { migratorConfig } from "../../config/config.ts";
import { check, refusal, test } from "./fixtures/startup_fixtures.ts";
import { migrate } from "../migrate.ts";

const message =
  "The database was last migrated without NODE_ENV=production, so rules of production are not in force in it. " +
  "Run: NODE_ENV=production npm run db:migrate";

test("in production a database that was migrated without it stops the start, until it is migrated again", async ({
  config,
  database,
  serverUrl,
  workerUrl,
}) => {
  const checkBoth = async (production: boolean) => {
    expect(await check(serverUrl, { production })).toEqual([]);
    expect(await check(workerUrl, { production, schema: "delivery" })).toEqual([]);
  };
  const env = { ...database.env, ...config.environment };
  await migrate(migratorConfig({ ...env, NODE_ENV: "test" }));
  await expect(check(serverUrl)).rejects.toMatchObject(refusal(message));
  await expect(check(workerUrl, { schema: "delivery" })).rejects.toMatchObject(refusal(message));
  await checkBoth(false);

  await migrate(migratorConfig({ ...env, ...urlsOf(config), NODE_ENV: "production" }));
  await checkBoth(true);
  await checkBoth(false);
});

test("a migration in production stores that before it stores the settings", async ({ config, database }) => {
  const env = { ...database.env, ...urlsOf(config), NODE_ENV: "production" };
  const numbers = JSON.stringify({ "+12025550101": { code: "424242", until: "9999-12-31T00:00:00Z" } });
  await expect(migrate(migratorConfig({ ...env, OTP_TEST_NUMBERS: numbers }))).rejects.toMatchObject({
    name: "OperatorError",
    message: "OTP_TEST_NUMBERS: must be empty in production, unless OTP_TEST_NUMBERS_IN_PRODUCTION is on",
  });
  const said: string[] = [];
  await migrate(migratorConfig({ ...env, OTP_TEST_NUMBERS: numbers, OTP_TEST_NUMBERS_IN_PRODUCTION: "on" }), (line) =>
    said.push(line),
  );
  expect(said).toEqual([
    "setting OTP_TEST_NUMBERS = …",
    "setting OTP_TEST_NUMBERS_IN_PRODUCTION = on",
    expect.stringMatching(/^warning: OTP_PROVIDER: console is refused/),
  ]);
});

/** The addresses that are required in production. */
const urlsOf = ({
  SERVER_DATABASE_URL,
  GRAPHQL_DATABASE_URL,
  WORKER_DATABASE_URL,
}: ReturnType<typeof migratorConfig>) => ({
  SERVER_DATABASE_URL,
  GRAPHQL_DATABASE_URL,
  WORKER_DATABASE_URL,
});
