import pg from "pg";
import { expect } from "vitest";
import { raceBehindLock } from "../../testing/postgres/lock_race.ts";
import { test } from "../fixtures/database_fixtures.ts";

const record = "select private.record_event('admin.acted', null)";
const faults = "select * from platform.verify_events()";

/** Connections that fail in place of waiting for a lock that nobody lets go. */
async function openWriters(connectionString: string, count: number) {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const client = new pg.Client({ connectionString, options: "-c lock_timeout=10s" });
      await client.connect();
      return client;
    }),
  );
}

test.for([
  ["a lane is free for each of them", 64],
  ["there are fewer lanes than writers", 3],
] as const)(
  "twenty transactions with events wait for nobody's commit, and their chains verify, where %s",
  async ([, lanes], { database }) => {
    await database.query(`delete from private.event_lane where position = 0 and lane > ${lanes}`);
    const [{ before }] = (await database.query<{ before: number }>(
      "select count(*)::int as before from platform.event",
    )) as [{ before: number }];
    const writers = await openWriters(database.superuserUrl, 20);
    try {
      // All of them have written before the first one commits.
      await Promise.all(writers.map((writer) => writer.query(`begin; ${record}; ${record}`)));
      await Promise.all(
        writers.map((writer, index) =>
          writer.query(index % 4 === 0 ? `savepoint s; ${record}; rollback to s; ${record}; commit` : "commit"),
        ),
      );
      await Promise.all(
        writers.map((writer, index) => writer.query(index % 2 === 0 ? record : `begin; ${record}; rollback`)),
      );
    } finally {
      await Promise.all(writers.map((writer) => writer.end()));
    }
    const [{ after }] = (await database.query<{ after: number }>(
      "select count(*)::int as after from platform.event",
    )) as [{ after: number }];
    expect(after - before).toBe(20 * 2 + 5 + 10);
    expect(await database.query(faults)).toEqual([]);
  },
);

test("a transaction that sees an older state of a lane fails, and breaks no chain", async ({ database }) => {
  const [late] = await openWriters(database.superuserUrl, 1);
  try {
    await late!.query("begin isolation level repeatable read; select count(*) from platform.event");
    // In every lane, whichever the late one takes.
    await database.query("update private.event_lane set position = position");
    await expect(late!.query(record)).rejects.toMatchObject({ code: "40001" });
    await late!.query("rollback");
  } finally {
    await late!.end();
  }
  expect(await database.query(faults)).toEqual([]);
});

test("a verification that began before a month was dropped, and waited for that, finds no fault", async ({
  database,
}) => {
  // Two events of a lane that no writer takes: one in the month that is dropped, one after it.
  await database.query(`
    delete from private.event_lane where lane = 1000;
    insert into private.event_lane (lane) values (1000);
    select private.add_event_partition('2020-01-01 00:00Z');
    do $$
    declare
      v_event platform.event;
      v_at timestamptz;
    begin
      for v_at in select unnest(array['2020-01-31 23:00Z', now()]) loop
        select private.first_id(v_at), 'admin.acted', v_at, null, null, 'admin', null, '{}', l.lane, l.position + 1, '' into v_event
        from private.event_lane l where l.lane = 1000;
        select private.event_hash(l.hash, v_event) into v_event.hash from private.event_lane l where l.lane = 1000;
        insert into platform.event select v_event.*;
        update private.event_lane l set position = v_event.position, hash = v_event.hash where l.lane = 1000;
      end loop;
    end $$`);
  const drop = { text: "select private.drop_event_partition('private.event_2020_01')", values: [] };
  expect(await raceBehindLock(database, drop, 1, () => database.query(faults))).toEqual([]);
});
