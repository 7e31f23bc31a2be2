import pg from "pg";
import { expect } from "vitest";
import { graphqlConfig } from "../../config/config.ts";
import { shared } from "../../testing/run/shared.ts";
import { databaseOf } from "../../testing/postgres/urls.ts";
import { begin, callerOf, claimsOf, test, type Session } from "../fixtures/identity_fixtures.ts";

/** Runs with LATCHKEY_TEST_PGBOUNCER, which starts a pooler that hands out connections by transaction. */
test.skipIf(!process.env.LATCHKEY_TEST_PGBOUNCER)(
  "behind a transaction pooler a backend keeps nobody's identity for the next client",
  async ({ database, sessions, onTestFinished }) => {
    const { poolerUrl } = await shared("cluster");
    const url = new URL(graphqlConfig(database.env).GRAPHQL_DATABASE_URL);
    url.port = new URL(poolerUrl ?? "").port;
    const open = async () => {
      const client = new pg.Client({ connectionString: databaseOf(url.href, database.name) });
      onTestFinished(() => client.end());
      await client.connect();
      return client;
    };
    const [first, second] = [await open(), await open()];
    const [alice, bob] = sessions as [Session, Session];
    const backendOf = async (client: pg.Client): Promise<unknown> =>
      (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid;

    await first.query(begin(alice));
    const backend = await backendOf(first);
    expect(await callerOf(first)).toBe(alice.user_id);
    const { rows } = await first.query<{ sealed: string }>("select current_setting('latchkey.identity') as sealed");
    // Left in the session by a function of the application, as if it were a token's or the seal itself.
    await first.query("select set_config('request.jwt.claims', $1, false)", [JSON.stringify(claimsOf(alice))]);
    await first.query("commit");

    await second.query("begin; set local role latchkey_user");
    expect(await backendOf(second)).toBe(backend);
    expect(await callerOf(second)).toBeNull();
    await second.query("select set_config('latchkey.identity', $1, true)", [rows[0]?.sealed]);
    expect(await callerOf(second)).toBeNull();
    await second.query("rollback");

    await second.query(begin(bob));
    expect(await backendOf(second)).toBe(backend);
    expect(await callerOf(second)).toBe(bob.user_id);
    await second.query("rollback");
  },
);
