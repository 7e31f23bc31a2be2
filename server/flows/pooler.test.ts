import { expect, inject, test } from "vitest";
import { serverConfig } from "../../config/config.ts";
import { createLog } from "../../runtime/log.ts";
import { createTestDatabase } from "../../testing/test_database.ts";
import { databaseOf } from "../../testing/urls.ts";
import { startServer } from "../server.ts";

const { poolerUrl } = inject("cluster");

/** npm run test:pgbouncer starts a pooler. */
test.skipIf(poolerUrl === undefined)(
  "without direct addresses a transaction pooler is refused at start, instead of ten silent seconds for every send",
  async () => {
    const database = await createTestDatabase();
    const pooled = (url: string) => {
      const changed = new URL(url);
      changed.port = new URL(poolerUrl ?? "").port;
      return databaseOf(changed.href, database.name);
    };
    try {
      const { SERVER_DATABASE_URL } = serverConfig(database.env);
      const env = { ...database.env, SERVER_DATABASE_URL: pooled(SERVER_DATABASE_URL), PORT: "0" };
      await expect(startServer(serverConfig(env), createLog("test", "silent"))).rejects.toMatchObject({
        name: "OperatorError",
        message: expect.stringContaining(
          "set SERVER_DATABASE_DIRECT_URL to PostgreSQL's own address",
        ) as string,
      });
    } finally {
      await database.drop();
    }
  },
);
