import { expect } from "vitest";
import { migratorConfig, serverConfig, workerConfig } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import { migrate } from "../../db/migrate.ts";
import { createLog } from "../../runtime/log.ts";
import { secrets } from "../../testing/service/environments.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import { query } from "../../testing/postgres/role_cluster.ts";
import { startTlsCluster } from "../../testing/postgres/tls_cluster.ts";
import { startWorker } from "../../worker/worker.ts";
import { startServer } from "../../server/server.ts";

const test = baseTest.extend("cluster", { scope: "file" }, async ({}, { onCleanup }) => {
  const cluster = await startTlsCluster();
  onCleanup(() => cluster.postgres.stop());
  return cluster;
});

test("migrator, server and worker find the second host, verify it, and none of their connections is without TLS", async ({
  cluster,
}) => {
  const { port } = cluster.postgres;
  const { pathname } = new URL(await cluster.newDatabase("encrypted"));
  const parameters = new URLSearchParams({ sslmode: "verify-full", sslrootcert: cluster.files.authority });
  const address = (role: string) =>
    `postgres://latchkey_${role}:of%20the%20migrator@127.0.0.1:1,localhost:${port}${pathname}?${parameters.toString()}`;
  const addresses = Object.fromEntries(
    ["server", "graphql", "worker"].map((role) => [`${role.toUpperCase()}_DATABASE_URL`, address(role)]),
  );
  const env: Environment = {
    ...secrets,
    ...addresses,
    DATABASE_URL: address("migrator"),
    NODE_ENV: "production",
    LOG_LEVEL: "silent",
    PORT: "0",
    HOST: "127.0.0.1",
    DRAIN_DELAY_MS: "0",
  };
  const log = createLog("test", "silent");
  await migrate(migratorConfig(env));
  const worker = await startWorker(workerConfig(env), log);
  const server = await startServer(serverConfig(env), log);
  try {
    const health = await fetch(`${server.url}/api/v1/health`);
    expect(health.status).toBe(200);
    const rows = (await query(
      cluster.postgres.superuserUrl,
      `select distinct a.application_name as name, s.ssl from pg_stat_activity a join pg_stat_ssl s using (pid)
       where a.usename ~ '^latchkey_' order by 1`,
    )) as { name: string; ssl: boolean }[];
    expect(rows.filter(({ ssl }) => !ssl)).toEqual([]);
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        "latchkey listener",
        "latchkey server fast",
        "latchkey server health",
        "latchkey worker",
        "latchkey worker liveness",
      ]),
    );
  } finally {
    await server.stop();
    await worker.stop();
  }
});
