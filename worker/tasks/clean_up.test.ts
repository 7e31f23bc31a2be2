import { queueOtp } from "../../testing/queued_otp.ts";
import pg from "pg";
import { expect } from "vitest";
import { workerConfig } from "../../config/config.ts";
import { createLog } from "../../runtime/log.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import type { TestDatabase } from "../../testing/postgres/test_database.ts";
import { createDelivery } from "../delivery.ts";
import { ReconnectingPool } from "../graphile/reconnecting_pool.ts";
import { deleteExpired } from "./clean_up.ts";

const test = baseTest.extend("delivery", { scope: "file" }, ({ database }, { onCleanup }) => {
  const connectionString = workerConfig(database.env).directUrl;
  const pool = new ReconnectingPool({ connectionString, max: 1 }, createLog("test", "silent"));
  // The database may be dropped while the connection is still closing.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  onCleanup(() => pool.end());
  return createDelivery(pool);
});

/** Inserts one expired row into each table that is cleaned up. Returns the tables' names. */
async function insertExpiredRows(database: TestDatabase): Promise<string[]> {
  await database.query(
    `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '+12025550101', now());
     insert into platform.rate_limit (key) values ('given back');
     select ${queueOtp("'+12025550101'", { at: "now() - interval '31 days'" })};
     select private.open_session(row(null, null, null, null, null, null)::private.sign_in);
     update "user".session set revoked_at = now() - interval '8 days';
     insert into private.pending_registration (user_id, phone, password_hash, is_contested, registered_at)
       values (private.new_id(), '+12025550102', private.hash_registration_password('+12025550102', ''), false, now() - interval '31 days');
     insert into private.known_client select a.id, 'of old', now() - interval '31 days' from "user".account a;
     insert into private.earlier_phone (account_id, phone, held_until)
       select a.id, '+12025550103', now() - interval '91 days' from "user".account a;
     insert into private.guess_count values ('PHONE', '+12025550101', 'LOGIN', 1, now() - interval '1 day');
     insert into private.verification_state (identifier_type, identifier) values ('PHONE', '+12025550101');
     insert into platform.send_decision (id, at, prefix, country, client, purpose, verdict, otp_id)
       values (private.new_id(), now() - interval '91 days', '+12025', 'US', '192.0.2.1', 'LOGIN', 'allowed', private.new_id());
     insert into private.send_count values ('all', 'hour', now() - interval '91 days', 0, 1, 0);
     update graphile_worker._private_jobs set attempts = max_attempts, run_at = now() - interval '8 days', updated_at = now() - interval '8 days'`,
  );
  return [
    "platform.rate_limit",
    "platform.otp_transaction",
    '"user".session',
    "private.pending_registration",
    "private.known_client",
    "private.earlier_phone",
    "private.guess_count",
    "private.verification_state",
    "platform.send_decision",
    "private.send_count",
    "graphile_worker._private_jobs",
  ];
}

test("a clean-up does not wait for locked rows, and each of its slices is a transaction of its own", async ({
  database,
  delivery,
}) => {
  const tables = await insertExpiredRows(database);
  const remaining = async () => {
    const counts = tables.map((table) => `(select count(*)::integer from ${table})`).join(", ");
    const [row] = await database.query<{ counts: number[] }>(`select array[${counts}] as counts`);
    return row?.counts;
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
  // A clean-up that waited would fail with the role's lock_timeout.
  await deleteExpired(delivery);
  expect(await remaining()).toEqual(tables.map(() => 1));
  await holder.end();
  await deleteExpired(delivery);
  expect(await remaining()).toEqual(tables.map(() => 0));
  expect(
    await database.query(
      "select count(*)::integer as slices, count(distinct transaction)::integer as transactions from public.deletion",
    ),
  ).toEqual([{ slices: 22, transactions: 22 }]);
});

test("a clean-up of many pages does not wait for locks, and leaves locked rows for the next one", async ({
  database,
  delivery,
}) => {
  await database.query(
    `insert into platform.rate_limit (key, hits, totals)
     select 'spent ' || n, array_fill(now() - interval '2 hours', array[60]), array(select generate_series(0, 60)::bigint)
     from generate_series(1, 9000) n`,
  );
  const holder = new pg.Client({ connectionString: database.superuserUrl });
  await holder.connect();
  await holder.query("begin");
  await holder.query("select from platform.rate_limit where key in ('spent 1', 'spent 9000') for update");
  await deleteExpired(delivery);
  const remaining = () => database.query("select key from platform.rate_limit order by key");
  expect(await remaining()).toEqual([{ key: "spent 1" }, { key: "spent 9000" }]);
  await holder.end();
  await deleteExpired(delivery);
  expect(await remaining()).toEqual([]);
});

test("an account whose erasure fails does not prevent other erasures, and the clean-up fails at its end", async ({
  database,
  delivery,
}) => {
  await database.query(
    `insert into "user".account (id, phone, phone_verified_at, deletion_due_at)
       select private.new_id(), '+1202555020' || n, now(), now() - interval '1 day' * n from generate_series(1, 4) n;
     create function public.fail() returns trigger language plpgsql as
       $$ begin raise exception '% is broken', old.phone; end $$;
     create trigger fail before delete on "user".account for each row
       when (old.phone in ('+12025550202', '+12025550204')) execute function public.fail()`,
  );
  const remaining = () =>
    database.query(`select phone from "user".account where deletion_due_at is not null order by phone`);
  await expect(deleteExpired(delivery)).rejects.toThrow("2 accounts were not erased: error: +12025550204 is broken");
  expect(await remaining()).toEqual([{ phone: "+12025550202" }, { phone: "+12025550204" }]);
  await database.query(
    `alter table "user".account disable trigger fail; create trigger fail_all before delete on "user".account for each row execute function public.fail();
     insert into "user".account (id, phone, phone_verified_at, deletion_due_at)
       select private.new_id(), '+1202555' || n, now(), now() from generate_series(1001, 1030) n`,
  );
  await expect(deleteExpired(delivery), "too many fail").rejects.toThrow(/^\+1202555\d+ is broken$/);
  await database.query(`drop trigger fail_all on "user".account`);
  await deleteExpired(delivery);
  expect(await remaining()).toEqual([]);
});
