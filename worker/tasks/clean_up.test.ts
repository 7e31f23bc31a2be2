import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { workerConfig } from "../../config/config.ts";
import { createLog } from "../../runtime/log.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/test_database.ts";
import { createDelivery } from "../delivery.ts";
import { ReconnectingPool } from "../reconnecting_pool.ts";

let database: TestDatabase;
let pool: ReconnectingPool;
beforeAll(async () => {
  database = await createTestDatabase();
  const connectionString = workerConfig(database.env).directUrl;
  pool = new ReconnectingPool({ connectionString, max: 1 }, createLog("test", "silent"));
  // The database is dropped while the connection still closes.
  pool.on("connect", (client) => client.on("error", () => undefined));
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Tables with a row each that nobody needs any more. */
async function fillTables(): Promise<string[]> {
  await database.query(
    `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '+12025550101', now());
     insert into platform.rate_limit (key) values ('given back');
     select private.queue_otp('+12025550101', 'LOGIN', true, now() - interval '31 days');
     select private.open_session(null);
     update "user".session set revoked_at = now() - interval '8 days';
     insert into private.pending_registration (user_id, phone, password_hash, is_contested, registered_at)
       values (private.new_id(), '+12025550102', private.hash_registration_password('+12025550102', ''), false, now() - interval '31 days');
     insert into private.known_client select a.id, 'of old', now() - interval '31 days' from "user".account a;
     insert into private.guess_count values ('PHONE', '+12025550101', 'LOGIN', 1, now() - interval '1 day');
     insert into private.verification_state (identifier_type, identifier) values ('PHONE', '+12025550101')`,
  );
  return [
    ...["platform.rate_limit", "platform.otp_transaction", '"user".session', "private.pending_registration"],
    ...["private.known_client", "private.guess_count", "private.verification_state"],
  ];
}

test("a clean-up waits for no row of any table, and each of its slices is a transaction of its own", async () => {
  const tables = await fillTables();
  const left = async () => {
    const counts = tables.map((table) => `(select count(*)::integer from ${table})`).join(", ");
    const [row] = await database.query<{ left: number[] }>(`select array[${counts}] as left`);
    return row?.left;
  };
  await database.query(
    `create table public.deletion (transaction xid8);
     create function public.note_deletion() returns trigger language plpgsql security definer as
       $$ begin insert into public.deletion values (pg_current_xact_id()); return null; end $$;
     ${tables
       .map(
         (table) =>
           `create trigger note_deletion after delete on ${table} for each statement execute function public.note_deletion()`,
       )
       .join(";")}`,
  );
  const holder = new pg.Client({ connectionString: database.superuserUrl });
  await holder.connect();
  await holder.query("begin");
  for (const table of tables) await holder.query(`select from ${table} for update`);
  // The role's lock_timeout ends one that waits.
  await createDelivery(pool).cleanUp();
  expect(await left()).toEqual(tables.map(() => 1));
  await holder.end();
  await createDelivery(pool).cleanUp();
  expect(await left()).toEqual(tables.map(() => 0));
  expect(
    await database.query(
      "select count(*)::integer as slices, count(distinct transaction)::integer as transactions from public.deletion",
    ),
  ).toEqual([{ slices: 14, transactions: 14 }]);
});

test("a clean-up of many pages waits for nobody, and leaves what somebody holds for the next one", async () => {
  await database.query(
    `insert into platform.rate_limit (key, hits, totals)
     select 'spent ' || n, array_fill(now() - interval '2 hours', array[60]), array(select generate_series(0, 60)::bigint)
     from generate_series(1, 9000) n`,
  );
  const holder = new pg.Client({ connectionString: database.superuserUrl });
  await holder.connect();
  await holder.query("begin");
  await holder.query("select from platform.rate_limit where key in ('spent 1', 'spent 9000') for update");
  await createDelivery(pool).cleanUp();
  const left = () => database.query("select key from platform.rate_limit order by key");
  expect(await left()).toEqual([{ key: "spent 1" }, { key: "spent 9000" }]);
  await holder.end();
  await createDelivery(pool).cleanUp();
  expect(await left()).toEqual([]);
});
