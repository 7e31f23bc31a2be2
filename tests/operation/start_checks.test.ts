import type { PoolConfig } from "pg";
import { beforeEach, expect, onTestFinished, vi } from "vitest";
import { graphqlConfig, serverConfig, workerConfig } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import { startGraphql } from "../../graphql/index.ts";
import { documentSection } from "../../testing/documents/document_blocks.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import { startFakePooler } from "../../testing/postgres/fake_pooler.ts";
import { collectLog } from "../../testing/log_lines.ts";
import { createTestDatabase } from "../../testing/postgres/test_database.ts";
import { databaseOf } from "../../testing/postgres/urls.ts";
import { startWorker } from "../../worker/worker.ts";
import { startServer } from "../../server/server.ts";

/** Maximum size of each pool, by its name. */
const sizes = vi.hoisted(() => new Map<string, number | undefined>());
vi.mock(import("../../runtime/database/pool.ts"), async (original) => {
  const pools = await original();
  const openPool = (options: PoolConfig & { application_name: string }, ...rest: [never, never]) => {
    sizes.set(options.application_name, options.max);
    return pools.openPool(options, ...rest);
  };
  return { ...pools, openPool: openPool as typeof pools.openPool };
});

const test = baseTest
  .extend("start", ({ database }) => ({
    server: (env: Environment, log = collectLog("silent").log) =>
      startServer(serverConfig({ ...database.env, PORT: "0", HOST: "127.0.0.1", ...env }), log),
    graphql: (env: Environment, log = collectLog("silent").log) =>
      startGraphql(graphqlConfig({ ...database.env, GRAPHQL_PORT: "0", ...env }), log),
    worker: (env: Environment, log = collectLog("silent").log) =>
      startWorker(workerConfig({ ...database.env, ...env }), log),
  }))
  /** The environment with the URLs that are derived from DATABASE_URL outside production. */
  .extend("productionEnv", ({ database }): Environment => {
    const { SERVER_DATABASE_URL } = serverConfig(database.env);
    const { GRAPHQL_DATABASE_URL } = graphqlConfig(database.env);
    const { WORKER_DATABASE_URL } = workerConfig(database.env);
    return { SERVER_DATABASE_URL, GRAPHQL_DATABASE_URL, WORKER_DATABASE_URL, ...database.env };
  });
beforeEach(() => sizes.clear());

test.for([
  ["server", "SERVER_DATABASE_URL"],
  ["server", "SERVER_DATABASE_DIRECT_URL"],
  ["graphql", "GRAPHQL_DATABASE_URL"],
  ["graphql", "GRAPHQL_DATABASE_DIRECT_URL"],
  ["worker", "WORKER_DATABASE_URL"],
] as const)(
  "in production a %s whose %s is the migrator's does not start",
  async ([process, name], { productionEnv, database }) => {
    const startWith = async (env: Environment) => {
      const config = { ...productionEnv, ...env };
      const log = collectLog("silent").log;
      const production = true;
      const starters = {
        server: () => startServer({ ...serverConfig(config), PORT: 0, HOST: "127.0.0.1", production }, log),
        graphql: () => startGraphql({ ...graphqlConfig(config), GRAPHQL_PORT: 0, production }, log),
        worker: () => startWorker({ ...workerConfig(config), production }, log),
      };
      await (await starters[process]()).stop();
    };
    await database.query("update private.installation set production = true");
    await startWith({});
    await expect(startWith({ [name]: database.env.DATABASE_URL })).rejects.toMatchObject({
      name: "OperatorError",
      message: expect.stringMatching(/^The database role latchkey_migrator .*may become .*latchkey_owner/) as string,
    });
  },
);

test.for([
  ["server", "SERVER_DATABASE_DIRECT_URL", "SERVER_DATABASE_URL"],
  ["graphql", "GRAPHQL_DATABASE_DIRECT_URL", "GRAPHQL_DATABASE_URL"],
] as const)(
  "a %s whose %s leads to another database than its %s does not start",
  async ([process, name, own], { start, database, productionEnv }) => {
    const other = await createTestDatabase();
    onTestFinished(() => other.drop());
    const url = databaseOf(String(productionEnv[own]), other.name);
    await expect(start[process]({ ...database.env, [name]: url })).rejects.toMatchObject({
      name: "OperatorError",
      message: `${name} leads to another database than ${own}: it must be the same.`,
    });
  },
);

test.for(["GRAPHQL_DATABASE_URL", "GRAPHQL_DATABASE_DIRECT_URL"])(
  "a GraphQL whose %s names another role does not start",
  async (name, { start, productionEnv }) => {
    await expect(start.graphql({ [name]: productionEnv.SERVER_DATABASE_URL })).rejects.toMatchObject({
      name: "OperatorError",
      message: expect.stringContaining(
        `The role latchkey_server of ${name} may not become latchkey_admin, latchkey_guest, latchkey_user: `,
      ) as string,
    });
  },
);

test.for([
  ["server", "SERVER_DATABASE_URL", "28P01"],
  ["server", "SERVER_DATABASE_DIRECT_URL", "28P01"],
  ["graphql", "GRAPHQL_DATABASE_URL", "28P01"],
  ["graphql", "GRAPHQL_DATABASE_DIRECT_URL", "28P01"],
  ["worker", "WORKER_DATABASE_URL", "28P01"],
  ["graphql", "GRAPHQL_DATABASE_URL", "ECONNREFUSED"],
  ["worker", "WORKER_DATABASE_URL", "ECONNREFUSED"],
] as const)(
  "a %s whose %s is answered by %s says so in a sentence",
  async ([process, name, code], { start, productionEnv }) => {
    const url = new URL(String(productionEnv[name] ?? productionEnv.SERVER_DATABASE_URL));
    if (code === "28P01") url.password = "wrong";
    else url.port = "1";
    await expect(start[process]({ [name]: url.href })).rejects.toMatchObject({
      name: "OperatorError",
      message: expect.stringContaining(
        `${name}: ${code === "28P01" ? "The database refused the login (password" : "The database cannot be reached: "}`,
      ) as string,
    });
  },
);

test("a process whose address names another process's role says so", async ({ start, productionEnv }) => {
  await expect(start.worker({ WORKER_DATABASE_URL: productionEnv.SERVER_DATABASE_URL })).rejects.toMatchObject({
    name: "OperatorError",
    message: expect.stringMatching(
      /^The database refuses the role \(permission denied for schema delivery\)\. Either the address names another role/,
    ) as string,
  });
});

test.for([
  ["server", "SERVER"],
  ["graphql", "GRAPHQL"],
  ["worker", "WORKER"],
] as const)(
  "a %s whose LISTEN or queue would go through a pooler does not start",
  async ([process, name], { start, database }) => {
    const pooler = await startFakePooler();
    onTestFinished(() => pooler.stop());
    const config = {
      ...serverConfig(database.env),
      ...graphqlConfig(database.env),
      ...workerConfig(database.env),
    };
    const pooled = pooler.through(config[`${name}_DATABASE_URL`]);
    await expect(start[process]({ [`${name}_DATABASE_URL`]: pooled })).rejects.toMatchObject({
      name: "OperatorError",
      message: expect.stringContaining(`set ${name}_DATABASE_DIRECT_URL to PostgreSQL's own address`) as string,
    });
    const direct = { [`${name}_DATABASE_DIRECT_URL`]: config[`${name}_DATABASE_URL`] };
    const started = await start[process]({ [`${name}_DATABASE_URL`]: pooled, ...direct });
    await started.stop();
  },
);

/** The number of connections by a formula of docs/operations.md, for this sum of the pools. */
function documentedSum(formula: string, pools: number): number {
  const line = documentSection("docs/operations.md", "Connections")
    .split("\n")
    .find((text) => text.includes(`: \`${formula} + `));
  return pools + Number(/ (\d+)`/.exec(line ?? "")?.[1]);
}

test("a server's pools are as large as its settings say, and it logs their sum", async ({ start }) => {
  const { log, lines } = collectLog();
  const server = await start.server({ SERVER_POOL_SIZE: "3", PASSWORD_POOL_SIZE: "5" }, log);
  await server.stop();
  expect(Object.fromEntries(sizes)).toEqual({
    "latchkey server fast": 3,
    "latchkey server password": 5,
    "latchkey server locked": 4,
  });
  // Beside the pools one connection each: pipeline, health, two kinds of batch, listener.
  const connections = documentedSum("SERVER_POOL_SIZE + PASSWORD_POOL_SIZE", 3 + 5);
  expect(connections).toBe(17);
  expect(lines.filter(({ msg }) => msg === "database connections")).toMatchObject([{ connections }]);
});

test("GraphQL's pools are as large together as its setting says, and it logs the sum", async ({ start }) => {
  const { log, lines } = collectLog();
  const graphql = await start.graphql({ GRAPHQL_POOL_SIZE: "6" }, log);
  await graphql.stop();
  expect(Object.fromEntries(sizes)).toEqual({
    "latchkey graphql guests": 1,
    "latchkey graphql users": 1,
    "latchkey graphql admin": 4,
    "latchkey graphql startup": 1,
  });
  // Beside the pools the connections that listens, and that reads share. The startup pool is closed.
  const connections = documentedSum("GRAPHQL_POOL_SIZE", 6);
  expect(lines.filter(({ msg }) => msg === "database connections")).toMatchObject([{ connections }]);
});

test("a worker's pool is as large as its setting says, and it logs the sum", async ({ start }) => {
  const { log, lines } = collectLog();
  const worker = await start.worker({ WORKER_POOL_SIZE: "4" }, log);
  await worker.stop();
  expect(Object.fromEntries(sizes)).toEqual({ "latchkey worker": 4 });
  // Beside the pool the connection of worker/graphile/liveness.ts.
  const connections = documentedSum("WORKER_POOL_SIZE", 4);
  expect(lines.filter(({ msg }) => msg === "database connections")).toMatchObject([{ connections }]);
});
