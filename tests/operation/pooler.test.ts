import { expect } from "vitest";
import { serverConfig } from "../../config/config.ts";
import { createLog } from "../../runtime/log.ts";
import { test } from "../../testing/fixtures.ts";
import { shared } from "../../testing/run/shared.ts";
import { databaseOf } from "../../testing/postgres/urls.ts";
import { startServer } from "../../server/server.ts";

/** Runs with `npm run test:pgbouncer`, which starts a pooler. */
test.skipIf(!process.env.LATCHKEY_TEST_PGBOUNCER)(
  "without direct URLs a start through a transaction pooler fails; otherwise every send would take ten seconds",
  async ({ database }) => {
    const { poolerUrl } = await shared("cluster");
    const pooledUrl = (url: string) => {
      const withPoolerPort = new URL(url);
      withPoolerPort.port = new URL(poolerUrl ?? "").port;
      return databaseOf(withPoolerPort.href, database.name);
    };
    const { SERVER_DATABASE_URL } = serverConfig(database.env);
    const env = { ...database.env, SERVER_DATABASE_URL: pooledUrl(SERVER_DATABASE_URL), PORT: "0" };
    await expect(startServer(serverConfig(env), createLog("test", "silent"))).rejects.toMatchObject({
      name: "OperatorError",
      message: expect.stringContaining("set SERVER_DATABASE_DIRECT_URL to PostgreSQL's own address") as string,
    });
  },
);
