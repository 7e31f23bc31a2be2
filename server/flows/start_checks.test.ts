import type { PoolConfig } from "pg";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { serverConfig, workerConfig } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/test_database.ts";
import { startFakePooler } from "../../testing/fake_pooler.ts";
import { collectLog } from "../../testing/log_lines.ts";
import { startWorker } from "../../worker/worker.ts";
import { startServer } from "../server.ts";

/** How many connections each pool may open. */
const sizes = vi.hoisted(() => new Map<string, number | undefined>());
vi.mock(import("../../runtime/pool.ts"), async (original) => {
  const pools = await original();
  const openPool = (options: PoolConfig & { application_name: string }, ...rest: [never, never]) => {
    sizes.set(options.application_name, options.max);
    return pools.openPool(options, ...rest);
  };
  return { ...pools, openPool: openPool as typeof pools.openPool };
});

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => sizes.clear());

const starts = {
  server: (env: Environment, log = collectLog("silent").log) =>
    startServer(serverConfig({ ...database.env, PORT: "0", HOST: "127.0.0.1", ...env }), log),
  worker: (env: Environment, log = collectLog("silent").log) =>
    startWorker(workerConfig({ ...database.env, ...env }), log),
};

/** Its own address and secrets, as outside production they are made. */
const inProduction = (): Environment => {
  const { SERVER_DATABASE_URL, GRAPHQL_DATABASE_URL } = serverConfig(database.env);
  const { WORKER_DATABASE_URL } = workerConfig(database.env);
  return { ...{ SERVER_DATABASE_URL, GRAPHQL_DATABASE_URL, WORKER_DATABASE_URL }, ...database.env };
};

test.each([
  ["server", "SERVER_DATABASE_URL"],
  ["server", "GRAPHQL_DATABASE_URL"],
  ["worker", "WORKER_DATABASE_URL"],
] as const)("in production a %s whose %s is the migrator's does not start", async (process, name) => {
  const env = inProduction();
  const start = async (changed: Environment) => {
    const config = { ...env, ...changed };
    const log = collectLog("silent").log;
    const started =
      process === "server"
        ? await startServer({ ...serverConfig(config), PORT: 0, HOST: "127.0.0.1", production: true }, log)
        : await startWorker({ ...workerConfig(config), production: true }, log);
    await started.stop();
  };
  await start({});
  await expect(start({ [name]: database.env.DATABASE_URL })).rejects.toMatchObject({
    name: "OperatorError",
    message: expect.stringMatching(
      /^The database role latchkey_migrator .*may become .*latchkey_owner/,
    ) as string,
  });
});

test.each([
  ["server", "SERVER"],
  ["worker", "WORKER"],
] as const)("a %s whose LISTEN or queue would go through a pooler does not start", async (process, name) => {
  const pooler = await startFakePooler();
  onTestFinished(() => pooler.stop());
  const config = { ...serverConfig(database.env), ...workerConfig(database.env) };
  const pooled = pooler.through(config[`${name}_DATABASE_URL`]);
  await expect(starts[process]({ [`${name}_DATABASE_URL`]: pooled })).rejects.toMatchObject({
    name: "OperatorError",
    message: expect.stringContaining(`set ${name}_DATABASE_DIRECT_URL to PostgreSQL's own address`) as string,
  });
  const direct = { [`${name}_DATABASE_DIRECT_URL`]: config[`${name}_DATABASE_URL`] };
  const started = await starts[process]({ [`${name}_DATABASE_URL`]: pooled, ...direct });
  await started.stop();
});

test("a server's pools are as large as its settings say, and it tells their sum", async () => {
  const { log, lines } = collectLog();
  const env = { SERVER_POOL_SIZE: "3", PASSWORD_POOL_SIZE: "5", GRAPHQL_POOL_SIZE: "6" };
  const server = await starts.server(env, log);
  await server.stop();
  expect(Object.fromEntries(sizes)).toEqual({
    "latchkey server fast": 3,
    "latchkey server password": 5,
    "latchkey server held": 4,
    "latchkey graphql": 6,
  });
  // And one each: shared, health, grouped, listener, and the one that GraphQL's reads share.
  expect(lines.filter(({ msg }) => msg === "database connections")).toMatchObject([{ connections: 23 }]);
});

test("a worker's pool is as large as its setting says, and it tells the sum", async () => {
  const { log, lines } = collectLog();
  const worker = await starts.worker({ WORKER_POOL_SIZE: "4" }, log);
  await worker.stop();
  expect(Object.fromEntries(sizes)).toEqual({ "latchkey worker": 4 });
  // And the one that shows that it lives.
  expect(lines.filter(({ msg }) => msg === "database connections")).toMatchObject([{ connections: 5 }]);
});
