import { randomUUID } from "node:crypto";
import pg from "pg";
import type { Environment } from "../../config/environment.ts";
import { shared } from "../run/shared.ts";
import { databaseOf } from "./urls.ts";

export interface TestDatabase {
  name: string;
  /** Runs a statement as superuser: tests read every table, and move rows back in time instead of waiting. */
  query: <T extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<T[]>;
  /** The environment of a process that uses this database. */
  env: Environment;
  superuserUrl: string;
  drop: () => Promise<void>;
}

export interface TestDatabaseOptions {
  /** Default true: a copy of the migrated template. false: an empty database. */
  migrated?: boolean;
  /**
   * lock_timeout and statement_timeout of server and worker here. A race sets more than in production: no call may time
   * out before the others wait too.
   */
  lockTimeout?: string;
}

/** Creates a database. The caller drops it. */
export async function createTestDatabase({
  migrated = true,
  lockTimeout,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { superuserUrl, migratorUrl, home } = await shared("cluster");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await asSuperuser(superuserUrl, async (client) => {
    // PostgreSQL fails if two sessions copy one template at the same time.
    await client.query("select pg_advisory_lock(1)");
    await client.query(
      // By file: by the WAL, which is PostgreSQL's default, takes several times the CPU time.
      `create database ${name} template ${migrated ? "template" : "template1"} strategy file_copy owner latchkey_migrator`,
    );
    const logins = "latchkey_server, latchkey_graphql, latchkey_worker";
    // A copy does not inherit the template's grants of CONNECT. For an empty database the migration makes them.
    await client.query(
      migrated ? `grant connect on database ${name} to ${logins}` : `revoke connect on database ${name} from public`,
    );
    if (lockTimeout !== undefined)
      for (const role of ["latchkey_server", "latchkey_worker"])
        await client.query(
          `alter role ${role} in database ${name} set lock_timeout = '${lockTimeout}';
           alter role ${role} in database ${name} set statement_timeout = '${lockTimeout}'`,
        );
  });

  const ownUrl = databaseOf(superuserUrl, name);
  const pool = new pg.Pool({ connectionString: ownUrl, max: 4 });
  pool.on("error", () => undefined);
  return {
    name,
    query: async <T extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await pool.query<T>(text, values)).rows,
    env: {
      NODE_ENV: "test",
      LATCHKEY_HOME: home,
      DATABASE_URL: databaseOf(migratorUrl, name),
      LOG_LEVEL: "silent",
    },
    superuserUrl: ownUrl,
    async drop() {
      await pool.end();
      await asSuperuser(superuserUrl, (client) => client.query(`drop database ${name} with (force)`));
    },
  };
}

async function asSuperuser(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
